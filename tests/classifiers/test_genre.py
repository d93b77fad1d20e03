"""The genre classifier against scikit-learn's own forest, and on real pages."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from focuslab.classifiers.forest import Forest
from focuslab.classifiers.genre import GenreClassifier
from focuslab.classifiers.validation import Validation, splits
from focuslab.features.genre import FEATURES, GenreFeatures
from focuslab.types import GENRES, Page
from focuslab.webs.real_pages import genre_pages


def numbers(page: Page) -> np.ndarray:
    """Features that a test writes into the text of a page."""
    return np.array(page.text.split(), dtype=float)


def pages_of(vectors: np.ndarray) -> list[Page]:
    return [
        Page(f"http://h{row}.example/", text=" ".join(map(repr, vector)))
        for row, vector in enumerate(vectors.tolist())
    ]


def clusters(rng: np.random.Generator, rows: int = 40, noise: float = 1.0) -> tuple[list[Page], list[str]]:
    codes = rng.integers(0, len(GENRES), rows)
    return pages_of(codes[:, None] * 3 + noise * rng.normal(size=(rows, 4))), [GENRES[code] for code in codes]


@pytest.mark.parametrize("seed", range(5))
def test_the_walk_equals_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Few distinct values, so leaves are mixed and many values lie exactly on a threshold.
    x, y = rng.integers(0, 6, (300, 9)) / rng.choice([1.0, 3.0], 9), rng.integers(0, 5, 300)
    model = RandomForestClassifier(30, max_features=4, random_state=seed).fit(x, y)
    unseen = np.concatenate([rng.integers(-1, 8, (200, 9)) / 3, rng.random((200, 9)) * 1e7])
    walked = np.array([Forest.of(model, 5).probabilities(row) for row in unseen])
    np.testing.assert_allclose(walked, model.predict_proba(unseen), rtol=0, atol=1e-9)


def test_a_forest_of_stumps_that_never_split() -> None:
    model = RandomForestClassifier(3, random_state=0).fit(np.zeros((4, 2)), [1, 1, 1, 1])
    assert Forest.of(model, 3).probabilities(np.array([5.0, 5.0])).tolist() == [0.0, 1.0, 0.0]


def test_the_classifier_equals_scikit_learn_on_its_features() -> None:
    rng = np.random.default_rng(1)
    pages, labels = clusters(rng, 200, noise=2.0)
    mine = GenreClassifier(features=numbers, trees=20, seed=4).fit(pages, labels)
    theirs = RandomForestClassifier(20, max_features=4, random_state=4)
    theirs.fit([numbers(page) for page in pages], [GENRES.index(label) for label in labels])
    unseen, _ = clusters(rng, 50, noise=4.0)
    expected = theirs.predict_proba([numbers(page) for page in unseen])
    found = [mine.probabilities(page) for page in unseen]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_it_learns_what_can_be_learned() -> None:
    rng = np.random.default_rng(0)
    classifier = GenreClassifier(features=numbers).fit(*clusters(rng, 200, noise=0.1))
    pages, labels = clusters(rng, 50, noise=0.1)
    assert [classifier.predict(page)[0] for page in pages] == labels


def test_confidence_is_the_probability_of_the_predicted_genre() -> None:
    rng = np.random.default_rng(0)
    classifier = GenreClassifier(features=numbers).fit(*clusters(rng, 100, noise=3.0))
    for page in clusters(rng, 20, noise=3.0)[0]:
        genre, confidence = classifier.predict(page)
        probabilities = classifier.probabilities(page)
        assert probabilities.sum() == pytest.approx(1)
        assert confidence == probabilities.max() == probabilities[GENRES.index(genre)]


def test_of_equally_probable_genres_the_first_listed_wins() -> None:
    # Pages that are all alike make every leaf the same mixture; without bootstrap luck it is a tie.
    tie = Forest(
        roots=np.zeros(3, np.int32),
        feature=np.full(1, -1, np.int32),
        threshold=np.zeros(1),
        child=np.zeros((1, 2), np.int32),
        shares=np.array([[0.0, 1 / 3, 0.0, 1 / 3 + 1e-16, 1 / 3]]),
    )
    classifier = GenreClassifier(features=numbers)
    classifier.forest_ = tie
    assert classifier.predict(pages_of(np.zeros((1, 2)))[0])[0] == "Blog"


def test_genres_without_examples_get_nothing() -> None:
    pages, _ = clusters(np.random.default_rng(0), 20)
    classifier = GenreClassifier(features=numbers).fit(pages, ["Other", "Blog"] * 10)
    assert classifier.probabilities(pages[0])[[0, 2, 3]].tolist() == [0, 0, 0]


def test_other_genres_and_features_plug_in() -> None:
    pages = pages_of(np.arange(20.0)[:, None])
    labels = ["shop"] * 10 + ["forum"] * 10
    classifier = GenreClassifier(("forum", "shop"), numbers, max_features=4).fit(pages, labels)
    assert classifier.predict(pages[0]) == ("shop", 1.0)
    assert classifier.importances().tolist() == [1.0]


def test_importances_carry_the_names_of_the_features() -> None:
    pages = [Page(f"http://h{n}.example/", images=n) for n in range(20)]
    classifier = GenreClassifier(features=GenreFeatures("host")).fit(pages, ["News"] * 10 + ["Image"] * 10)
    importances = classifier.importances()
    assert tuple(importances.index) == FEATURES
    assert importances["img_tags"] == importances.sum() == 1.0


def test_seeds_decide() -> None:
    pages, labels = clusters(np.random.default_rng(0), 60, noise=4.0)
    first, same, other = (
        GenreClassifier(features=numbers, seed=seed).fit(pages, labels) for seed in (0, 0, 1)
    )
    unseen, _ = clusters(np.random.default_rng(1), 20, noise=4.0)
    told = [[c.probabilities(page).tolist() for page in unseen] for c in (first, same, other)]
    assert told[0] == told[1] != told[2]


def test_it_survives_pickling() -> None:
    pages, labels = clusters(np.random.default_rng(0))
    classifier = GenreClassifier(features=numbers, trees=5).fit(pages, labels)
    copy = pickle.loads(pickle.dumps(classifier))
    assert copy.predict(pages[0]) == classifier.predict(pages[0])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["News", "Forum"], "no genre named 'Forum'; genres here are News, Blog, Image, Video, Other"),
        (["News"], "2 pages and 1 genre labels"),
    ],
)
def test_wrong_labels_are_refused(labels: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GenreClassifier().fit([Page("http://a.example/"), Page("http://b.example/")], labels)


def test_features_that_are_no_numbers_are_refused() -> None:
    pages = pages_of(np.array([[1.0], [np.nan]]))
    with pytest.raises(ValueError, match=r"features of http://h1\.example/ are not all finite"):
        GenreClassifier(features=numbers).fit(pages, ["News", "Blog"])


def test_folds_never_split_a_host() -> None:
    # Hosts say the genre and pages of a host are alike: plain folds look perfect, folds by host hopeless.
    rng = np.random.default_rng(0)
    places = rng.permutation(20).repeat(5)
    labels = [GENRES[int(place * 7 % 3)] for place in places]
    pages = [Page(f"http://h{place}.example/{n}", images=int(place)) for n, place in enumerate(places)]
    plain = GenreClassifier(trees=10).cross_validate(pages, labels, groups=range(100))
    by_host = GenreClassifier(trees=10).cross_validate(pages, labels)
    assert plain.accuracy > 0.95
    assert by_host.accuracy < 0.6


def test_splits_by_group_keep_groups_whole() -> None:
    groups = [f"h{n % 17}" for n in range(100)]
    for train, test in splits(np.arange(100) % 3, 5, 0, groups):
        assert not {groups[row] for row in train} & {groups[row] for row in test}


def test_too_few_groups_for_the_folds() -> None:
    with pytest.raises(ValueError, match="cannot make 5 folds of 2 groups of pages; use 2 to 2 folds"):
        GenreClassifier().cross_validate(
            [Page("http://a.example/"), Page("http://b.example/")], ["News", "Blog"]
        )


def test_cross_validation_leaves_the_classifier_alone() -> None:
    pages, labels = clusters(np.random.default_rng(0))
    classifier = GenreClassifier(features=numbers, trees=5)
    first = classifier.cross_validate(pages, labels)
    assert not hasattr(classifier, "forest_")
    assert classifier.cross_validate(pages, labels) == first
    assert np.sum(first.confusion) == len(pages)


def test_a_validation_adds_up() -> None:
    folds = [(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])), (np.array([0, 1]), np.array([0, 1]))]
    found = Validation.of(("a", "b", "never"), folds)
    assert found.accuracies == (0.75, 1.0)
    assert found.accuracy == 0.875
    assert found.confusion == ((2, 1, 0), (0, 3, 0), (0, 0, 0))
    frame = found.to_frame()
    assert frame["precision"].tolist()[:2] == [1.0, 0.75]
    assert frame["recall"].tolist()[:2] == pytest.approx([2 / 3, 1.0])
    assert found.macro_f1 == pytest.approx((4 / 5 + 6 / 7) / 2)
    assert str(found).startswith("accuracy 0.875 ± 0.125 (2 folds), macro F1 0.829")


def test_real_pages_by_host(data: Path) -> None:
    """Labels by one person who saw digests; most pages came through filters (see the archive's README)."""
    pages, rows = genre_pages(data)
    assert len(pages) == 638
    found = GenreClassifier().cross_validate(pages, [row["genre"] for row in rows], folds=5)
    assert 0.64 < found.accuracy < 0.78
    assert 0.52 < found.macro_f1 < 0.72
