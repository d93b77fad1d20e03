"""The folder of this machine where the lab keeps what it can make, or fetch, again."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/focuslab``, or ``~/.cache/focuslab`` where that variable is not set."""
    root = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(root) if root else Path.home() / ".cache") / "focuslab"
