"""What a list of labels teaches, and what could not be fetched is counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_subjects import Little, little

from focuslab import webs
from focuslab.classifiers.assessor import Classifiers
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.classifiers.training.from_labels import teach
from focuslab.classifiers.training.labels import Labelling


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
