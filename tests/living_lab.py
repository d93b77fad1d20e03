"""JupyterLab itself with a notebook and a kernel behind it, for a real browser without a network."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

PATIENCE = 120_000
"""Milliseconds: a kernel that starts on a busy machine takes its time."""
RUN = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  await app.shell.currentWidget.sessionContext.ready;
  app.commands.execute("notebook:run-all-cells");
}"""
SETTINGS = {
    "notebook-extension/tracker": '{"windowingMode": "none"}',  # every panel is there, seen or not
    "apputils-extension/notification": '{"fetchNews": "false"}',
}


@contextmanager
def living_lab(folder: Path, cells: Sequence[str]) -> Iterator[str]:
    """Serve a notebook of these cells from a folder; gives the server's address."""
    _write(folder, cells)
    port = free_port()
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    options += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--expose-app-in-browser"]
    options += [f"--ServerApp.root_dir={folder}"]
    environment = {key: value for key, value in os.environ.items() if key != "TQDM_DISABLE"}
    environment |= {"JUPYTER_CONFIG_DIR": str(folder / ".c"), "JUPYTER_RUNTIME_DIR": str(folder / ".r")}
    environment |= {"JUPYTERLAB_SETTINGS_DIR": str(folder / ".settings")}
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/api", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(60)


def run_all(tab: Any, server: str) -> None:
    """Open the notebook and run its cells."""
    tab.goto(f"{server}/lab/tree/book.ipynb?reset")
    tab.wait_for_selector(".jp-Notebook .jp-CodeCell")
    tab.evaluate(RUN)


def _write(folder: Path, cells: Sequence[str]) -> None:
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    book = new_notebook(cells=[new_code_cell(source) for source in cells], metadata=metadata)
    nbformat.write(book, folder / "book.ipynb")
    for name, setting in SETTINGS.items():
        path = folder / ".settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(setting, encoding="utf-8")


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(PATIENCE // 500):
        assert server.poll() is None, "JupyterLab did not start"
        try:
            urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.5)
    raise AssertionError("JupyterLab does not answer")
