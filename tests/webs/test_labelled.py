"""What the labelled sets have in common: addresses, topics, examples and truth."""

from __future__ import annotations

import pytest

from focuslab.webs.webkb import WebKB
from focuslab.webs.wikischools import WikiSchools

# Wikipedia for Schools, tiny


def test_the_truth_knows_a_page_by_each_of_its_addresses(tiny_webkb: WebKB) -> None:
    truth = tiny_webkb.truth("faculty")
    assert truth("http://www.cs.cornell.edu/~ann/")
    assert truth("http://www.cs.cornell.edu/%7Eann/index.html")
    assert not truth("http://www.cs.cornell.edu/")
    assert len(truth) == 1


def test_an_unknown_topic_names_near_ones(tiny_wiki: WikiSchools) -> None:
    with pytest.raises(ValueError, match=r"no topic named 'films' in wikischools; try Art\.Films"):
        tiny_wiki.topic("films")


# Examples


def test_examples_are_a_function_of_the_seed(tiny_wiki: WikiSchools) -> None:
    assert tiny_wiki.examples("Art", 4, seed=1) == tiny_wiki.examples("Art", 4, seed=1)
    with pytest.raises(ValueError, match="count is 1; ask for at least 4"):
        tiny_wiki.examples("Art", 1)


def test_truth_can_leave_the_examples_out(tiny_wiki: WikiSchools) -> None:
    examples = tiny_wiki.examples("Art", 4)
    seen = {example.page.url for example in examples if example.relevant}
    assert seen
    assert tiny_wiki.truth("Art", without=examples).targets == tiny_wiki.truth("Art").targets - seen


# The real pages
