"""`python -m ipomdp` is the command `ipomdp`."""

from ipomdp.cli import main

main()
