"""Everything this package raises on purpose.

IpomdpError
├── InvalidInput            what a user typed or wrote in a file cannot be used
├── ImpossibleObservation   nothing believed possible can have produced what was heard
├── ParticlesLost           no particle kept explains what was heard
└── EngineFailed            a chess engine died or stopped answering
"""


class IpomdpError(Exception):
    """Base of all errors of this package; its text is meant to be read by a person."""


class InvalidInput(IpomdpError):
    """A file, a field or an option that cannot be used; the text says what was expected."""


class ImpossibleObservation(IpomdpError):
    """An announcement that no believed position can produce."""

    def __init__(self, message: str, *, entry: int | None = None) -> None:
        super().__init__(message)
        self.entry = entry
        """Which step of a history cannot have happened, counted from 0."""


class ParticlesLost(IpomdpError):
    """Something heard that no particle kept can explain, though it may be possible."""


class EngineFailed(IpomdpError):
    """A chess engine that died, or stopped answering, while it was needed."""
