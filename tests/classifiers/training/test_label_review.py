"""What a review of labels advises, and that a good list needs no advice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from tiny_subjects import CHESS, little, text

from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.classifiers.training.label_review import review
from focuslab.classifiers.validation import Validation
from focuslab.pages.parse import parse
from focuslab.types import Page


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
