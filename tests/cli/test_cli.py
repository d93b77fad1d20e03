"""The command line, as a person meets it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import pytest
import requests

from focuslab import cli


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("report", "serve"))


def test_a_mistake_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["serve", "--pages", "3"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("focuslab serve: ")
    assert "Traceback" not in told
    assert told.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent another way on Windows")
def test_serve_answers_until_ctrl_c() -> None:
    command = [sys.executable, "-m", "focuslab.cli", "serve", "--pages", "300"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        first = server.stdout.readline()
        proxy, page = re.findall(r"http://\S+", first)
        answer = requests.get(page, proxies={"http": proxy}, timeout=10)
        assert answer.status_code == 200
        assert "<html" in answer.text
        server.send_signal(signal.SIGINT)
        try:
            assert server.wait(timeout=20) == 130
        finally:
            server.kill()
