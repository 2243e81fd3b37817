"""The program `fathom` of the wheel: `python -m fathom`."""

from __future__ import annotations

import os
import sys

from ._library import program as path


def program() -> None:
    """Becomes the program, with the arguments of this process."""
    found = path()
    if found == "fathom":
        sys.exit("fathom: the program is not part of this installation")
    os.execv(found, ["fathom", *sys.argv[1:]])


if __name__ == "__main__":
    program()
