"""Is there room: disk and memory are asked before the work starts, not when it fails."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

GIGABYTE = 1e9


def check_disk(folder: Path, needed: float) -> None:
    """Say before the work goes on that a folder's disk is too small for what will be written."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise ValueError(
            f"{folder} needs about {needed / GIGABYTE:.1f} GB and has {free / GIGABYTE:.1f} GB left; "
            "read into a folder on a larger disk, or set TMPDIR to one"
        )


def check_memory(needed: float, what: str, remedy: str) -> None:
    """Say before the work starts that memory will not do; silent where the system does not tell."""
    free = free_memory()
    if free is not None and needed > free:
        raise ValueError(
            f"{what} needs about {needed / GIGABYTE:.1f} GB of memory and {free / GIGABYTE:.1f} GB are free; "
            f"{remedy}"
        )


def free_memory() -> int | None:
    """Bytes that a program could still take; None where the system does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
