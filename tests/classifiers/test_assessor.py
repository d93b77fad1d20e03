"""Both classifiers behind the one face that the crawl knows."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from focuslab.classifiers.assessor import PER_GENRE, Classifiers, _up_to, train_classifiers
from focuslab.classifiers.relevance import RelevanceClassifier
from focuslab.types import GENRES, Assessment, Assessor, Example, Page, Topic


class Fixed:
    """Says what it was told to say."""

    def __init__(self, score: float) -> None:
        self.value = score

    def score(self, page: Page) -> float:
        return self.value

    def score_text(self, text: str, language: str = "") -> float:
        return len(language) / 10

    def predict(self, page: Page) -> tuple[str, float]:
        return "Blog", 0.25


def examples(count: int = 40, genres: tuple[str, ...] = GENRES, language: str = "en") -> list[Example]:
    """Games are relevant, stocks are not; genres differ by their number of images."""
    made = []
    for number in range(count):
        text = "game score pitcher" if number % 2 else "stock price market"
        place = number % len(genres)
        page = Page(f"http://h{number}.example/", text=text, images=10 * place, language=language)
        made.append(Example(page, bool(number % 2), genres[place]))
    return made


@pytest.mark.parametrize(("score", "relevant"), [(0.0, False), (0.5, False), (0.5000001, True), (1.0, True)])
def test_relevant_is_more_than_one_half(score: float, relevant: bool) -> None:
    found = Classifiers(Fixed(score), Fixed(0)).assess(Page("http://a.example/"))
    assert found == Assessment(score, relevant, "Blog", 0.25)


def test_without_a_genre_classifier_there_is_no_genre() -> None:
    assert Classifiers(Fixed(1)).assess(Page("http://a.example/")) == Assessment(1, True, "", 0.0)


def test_a_foreign_page_is_irrelevant_but_keeps_its_genre() -> None:
    classifiers = Classifiers(Fixed(1), Fixed(0), language="ja")
    assert classifiers.assess(Page("http://a.example/", language="en")) == Assessment(
        0.0, False, "Blog", 0.25
    )
    assert classifiers.assess(Page("http://a.example/")).relevant is False
    assert classifiers.assess(Page("http://a.example/", language="ja")).relevant is True


def test_text_is_read_in_its_own_language_or_else_the_wanted_one() -> None:
    classifiers = Classifiers(Fixed(1), language="ja")
    assert classifiers.score_text("x", "tha") == 0.3
    assert classifiers.score_text("x") == 0.2


def test_training_makes_an_assessor() -> None:
    classifiers = train_classifiers(examples())
    assert isinstance(classifiers, Assessor)
    page = Page("http://new.example/", text="the game and its score", images=20)
    found = classifiers.assess(page)
    assert found.relevant
    assert found.relevance == classifiers.relevance.score(page) > 0.9
    assert (found.genre, found.confidence > 0.8) == ("Image", True)
    assert classifiers.score_text("game") > 0.5 > classifiers.score_text("stock")


def test_the_language_of_the_topic_is_the_wanted_one() -> None:
    classifiers = train_classifiers(examples(), Topic("games", language="en"))
    assert classifiers.assess(Page("http://new.example/", text="game", language="de")).relevance == 0.0
    assert classifiers.assess(Page("http://new.example/", text="game", language="en")).relevant


def test_genres_may_be_switched_off_or_absent_or_brought_along() -> None:
    assert train_classifiers(examples(), genre=False).genre is None
    assert train_classifiers(examples(genres=("",))).genre is None
    assert train_classifiers(examples(genres=("Blog",))).genre is None
    brought = Fixed(0)
    assert train_classifiers(examples(genres=("",)), genre=brought).genre is brought


def test_unlabelled_pages_do_not_stop_the_others_from_teaching_genres() -> None:
    classifiers = train_classifiers(examples(genres=("News", "", "Video")))
    assert classifiers.assess(Page("http://new.example/", images=20)).genre == "Video"


def test_a_genre_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no genre named 'Others'; genres here are News, Blog"):
        train_classifiers(examples(genres=("News", "Others")))


def test_at_most_a_hundred_pages_of_each_genre() -> None:
    many = examples(700)
    chosen = _up_to(PER_GENRE, many, np.random.default_rng(0))
    assert [sum(e.genre == genre for e in chosen) for genre in GENRES] == [100] * 5
    assert len({e.page.url for e in chosen}) == 500
    assert len(_up_to(PER_GENRE, many[:20], np.random.default_rng(0))) == 20


def test_the_preset_is_passed_on() -> None:
    relevance = train_classifiers(examples(), preset="rungsawang_afsc").relevance
    assert isinstance(relevance, RelevanceClassifier)
    assert relevance.preset == "rungsawang_afsc"


def test_same_seed_same_classifiers() -> None:
    page = Page("http://new.example/", text="game price", images=15)
    assert train_classifiers(examples(), seed=3).assess(page) == train_classifiers(examples(), seed=3).assess(
        page
    )


def test_classifiers_survive_pickling() -> None:
    classifiers = train_classifiers(examples())
    page = examples()[0].page
    assert pickle.loads(pickle.dumps(classifiers)).assess(page) == classifiers.assess(page)


def test_no_examples_are_refused() -> None:
    with pytest.raises(ValueError, match="no pages to train on; give some"):
        train_classifiers([])
