"""Term vectors: cosine, Rocchio by hand, and a topic made of keywords and pages."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuslab.features.vectors import centroid_difference, cosine, required, task_vector, terms, topic_vector
from focuslab.types import Example, Page, Task, Topic

vectors = st.dictionaries(st.sampled_from("abcdef"), st.floats(0.1, 100), max_size=5)


@given(vectors, vectors)
def test_a_cosine_is_symmetric_and_a_share(x: dict[str, float], y: dict[str, float]) -> None:
    assert cosine(x, y) == cosine(y, x)
    assert 0 <= cosine(x, y) <= 1 + 1e-12
    assert cosine(x, x) == pytest.approx(1 if x else 0)


def test_stop_words_and_single_letters_are_left_out_but_not_in_other_scripts() -> None:
    assert terms("The cat x and the cat") == {"cat": 2}
    assert terms("der Hund und die Katze", "de") == {"hund": 1, "katze": 1}


def test_rocchio_by_hand() -> None:
    """Means of unit vectors: movie (1 + 0.6) / 2, star 0.8 / 2, and of the others star 1."""
    found = centroid_difference([{"movie": 2.0}, {"movie": 3.0, "star": 4.0}], [{"star": 5.0}])
    assert found == {"movie": 1.0}
    found = centroid_difference([{"movie": 2.0}, {"movie": 3.0, "star": 4.0}])
    assert found == pytest.approx({"movie": 1.0, "star": 0.4 / 0.8})
    assert len(centroid_difference([dict.fromkeys("abcdef", 1.0)], size=2)) == 2


def test_keywords_come_first_and_pages_add() -> None:
    examples = [
        Example(Page("http://a.example/", text="android phone phone"), True),
        Example(Page("http://b.example/", text="stock"), False),
    ]
    topic = Topic("phones", keywords=("mobile phone",))
    found = task_vector(Task(topic, None, examples))  # type: ignore[arg-type]
    assert found == pytest.approx({"mobile": 1.0, "phone": 1.0, "android": 0.5})
    assert topic_vector(topic.keywords) == {"mobile": 1.0, "phone": 1.0}
    assert math.isclose(cosine(found, {"android": 1.0}), 0.5 / 1.5)


def test_a_topic_without_words_cannot_be_compared() -> None:
    assert required({"a": 1.0}, Topic("x")) == {"a": 1.0}
    with pytest.raises(ValueError, match="topic 'x' has no keywords and no vector was given"):
        required(None, Topic("x"))
