"""`python -m ipomdp` is the command `ipomdp`."""

from ipomdp.commands.main import main

main()
