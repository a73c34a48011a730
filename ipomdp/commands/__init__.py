"""The command line. Anything heavy is imported by the command that needs it."""
