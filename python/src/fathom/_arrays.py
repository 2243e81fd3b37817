"""NumPy arrays over memory of the library."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._library import ffi, memory

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

#: dtype of an fm_output_type: REAL, UINT8, FLOAT32, TEXT, INT64, NAME.
KINDS: dict[int, Any] = {0: np.float64, 1: np.uint8, 2: np.float32, 4: np.int64, 5: np.float64}


def view(pointer: Any, shape: tuple[int, ...], dtype: Any, owner: Any, writable: bool = False) -> Array:
    """An array over memory of the library, not copied; it keeps `owner` alive."""
    count = int(np.prod(shape))
    array = np.frombuffer(memory(pointer, count * np.dtype(dtype).itemsize, owner), dtype=dtype).reshape(shape)
    array.flags.writeable = writable
    return array


def pointer(array: Array) -> Any:
    """The address of a contiguous array of float64."""
    return ffi.cast("double *", ffi.from_buffer(array))
