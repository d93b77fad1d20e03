"""Fixtures that several test files share."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["FOCUSLAB_STRICT"] = "1"  # a mistake of ours fails the test, and is not written off as a page's
os.environ["TQDM_DISABLE"] = "1"  # bars are for people; tqdm reads it when it is imported

# Started in the background, a shell lets its programs ignore Ctrl-C, and theirs too: the tests that send it
# would wait for ever. A handler of our own is not inherited: programs under test start as for a person.
signal.signal(signal.SIGINT, signal.default_int_handler)


# The same examples in every run, and no limit of time: how fast a machine is, and how busy, proves nothing.
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("lab", deadline=None, derandomize=True, suppress_health_check=SLOW)
settings.load_profile("lab")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real pages; a clone elsewhere has none, so the tests that need it are skipped."""
    folder = os.environ.get("FOCUSLAB_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip(
            "real pages are absent: set FOCUSLAB_DATA to the folder that holds webkb.tar.xz and the others"
        )
    return Path(folder)
