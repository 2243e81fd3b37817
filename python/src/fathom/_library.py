"""The C libraries: where they are, how they are loaded, and how their errors become exceptions."""

from __future__ import annotations

import os
import pathlib
from typing import Any

from . import _ffi, errors

ffi: Any = _ffi.ffi

#: Version of the interface that this package was written for; the file names of the libraries contain it.
ABI = "0.1"
_PACKAGE = pathlib.Path(__file__).resolve().parent


def folders() -> list[pathlib.Path]:
    """The folders that may contain the libraries: $FATHOM_LIBRARY, the wheel, the build folder of a source tree."""
    own = os.environ.get("FATHOM_LIBRARY")
    found = [pathlib.Path(own)] if own else []
    return [*found, _PACKAGE / "lib", _PACKAGE.parents[2] / "build" / "release"]


def _open(name: str) -> Any:
    file = f"{name}.so.{ABI}"
    # Never unloaded: threads of its libraries (TBB) may still run when the interpreter ends.
    flags = ffi.RTLD_NOW | ffi.RTLD_NODELETE
    for folder in folders():
        if (folder / file).exists():
            return ffi.dlopen(str(folder / file), flags)
    try:
        return ffi.dlopen(file, flags)
    except OSError as error:
        raise ImportError(
            f"{file} not found in {', '.join(map(str, folders()))} or in the system's folders: "
            "install the wheel, or set FATHOM_LIBRARY to the folder that contains it"
        ) from error


#: libfathom.
lib: Any = _open("libfathom")
NULL: Any = ffi.NULL


def net() -> Any:
    """libfathom-net: the server and the page."""
    return _open("libfathom-net")


def program() -> str:
    """The path of the program `fathom`: of the wheel, of a build folder, or "fathom" from the PATH."""
    for path in (_PACKAGE / "bin" / "fathom", *(folder / "fathom" for folder in folders())):
        if path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return "fathom"


def text(pointer: Any) -> str:
    """A C string; NULL: ""."""
    return "" if pointer == NULL else ffi.string(pointer).decode("utf-8", "replace")


def encode(value: str | os.PathLike[str]) -> bytes:
    return os.fspath(value).encode("utf-8", "surrogateescape")


def texts(values: Any, keep: list[Any]) -> Any:
    """A C array of strings; the memory is appended to `keep`."""
    items = [ffi.new("char[]", encode(value)) for value in values]
    array = ffi.new("char *[]", items) if items else NULL
    keep += [items, array]
    return array


def options(kind: str, keep: list[Any] | None = None, **members: Any) -> Any:
    """A struct of options with its size set."""
    struct = ffi.new(f"{kind} *")
    struct.size = ffi.sizeof(kind)
    for name, value in members.items():
        setattr(struct, name, value)
    if keep is not None:
        keep.append(struct)
    return struct


def new_error() -> Any:
    return ffi.new("fm_error *")


def fault(error: Any) -> errors.FathomError:
    """The exception of an fm_error."""
    return errors.make(int(error.status), text(error.text), text(error.file), int(error.line))


def check(status: int, error: Any) -> None:
    """Raises the exception of a status that is not FM_OK."""
    if status:
        if not error.status:
            error.status = status
        raise fault(error)


def owned(pointer: Any, error: Any) -> Any:
    """Raises the exception if no object was made."""
    if pointer == NULL:
        raise fault(error)
    return pointer


def memory(pointer: Any, size: int, owner: Any) -> Any:
    """`size` bytes at a pointer, not copied, which keep their owner alive."""
    kept = ffi.gc(ffi.cast("char *", pointer), lambda _pointer, _owner=owner: None)
    return ffi.buffer(kept, size)


def version() -> str:
    """Version of the loaded library, "0.1.0"."""
    return text(lib.fm_version_text())


if not version().startswith(ABI + "."):
    raise ImportError(f"this package needs libfathom {ABI}: the one found has version {version()}")
