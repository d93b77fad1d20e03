"""``focuslab suggest-terms`` through the command line, from every kind of page it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuslab import webs
from focuslab.classifiers.term_sets import generate_terms
from focuslab.classifiers.training.topic_file import load_topic
from focuslab.cli import main
from focuslab.fetchers import warc
from focuslab.pages.parse import parse
from focuslab.types import Response, Topic

GENRE = ("course syllabus", "course syllabus grading", "course credits")
RELEVANT = ("course syllabus sql", "sql query sql")
EXPECTED = (("course", "course syllabus"), ("sql", "course syllabus sql"))
TWO = ["--genre-count", "2", "--content-count", "2"]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for kind, texts in (("genre", GENRE), ("relevant", RELEVANT)):
        (tmp_path / kind).mkdir()
        for number, text in enumerate(texts):
            (tmp_path / kind / f"{number}.html").write_text(f"<body><p>{text}</p></body>")
    return tmp_path


def suggested(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str | Path) -> Topic:
    """What was printed, read back as a topic."""
    assert main(["suggest-terms", *map(str, arguments)]) == 0
    path = folder / "printed.yaml"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    return load_topic(path)


def terms(topic: Topic) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return topic.genre_terms, topic.content_terms


def test_files_named_one_by_one(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    genre, relevant = (sorted((files / kind).iterdir()) for kind in ("genre", "relevant"))
    topic = suggested(capsys, files, "--genre", *genre, "--relevant", *relevant, *TWO, "--name", "databases")
    assert terms(topic) == EXPECTED
    assert (topic.name, topic.language) == ("databases", "en")


def test_whole_folders(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = suggested(capsys, files, "--genre", files / "genre", "--relevant", files / "relevant", *TWO)
    assert terms(found) == EXPECTED


def test_an_archive(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = files / "pages.warc.gz"
    pages = [
        Response(f"http://a.example/{n}", 200, f"<p>{text}".encode(), "text/html")
        for n, text in enumerate(GENRE)
    ]
    failed = Response("http://a.example/x", 404, b"<p>missing missing missing", "text/html")
    archive.write_bytes(b"".join(warc.record(page.url, warc.as_recorded(page)) for page in [*pages, failed]))
    found = suggested(capsys, files, "--genre", archive, "--relevant", files / "relevant", *TWO)
    assert terms(found) == EXPECTED


@pytest.mark.parametrize("column", ["text", "html", "file"])
def test_a_table(files: Path, capsys: pytest.CaptureFixture[str], column: str) -> None:
    cells = [f"genre/{n}.html" for n in range(3)] if column == "file" else list(GENRE)
    table = files / "pages.csv"
    table.write_text(
        "number," + column + "\n" + "".join(f'{n},"{cell}"\n' for n, cell in enumerate([*cells, ""]))
    )
    found = suggested(capsys, files, "--genre", table, "--relevant", files / "relevant", *TWO)
    assert terms(found) == EXPECTED


def test_pages_of_the_built_in_web(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    web = webs.synthetic(pages=400, seed=3)
    urls = sorted(web.truth("baseball").targets)[:5]
    size = ["--pages", "400", "--seed", "3", "--content-count", "5"]
    found = suggested(capsys, tmp_path, "--relevant", *urls, *size)
    assert terms(found) == generate_terms([], [parse(web.fetch(url)) for url in urls], 40, 5)
    table = tmp_path / "urls.csv"
    table.write_text("url\n" + "\n".join(urls) + "\n")
    assert terms(suggested(capsys, tmp_path, "--relevant", table, *size)) == terms(found)


def test_the_examples_of_a_topic(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topic = files / "mine.yaml"
    topic.write_text("name: mine\nlanguage: pt\nexamples: {genre: [genre], relevant: [relevant]}\n")
    found = suggested(capsys, files, "--topic", topic, *TWO)
    assert (found.name, found.language, terms(found)) == ("mine", "pt", EXPECTED)


def test_words_that_yaml_would_change_come_back_as_they_were(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = files / "odd.html"
    page.write_text("<p>yes null 1e3 2024 null null")
    found = suggested(capsys, files, "--genre", page, "--genre-count", "99", "--language", "de")
    assert {"yes", "null", "1e3", "2024"} <= set(found.genre_terms)


def test_a_file_is_written_once(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = files / "out.yaml"
    arguments = ["suggest-terms", "--genre", str(files / "genre"), *TWO, "--out", str(out)]
    assert main(arguments) == 0
    assert "wrote" in capsys.readouterr().out
    assert load_topic(out).genre_terms == EXPECTED[0]
    assert main(arguments) == 2
    assert "exists already; choose another name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no example pages; give --genre and --relevant"),
        (["--genre", "nowhere.html"], "no page at nowhere.html; PAGE is a file"),
        (
            ["--genre", "http://a.example/", "--pages", "300"],
            "http://a.example/ cannot be read (",
        ),
        (["--genre", "{empty.html}"], "hold no words but stop words; give pages with text"),
        (["--genre", "{bad.csv}"], "has no column url, file, html or text"),
        (["--genre", "{none.warc.gz}"], "holds no HTML page"),
        (["--genre", "{latin.csv}"], "is not a CSV in UTF-8"),
        (
            ["--genre", "{empty.html}", "--genre-count", "0"],
            "--genre-count 0 asks for nothing; give 1 or more",
        ),
        (["--genre", "{empty.html}", "--language", "English"], "--language English is no language code"),
        (["--topic", "nothing"], "no topic named 'nothing'"),
    ],
)
def test_a_mistake_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    for name, body in {
        "empty.html": b"<p>the of",
        "bad.csv": b"address\nx\n",
        "none.warc.gz": b"",
        "latin.csv": b"text\ncaf\xe9\n",
    }.items():
        (tmp_path / name).write_bytes(body)
    given = [str(tmp_path / word[1:-1]) if word.startswith("{") else word for word in arguments]
    assert main(["suggest-terms", *given]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
