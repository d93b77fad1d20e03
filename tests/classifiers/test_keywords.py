"""Keywords that judge: stems, phrases, menus, rarity, examples alone, and what is learned on the way."""

from __future__ import annotations

import japanese
import numpy as np
import pytest

from focuslab.classifiers.keywords import TEACHERS, KeywordJudge
from focuslab.types import Page, Topic

SKY = Topic("sky", keywords=("planets", "star", "solar system", "telescope"))


def page(text: str, number: int = 0, language: str = "en") -> Page:
    return Page(f"http://h{number}.example/", text=text, language=language)


def judged(text: str, topic: Topic = SKY, **more: object) -> bool:
    return KeywordJudge(topic, **more).assess(page(text)).relevant  # type: ignore[arg-type]


def test_stems_count_and_phrases_must_follow_each_other() -> None:
    filler = "the of and " * 20
    assert judged(f"a planet and stars in the solar systems {filler}")
    counts, _ = KeywordJudge(SKY)._counts("solar panels of a system; a solar system", "en")
    assert counts.tolist() == [0, 0, 1, 0]


def test_one_word_again_and_again_is_a_topic_and_once_in_a_long_page_is_not() -> None:
    assert judged("planet " * 200)
    assert not judged("planet star telescope " + "flour butter oven recipe " * 300)


def test_a_menu_on_every_page_of_a_host_counts_for_nothing() -> None:
    judge = KeywordJudge(SKY)
    menu = "planets star telescope solar system "
    cooking = [Page("http://h.example/", text=f"{menu} soup {n} " + "boil fry " * 30) for n in range(6)]
    scores = [judge.assess(one).relevance for one in cooking]
    assert scores[-1] < 0.1 < scores[0]


def test_japanese_keywords() -> None:
    topic = Topic("宇宙", keywords=("惑星", "望遠鏡", "太陽系"), language="ja")
    assert judged_ja(topic, "惑星と望遠鏡で太陽系の惑星を見る。")
    assert not judged_ja(topic, "野菜を鍋に入れて太陽の下で食べる。" * 5)


def judged_ja(topic: Topic, text: str) -> bool:
    return KeywordJudge(topic).assess(page(text, language="ja")).relevant


def test_pages_in_japanese_are_told_apart_by_ten_keywords() -> None:
    """The goal is precision .7 at recall .5; the pages come by once, and nobody says which are which."""
    judge = KeywordJudge(Topic("天文", keywords=japanese.KEYWORDS, language="ja"))
    order = np.random.default_rng(0).permutation(len(japanese.pages()))
    mixed = [japanese.pages()[place] for place in order]
    told = [judge.assess(page).relevant for page, _ in mixed]
    truth = [about for _, about in mixed]
    hits = sum(np.logical_and(told, truth))
    assert hits / sum(told) >= 0.7
    assert hits / sum(truth) >= 0.5
    assert judge.drift, "it learned on the way"


def test_another_language_than_the_topics_is_not_relevant() -> None:
    topic = Topic("sky", keywords=("star",), language="en")
    assert not KeywordJudge(topic).assess(page("star " * 9, language="de")).relevant


def test_it_learns_words_that_nobody_gave_and_says_so() -> None:
    judge = KeywordJudge(SKY)
    for number in range(2 * TEACHERS):
        judge.assess(page(f"planet star telescope nebula quasar {number} " * 5, number))
        judge.assess(page(f"butter oven flour {number} " * 9, number + 100))
    assert judge.drift
    assert judge.drift[0].teachers >= (TEACHERS, TEACHERS)
    assert judge.score_text("a nebula and a quasar") > KeywordJudge(SKY).score_text("a nebula and a quasar")


def test_examples_alone_say_what_is_wanted() -> None:
    examples = [page(f"planet orbit comet asteroid {number} " * 9, number) for number in range(6)]
    judge = KeywordJudge(Topic("x"), examples=examples)
    assert judge.assess(page("a comet and a planet in its orbit, an asteroid " * 5, 50)).relevant
    assert not judge.assess(page("butter and flour in the oven " * 5, 51)).relevant


def test_scores_are_graded_and_a_threshold_is_kept() -> None:
    judge = KeywordJudge(SKY, learn=False)
    few = judge.assess(page("star " + "flour " * 99)).relevance
    more = judge.assess(page("star planet telescope " + "flour " * 99)).relevance
    assert 0 < few < more < 1
    assert not judged("star planet telescope " + "flour " * 60, threshold=9.0)


def test_without_terms_it_says_what_to_give() -> None:
    with pytest.raises(ValueError, match="has no terms to judge by; give keywords"):
        KeywordJudge(Topic("x"))
