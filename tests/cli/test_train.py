"""From a list of labelled addresses to classifiers, with a report that says what to fix."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_subjects import little

from focuslab import webs
from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.training.model_file import load_model
from focuslab.cli import main
from focuslab.webs.server import serve

# The command


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    web = webs.synthetic(pages=600, seed=3)
    truth = web.truth("baseball")
    some = [*sorted(truth.targets)[:15], *[url for url in web.urls if not truth(url)][:40]]
    file = tmp_path / "pages.csv"
    file.write_text("url,label\n" + "".join(f"{url},{'yes' if truth(url) else 'no'}\n" for url in some))
    return file


def test_the_command_trains_from_the_network(
    csv: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "model.npz"
    with serve(webs.synthetic(pages=600, seed=3)) as served:
        for name, value in served.environment().items():
            monkeypatch.setenv(name, value)
        code = main(["train", str(csv), "--out", str(out), "--delay", "0", "--contact", "x@example.org"])
    told = capsys.readouterr().out
    assert code == 0, told
    assert "relevance: accuracy" in told
    assert "What to fix:\n- only 15 pages are labelled 'Relevant'" in told
    assert 0 <= load_model(out).score_text("a home run in the last inning") <= 1


def test_the_command_trains_from_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    web, rows = little()
    for url, body in web.pages.items():
        file = tmp_path / "mirror" / f"{url.removeprefix('http://')}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body)
    csv = tmp_path / "pages.csv"
    csv.write_text("url,label\n" + "".join(f"{row.url},{row.label}\n" for row in rows))
    arguments = ["train", str(csv), "--folder", str(tmp_path / "mirror"), "--relevant", "chess", "--by-host"]
    assert main([*arguments, "--out", str(tmp_path / "m.npz")]) == 0
    assert "folds of hosts" in capsys.readouterr().out
    assert isinstance(load_model(tmp_path / "m.npz"), Classifiers)


@pytest.mark.parametrize(
    ("arguments", "mistake"),
    [
        (["gone.csv"], "no such file"),
        (["pages.csv", "--out", "gone/model.npz"], "no folder gone to write model.npz into"),
        (["pages.csv", "--archive", "gone.warc"], "no such file"),
    ],
)
def test_mistakes_end_in_one_sentence(
    csv: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list,
    mistake: str,
) -> None:
    monkeypatch.chdir(csv.parent)
    assert main(["train", *arguments]) == 2
    assert mistake in capsys.readouterr().err


# Real pages in other scripts
