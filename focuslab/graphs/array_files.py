"""Arrays that grow on disk, so that what is read need not fit into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray


class ArrayFile:
    """One ``.npy`` file that grows at its end, and is an array as soon as it is closed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     grown = ArrayFile(Path(folder) / "ages.npy", np.int32)
    ...     grown.append([3, 1]); grown.append([2])
    ...     np.load(grown.close()).tolist()
    [3, 1, 2]
    """

    def __init__(self, path: Path, dtype: DTypeLike, width: int = 0) -> None:
        self.path, self.length = path, 0
        self._dtype, self._width = np.dtype(dtype), width
        self._file: BinaryIO = path.open("w+b")
        self._write_header()

    def append(self, values: Any) -> None:
        """Write more values; rows, where the array has a width."""
        found = np.ascontiguousarray(values, self._dtype)
        self.length += len(found)
        found.tofile(self._file)

    def close(self) -> Path:
        """Say in the header how long it has become; numpy leaves room for that."""
        self._file.seek(0)
        self._write_header()
        self._file.close()
        return self.path

    def _write_header(self) -> None:
        shape = (self.length, self._width) if self._width else (self.length,)
        about = {"descr": npy.dtype_to_descr(self._dtype), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(self._file, about)


def opened(path: Path) -> NDArray[Any]:
    """An array of a file by memory map: its pages come in as they are needed, and processes share them."""
    found: NDArray[Any] = np.load(path, mmap_mode="r")
    return found


def fixed(values: NDArray[Any], dtype: DTypeLike) -> NDArray[Any]:
    """A read-only array, wherever it is from: the compiler then meets one type, and compiles once."""
    view = np.ascontiguousarray(values, dtype).view(np.ndarray)
    view.flags.writeable = False
    return view
