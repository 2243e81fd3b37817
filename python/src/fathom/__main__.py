"""The program `fathom` of the wheel: `python -m fathom`."""

from __future__ import annotations

import os
import sys

from ._library import folders, program as path


def program() -> None:
    """Becomes the program, with the arguments of this process."""
    for folder in folders():
        # libwebsockets looks for the plugin of its event loop in these folders.
        if (folder / "libwebsockets-evlib_uv.so").exists():
            others = os.environ.get("LD_LIBRARY_PATH", "")
            os.environ["LD_LIBRARY_PATH"] = f"{others}:{folder}" if others else str(folder)
            break
    found = path()
    if found == "fathom":
        sys.exit("fathom: the program is not part of this installation")
    os.execv(found, ["fathom", *sys.argv[1:]])


if __name__ == "__main__":
    program()
