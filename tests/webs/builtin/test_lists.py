"""Lists: items are reached by a list of their host, and hardly ever link to each other."""

from __future__ import annotations

import numpy as np
import pytest

from focuslab.pages.parse import parse
from focuslab.webs.builtin.lists import DIRECT
from focuslab.webs.builtin.structure import HOME, SECTION
from focuslab.webs.builtin.vocabulary import vocabulary
from focuslab.webs.synthetic import SyntheticWeb, synthetic


@pytest.fixture(scope="module")
def web() -> SyntheticWeb:
    return synthetic(3_000, lists=True)


def ends(web: SyntheticWeb) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(len(web)), np.diff(web.indptr)), web.indices


def test_every_item_is_on_a_list_of_its_host_with_others(web: SyntheticWeb) -> None:
    source, target = ends(web)
    item = web.pages.form >= 0
    on_list = item[target] & ~item[source] & (web.host[source] == web.host[target])
    on_list &= np.isin(web.pages.role[source], (HOME, SECTION))
    listed = np.zeros(len(web), bool)
    listed[target[on_list]] = True
    alone = item & ~listed
    assert (
        alone.sum() <= 0.05 * item.sum()
    )  # those of hosts too small for a list, and what was turned to be found
    siblings = np.bincount(source[on_list], minlength=len(web))
    assert np.median(siblings[siblings > 0]) >= 3


def test_items_hardly_link_to_items(web: SyntheticWeb) -> None:
    source, target = ends(web)
    item = web.pages.form >= 0
    assert item[target][item[source]].mean() < 0.01
    plain = synthetic(3_000)
    plain_source, plain_target = ends(plain)
    form = plain.pages.form >= 0
    assert form[plain_target][form[plain_source]].mean() > 10 * item[target][item[source]].mean()


def test_few_links_from_elsewhere_lead_straight_to_an_item(web: SyntheticWeb) -> None:
    source, target = ends(web)
    section = (
        web.pages.role[target] > HOME
    )  # a home page that is an item is a list too, where there is no other
    abroad = (web.host[source] != web.host[target]) & section
    item = web.pages.form >= 0
    assert 0 < item[target[abroad]].mean() < 3 * DIRECT * item.mean()


def test_no_host_is_about_a_topic_that_stands_in_lists(web: SyntheticWeb) -> None:
    formed = [number for number, subject in enumerate(vocabulary().subjects) if subject.form]
    assert not np.isin(web.pages.hosts.subject, formed).any()
    spread = [len(np.unique(web.host[web.pages.klass == number])) for number in formed]
    assert min(spread) >= 2


def test_the_links_of_a_list_are_on_its_page(web: SyntheticWeb) -> None:
    source, target = ends(web)
    lists = np.unique(source[web.pages.form[target] >= 0])[:40]
    for page in lists.tolist():
        found = sorted(web.number(link.url) for link in parse(web.fetch(web.url(page))).out)
        assert found == target[source == page].tolist()


def test_a_web_without_lists_is_the_one_it_was() -> None:
    """The option draws nothing where it is off: stored results stay."""
    assert (synthetic(400, 5).indices == synthetic(400, 5, lists=False, shares={}).indices).all()
    assert synthetic(400, 5).urls != synthetic(400, 5, lists=True).urls
