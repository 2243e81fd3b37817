"""Exceptions: what the library reports, with file and line."""

from __future__ import annotations


class FathomError(Exception):
    """What went wrong and where.

    `file` is empty and `line` 0 where they do not apply. `others` has the further errors of a file with several.
    """

    status = "failed"

    def __init__(self, text: str, file: str = "", line: int = 0) -> None:
        self.text, self.file, self.line = text, file, line
        self.others: list[FathomError] = []
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(place + text)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.text, self.file, self.line))


class OutOfMemory(FathomError, MemoryError):
    """An allocation failed."""


class FileError(FathomError, OSError):
    """A file cannot be opened, read or written."""


class FormError(FathomError, ValueError):
    """A file or text has the wrong form."""


class UnknownName(FathomError, LookupError):
    """An unknown element, attribute, parameter, model or vehicle."""


class RangeError(FathomError, ValueError):
    """A value is out of range."""


class UnitError(FathomError, ValueError):
    """A unit is missing or wrong."""


class ModelError(FathomError, ValueError):
    """Each value is valid, but together they are not a physical model."""


class StateError(FathomError, ArithmeticError):
    """A state that is not finite or out of range stopped the run."""


class FullError(FathomError):
    """No space is left: in a world, a ring, a queue."""


class LibraryError(FathomError):
    """A library used by Fathom failed."""


class MissingError(FathomError, NotImplementedError):
    """Not included in this build."""


class ArgumentError(FathomError, ValueError):
    """An invalid argument or call sequence."""


class Cancelled(FathomError):
    """A step was cancelled: reset or restore the world, or free it."""


class ModelWarning(UserWarning):
    """Input that is valid but probably a mistake."""


_BY_STATUS: dict[int, type[FathomError]] = {
    1: OutOfMemory,
    2: FileError,
    3: FormError,
    4: UnknownName,
    5: RangeError,
    6: UnitError,
    7: ModelError,
    8: StateError,
    9: FullError,
    10: LibraryError,
    11: MissingError,
    12: ArgumentError,
    13: Cancelled,
}


def make(status: int, text: str, file: str, line: int) -> FathomError:
    """The exception of an fm_status."""
    kind = _BY_STATUS.get(status, FathomError)
    error = kind(text or kind.__doc__ or "failed", file, line)
    error.status = kind.__name__
    return error
