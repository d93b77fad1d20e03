"""From a list of labelled addresses to classifiers, with a report that says what to fix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from focuslab import webs
from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.classifiers.training.from_labels import teach
from focuslab.classifiers.training.label_review import review
from focuslab.classifiers.training.labels import Labelling, read_labels
from focuslab.classifiers.training.model_file import load_model
from focuslab.classifiers.validation import Validation
from focuslab.cli import main
from focuslab.pages.near_duplicates import near_duplicates
from focuslab.pages.parse import parse
from focuslab.types import Page, Response
from focuslab.webs.server import serve

CHESS = ["knight", "bishop", "rook", "pawn", "queen", "castle", "check", "mate", "gambit", "endgame"]
GARDEN = ["rose", "tulip", "soil", "rake", "water", "seed", "prune", "hedge", "lawn", "compost"]


def text(words: Sequence[str], seed: int, length: int = 60) -> str:
    return " ".join(np.random.default_rng(seed).choice(words, length))


class Little:
    """A web of two subjects that are easy to tell apart."""

    def __init__(self, pages: dict[str, str]) -> None:
        self.pages = pages

    def fetch(self, url: str) -> Response:
        body = self.pages.get(url)
        return Response(url, 404) if body is None else Response(url, 200, body.encode(), "text/html")


def little(count: int = 40, host: Callable[[int], str] = lambda i: f"h{i}.example") -> tuple[Little, list]:
    pages, rows = {}, []
    for i in range(count):
        url = f"http://{host(i)}/{i}"
        pages[url] = f"<p>{text(CHESS if i % 2 else GARDEN, i)}"
        rows.append(Labelling(url, "chess" if i % 2 else "garden"))
    return Little(pages), rows


# The list


def test_a_list_is_read_in_its_order(tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    file.write_text(
        "label, note, url, genre\nchess,x,HTTP://A.example:80/#top,Blog\n\nother,,http://b.example/,\n"
        "chess,again,http://a.example/,Blog\n",
        encoding="utf-8-sig",
    )
    assert read_labels(file) == [
        Labelling("http://a.example/", "chess", "Blog"),
        Labelling("http://b.example/", "other"),
    ]


@pytest.mark.parametrize(
    ("content", "mistake"),
    [
        ("", r"has no column 'url'; its first line must be url,label"),
        ("url\nhttp://a.example/", r"has no column 'label'"),
        ("url,label\n", r"holds no labelled pages"),
        ("url,label\nnot a page,x", r"line 2 of .*: 'not a page' is no http or https address"),
        ("url,label\nhttp://a.example/,", r"line 2 of .*: http://a\.example/ has no label"),
        ("url,label,genre\nhttp://a.example/,x,Poem", r"no genre named 'Poem'; try News, Blog"),
        ("url,label\nhttp://a.example/,x\nhttp://a.example/,y", r"labels http://a.example/ both 'x' and 'y'"),
    ],
)
def test_mistakes_in_a_list_name_the_line(tmp_path: Path, content: str, mistake: str) -> None:
    file = tmp_path / "pages.csv"
    file.write_text(content)
    with pytest.raises(ValueError, match=mistake):
        read_labels(file)


def test_another_charset_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    file.write_bytes("url,label\nhttp://a.example/,café".encode("latin-1"))
    with pytest.raises(ValueError, match="is not UTF-8"):
        read_labels(file)


# What is learned


def test_a_list_teaches_a_relevance_classifier() -> None:
    web, rows = little()
    lesson = teach(rows, web, "chess", folds=5)
    assert isinstance(lesson.model, Classifiers)
    assert lesson.model.score_text("knight takes rook") > 0.5 > lesson.model.score_text("water the lawn")
    assert [found.title for found in lesson.reviews] == ["relevance"]
    assert lesson.reviews[0].validation.accuracy == 1


def test_genres_teach_a_genre_classifier() -> None:
    web = webs.synthetic(pages=600, seed=3)
    pages = [web.urls[page] for page in range(300)]
    rows = [
        Labelling(url, ("News", "Blog", "Image", "Video", "Other")[web.genre[i]])
        for i, url in enumerate(pages)
    ]
    lesson = teach(rows, web, folds=3)
    assert isinstance(lesson.model, GenreClassifier)
    assert lesson.reviews[0].validation.accuracy > lesson.reviews[0].common


def test_a_column_of_genres_teaches_both() -> None:
    web, rows = little(80)
    rows = [row._replace(genre="Blog" if i % 4 < 2 else "News") for i, row in enumerate(rows)]
    lesson = teach(rows, web, "chess", folds=4)
    assert isinstance(lesson.model, Classifiers)
    assert lesson.model.genre is not None
    assert [found.title for found in lesson.reviews] == ["relevance", "genre"]


def test_a_label_may_speak_for_itself_or_must_be_named() -> None:
    web, rows = little()
    with pytest.raises(
        ValueError, match=r"which label is the topic\? Say --relevant with one of 'garden', 'chess'"
    ):
        teach(rows, web)
    with pytest.raises(ValueError, match=r"no page is labelled 'go'\?"):
        teach(rows, web, "go")
    said = [row._replace(label="Yes" if row.label == "chess" else "no") for row in rows]
    assert teach(said, web, folds=4).reviews[0].validation.accuracy == 1


def test_what_cannot_be_fetched_is_counted() -> None:
    web, rows = little()
    lesson = teach([*rows, Labelling("http://gone.example/", "chess")], web, "chess", folds=4)
    assert lesson.failed == (("http://gone.example/", "status 404"),)
    assert str(lesson).startswith("40 pages; 1 more gave no page (status 404: 1)")
    with pytest.raises(ValueError, match=r"0 of 40 addresses gave a page, such as http://h0\.example/0"):
        teach(rows, Little({}), "chess")


# What to fix


def advice(pages: Sequence[Page], labels: Sequence[str], by_host: bool = False, folds: int = 5) -> str:
    def validate(folds: int, groups: Sequence[str] | None) -> Validation:
        truths = [label == "chess" for label in labels]
        return RelevanceClassifier().cross_validate(pages, truths, folds, groups=groups)

    return "\n".join(review("relevance", pages, labels, validate, folds, by_host).advice)


def examples(
    count: int, host: Callable[[int], str] = lambda i: f"h{i}.example"
) -> tuple[list[Page], list[str]]:
    web, rows = little(count, host)
    return [parse(web.fetch(row.url)) for row in rows], [row.label for row in rows]


def test_a_good_list_needs_no_advice() -> None:
    assert advice(*examples(80)) == ""


def test_too_few_examples() -> None:
    said = advice(*examples(40))
    assert "only 20 pages are labelled 'chess'; label 30 or more" in said
    with pytest.raises(ValueError, match="all 3 pages are labelled 'chess'; add pages of another label"):
        advice(examples(3)[0], ["chess"] * 3)


def test_near_duplicates_across_folds() -> None:
    pages, labels = examples(80)
    copy = Page("http://mirror.example/", text=pages[1].text + " and more")
    said = advice([*pages, copy], [*labels, "chess"])
    assert "1 pairs of pages are nearly the same and may stand in different folds" in said
    assert "http://h1.example/1 or http://mirror.example/" in said
    assert "labelled differently" not in said
    assert "labelled differently; decide" in advice([*pages, copy], [*labels, "garden"])


def test_pages_of_one_host_may_be_alike_where_hosts_stay_together() -> None:
    pages, labels = examples(80)
    copies = [Page(f"http://mirror.example/{i}", text=pages[1].text) for i in range(3)]
    alike = advice(copies + pages[2:], ["chess"] * 3 + labels[2:], by_host=True)
    assert "nearly the same" not in alike


def test_one_host_dominates() -> None:
    pages, labels = examples(80, lambda i: f"h{i}.example" if i % 2 == 0 or i > 60 else "chess.example")
    said = advice(pages, labels)
    assert (
        "chess.example has 30 of the 40 pages labelled 'chess'; add pages of other hosts, and fold by" in said
    )
    assert "labelled 'garden'" not in said


def test_learning_hosts_by_heart_is_noticed() -> None:
    """Each host has words of its own and one label; on a new host there is nothing to go by."""
    pages = [
        Page(f"http://h{i % 8}.example/{i}", text=text([f"w{i % 8}x{n}" for n in range(9)], i))
        for i in range(80)
    ]
    labels = ["chess" if i % 8 < 4 else "garden" for i in range(80)]
    assert "it learns hosts; add more of them, and believe the lower number" in advice(pages, labels)


def test_confused_labels_and_useless_ones() -> None:
    pages = [Page(f"http://h{i}.example/", text=text(CHESS, i)) for i in range(80)]
    labels = ["chess" if i % 2 else "garden" for i in range(80)]
    said = advice(pages, labels)
    assert "are taken for" in said
    found = np.random.default_rng(0).permutation(labels).tolist()
    assert "no better than always saying the most common label" in advice(pages, found) + said


def test_near_duplicates_are_found_by_their_shingles() -> None:
    one, two = text(CHESS, 1, 200), text(GARDEN, 2, 200)
    pages = [
        Page("", text=one),
        Page("", text=two),
        Page("", text=one + " new words"),
        Page("", text="too short"),
    ]
    assert [(pair.first, pair.second) for pair in near_duplicates(pages)] == [(0, 2)]


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
        (["gone.csv"], "No such file"),
        (["pages.csv", "--out", "gone/model.npz"], "no folder gone to write model.npz into"),
        (["pages.csv", "--archive", "gone.warc"], "No such file"),
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


def test_words_of_japanese_pages_teach_too(data: Path) -> None:
    """Charsets and words: thirty Japanese pages, some in Shift_JIS and EUC-JP, told from German ones."""
    from focuslab.webs.real_pages import genre_pages

    pages, rows = genre_pages(data)
    chosen = [i for i, row in enumerate(rows) if row["language"] in ("ja", "de")]
    some = [pages[i] for i in chosen]
    japanese = [page for page, i in zip(some, chosen, strict=True) if rows[i]["language"] == "ja"]
    assert len(japanese) == 30
    assert sum(page.language == "ja" for page in japanese) >= 27
    assert sum("\ufffd" in page.text for page in japanese) <= 2
    truths = [rows[i]["language"] == "ja" for i in chosen]
    assert RelevanceClassifier().cross_validate(some, truths, folds=5).accuracy > 0.95
