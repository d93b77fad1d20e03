"""The order FCrawl fetches in, through the real crawl loop, on graphs worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import TinyAssessor, TinyWeb, name, topic, url

from focuslab.crawling.frontier import Frontier
from focuslab.crawling.loop import crawl
from focuslab.strategies.breadth_first import BreadthFirst
from focuslab.strategies.genre_aware import POLICIES, GenreAware
from focuslab.types import Page, Response, Strategy, Topic, Visit
from focuslab.webs.guard import GuardedWeb

GRAPH = {"S": "P Q", "P": "a b c", "Q": "d e", "c": "x y"} | dict.fromkeys("abdexy", "")
F = {"S": 0.1, "P": 0.15, "Q": 0.12, "a": 0.8, "b": 0.9, "c": 0.7, "d": 0.05, "e": 0.1, "x": 0.1, "y": 0.1}


class Given(GenreAware):
    """FCrawl with the similarity of each page given by name."""

    def __init__(self, f: Mapping[str, float], **parameters: Any) -> None:
        super().__init__(**parameters)
        self.f = {key.lower(): value for key, value in f.items()}

    def similarity(self, page: Page) -> dict[str, float]:
        return {"f": self.f.get(name(page.url), 0.0)}


def order(links: Mapping[str, str], strategy: Strategy, seeds: str = "s", seed: int = 0, **rules: Any) -> str:
    web = TinyWeb({page.lower(): out.lower() for page, out in links.items()})
    visits = crawl(
        topic(seeds, keywords=("sql",)), web, strategy, TinyAssessor({}), seed=seed, frontier=rules
    )
    return " ".join(name(visit.page.url) for visit in visits)


def spaced(letters: str) -> str:
    return " ".join(letters.lower())


@pytest.mark.parametrize(
    ("tie", "policy", "expected"),
    [
        ("fifo", "plain", "SPQabcdexy"),
        ("fifo", "FS-1", "SPQabcdexy"),
        ("fifo", "FS-2", "SPQabcdexy"),
        ("fifo", "PS", "SPabcxyQde"),
        ("fifo", "PFS-2", "SPQabcxyde"),
        ("lifo", "plain", "SQedPcyxba"),
        ("lifo", "FS-2", "SQedPcbayx"),
        ("lifo", "FS-1", "SQPcbayxed"),
        ("lifo", "PS", "SQedPcyxba"),
    ],
)
def test_the_worked_graph(tie: str, policy: str, expected: str) -> None:
    assert order(GRAPH, Given(F, policy=policy), tie=tie) == spaced(expected)


def test_with_fifo_ties_breadth_first_is_the_same() -> None:
    assert order(GRAPH, BreadthFirst()) == order(GRAPH, Given(F), tie="fifo")


@pytest.mark.parametrize(
    ("policy", "f", "child", "sibling"),
    [
        ("FS-2", 0.2, 0.0, 0.0),
        ("FS-2", 0.21, 0.0, 0.21),
        ("FS-1", 0.2, 0.0, 0.2),
        ("PFS-2", 0.2, 0.0, 0.0),
        ("PFS-2", 0.21, 0.21, 0.21),
        ("PFS-1", 0.2, 0.2, 0.2),
        ("PS", 0.2, 0.2, 0.0),
    ],
)
def test_only_more_than_the_threshold_changes_scores(
    policy: str, f: float, child: float, sibling: float
) -> None:
    graph = {"s": "a b", "a": "c", "b": "", "c": ""}
    found = scores(graph, Given({"a": f, "b": 0.0}, policy=policy, change="max"), tie="fifo")
    assert (found["c"], found["b"]) == (child, sibling)


def test_overwriting_may_lower_and_max_never_does() -> None:
    graph = {"s": "p q", "p": "a b c", "q": "d e"} | dict.fromkeys("abcde", "")
    f = {"p": 0.5, "a": 0.1}
    # PFS-1: p gives q, a, b and c .5; then q gives d and e 0; a lowers b and c to .1.
    low = scores(graph, Given(f, policy="PFS-1", change="overwrite"), tie="fifo")
    high = scores(graph, Given(f, policy="PFS-1", change="max"), tie="fifo")
    assert (low["b"], low["c"]) == (0.1, 0.0)
    assert (high["b"], high["c"]) == (0.5, 0.5)


def scores(links: Mapping[str, str], strategy: Strategy, seeds: str = "s", **rules: Any) -> dict[str, float]:
    visits = crawl(
        topic(seeds, keywords=("sql",)), TinyWeb(links), strategy, TinyAssessor({}), frontier=rules
    )
    return {name(visit.page.url): visit.score for visit in visits}


def test_all_parents_have_siblings_too() -> None:
    graph = {"s": "p q", "p": "a", "q": "z y a x"} | dict.fromkeys("axyz", "")
    f = {"a": 0.9}
    assert scores(graph, Given(f, siblings="first_parent"), tie="fifo")["x"] == 0
    assert scores(graph, Given(f, siblings="all_parents"), tie="fifo")["x"] == 0.9


def test_a_child_that_waits_already_is_rescored() -> None:
    graph = {"s": "p q", "p": "z", "q": "z", "z": ""}
    f = {"s": 0.5, "p": 0.3, "q": 0.6}
    assert scores(graph, Given(f, policy="PS"), tie="fifo")["z"] == 0.6
    assert scores(graph, Given(f | {"q": 0.2}, policy="PS"), tie="fifo")["z"] == 0.2
    assert scores(graph, Given(f | {"q": 0.2}, policy="PS", change="max"), tie="fifo")["z"] == 0.3


def test_siblings_count_whoever_found_them() -> None:
    graph = {"p": "z", "q": "y z", "z": "", "y": ""}
    assert scores(graph, Given({"y": 0.7}), seeds="q p", tie="fifo")["z"] == 0.7
    assert scores(graph, Given({"y": 0.7}), seeds="q p", tie="lifo")["z"] == 0.7


def test_a_seed_is_neither_rescored_nor_changes_others_as_a_sibling() -> None:
    graph = {"s": "t a b", "t": "", "a": "", "b": ""}
    found = scores(graph, Given({"s": 0.9, "t": 0.9}, policy="PFS-1"), seeds="s t", tie="fifo")
    assert found["t"] == float("inf")
    assert scores(graph, Given({"t": 0.9}), seeds="s t", tie="fifo") == {
        "s": float("inf"),
        "t": float("inf"),
        "a": 0,
        "b": 0,
    }


def test_depth_and_width_are_limited() -> None:
    chain = {f"n{i}": f"n{i + 1}" for i in range(12)}
    assert order(chain, Given({}), seeds="n0") == " ".join(f"n{i}" for i in range(8))
    assert order(chain, Given({}, depth=2), seeds="n0") == "n0 n1 n2"
    wide = {"s": " ".join(f"n{i}" for i in range(250))} | {f"n{i}": "" for i in range(250)}
    assert len(order(wide, Given({})).split()) == 201
    assert order(wide, Given({}, width=3), tie="fifo") == "s n0 n1 n2"


def test_ties_go_by_lot_and_the_lot_by_the_seed() -> None:
    wide = {"s": " ".join(f"n{i}" for i in range(30))} | {f"n{i}": "" for i in range(30)}
    assert order(wide, Given({}), seed=1) == order(wide, Given({}), seed=1)
    assert order(wide, Given({}), seed=1) != order(wide, Given({}), seed=2)


def test_fetched_pages_leave_every_list() -> None:
    strategy = Given(F, policy="PFS-1", siblings="all_parents")
    order(GRAPH | {"d": "a e s", "x": "c y"}, strategy)
    assert (strategy.scores_, strategy.parents_, strategy.waiting_on_) == ({}, {}, {})


def test_a_page_that_fails_or_redirects_disturbs_nothing() -> None:
    moved = Response(url("b"), 200, b"<a href='http://d.example/'>d</a>", "text/html")
    web = TinyWeb({"s": "a b c gone", "b": "", "c": "", "d": ""}, odd={"a": moved})
    visits = crawl(
        topic("s", keywords=("sql",)), web, Given({"b": 0.9}), TinyAssessor({}), frontier={"tie": "fifo"}
    )
    assert [(name(visit.page.url), visit.score) for visit in visits] == [
        ("s", float("inf")),
        ("b", 0),
        ("c", 0.9),
        ("d", 0),
    ]


def test_the_frontier_is_never_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """One page among many others changes its 199 siblings, and only these are touched."""
    touched: list[str] = []
    real = Frontier.rescore
    monkeypatch.setattr(Frontier, "rescore", lambda self, u, s: (touched.append(u), real(self, u, s))[1])
    hubs = {f"h{i}": " ".join(f"h{i}/{j}" for j in range(200)) for i in range(10)}
    first = {"s": " ".join(hubs)} | hubs | {f"h0/{j}": "" for j in range(200)}
    visits = crawl(
        topic("s", keywords=("sql",)),
        TinyWeb(first),
        Given({"h0/0": 0.9}),
        TinyAssessor({}),
        frontier={"tie": "fifo"},
    )
    for _ in range(12):
        last = next(visits)
    assert name(last.page.url) == "h0/0"
    assert touched == [url(f"h0/{j}") for j in range(1, 200)]


def test_the_terms_of_a_topic_guide_it() -> None:
    """Of two lists, the one whose first page is a syllabus on SQL is fetched to its end."""
    strategy = GenreAware()
    wanted = Topic("db", (url("s"),), genre_terms=("syllabus", "course"), content_terms=("sql",))
    web = TinyWeb(
        {"s": "p q", "p": "p/1 p/2 p/3", "q": "q/1 q/2 q/3"} | {f"{h}/{n}": "" for h in "pq" for n in "123"}
    )
    real = web.fetch

    def fetch(address: str) -> Response:
        body = b"<p>course syllabus: SQL</p>" if "p.example/" in address and address[-1].isdigit() else b""
        response = real(address)
        return Response(response.url, 200, response.body + body, "text/html")

    web.fetch = fetch  # type: ignore[method-assign]
    visits = list(crawl(wanted, web, strategy, TinyAssessor({}), frontier={"tie": "lifo"}))
    assert [name(v.page.url) for v in visits if v.score == 1.0] == ["p/2", "p/1"]
    last = visits[-1]
    assert set(last.terms) == {"g", "c", "f", "inherited f"}


def test_terms_explain_an_inherited_score() -> None:
    visits = crawl(
        topic("s", keywords=("sql",)),
        TinyWeb({"s": "a", "a": ""}),
        Given({"s": 0.4}, policy="PS"),
        TinyAssessor({}),
    )
    _, child = visits
    assert (child.score, child.terms) == (0.4, {"f": 0.4, "inherited f": 0.4})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"policy": "FS-3"}, "no policy named 'FS-3'; try plain, PS, FS-1"),
        ({"siblings": "none"}, "no siblings rule named 'none'; try first_parent"),
        ({"change": "min"}, "no change rule named 'min'; try overwrite, max"),
    ],
)
def test_bad_parameters_name_the_remedy(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        order(GRAPH, Given({}, **parameters))


def test_a_topic_without_terms_is_refused() -> None:
    with pytest.raises(ValueError, match="'tiny' has no terms"):
        crawl(topic("s"), TinyWeb(GRAPH), GenreAware(), TinyAssessor({}))


NODES = [f"n{i}" for i in range(12)]
graphs = st.fixed_dictionaries(
    {node: st.lists(st.sampled_from(NODES), max_size=5).map(" ".join) for node in NODES}
)
similarities = st.fixed_dictionaries({node: st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.9]) for node in NODES})
every_rule = st.fixed_dictionaries(
    {
        "policy": st.sampled_from(sorted(POLICIES)),
        "siblings": st.sampled_from(["first_parent", "all_parents"]),
        "change": st.sampled_from(["overwrite", "max"]),
    }
)


@settings(max_examples=60, deadline=None)
@given(graphs, similarities, st.sampled_from(["FS-1", "FS-2"]), st.sampled_from(["n0", "n0 n5"]))
def test_fifo_ties_and_one_parent_make_it_breadth_first(
    links: dict[str, str], f: dict[str, float], policy: str, seeds: str
) -> None:
    strategy = Given(f, policy=policy, depth=99)
    assert order(links, strategy, seeds, tie="fifo") == order(links, BreadthFirst(), seeds)


@settings(max_examples=60, deadline=None)
@given(graphs, similarities, every_rule, st.sampled_from(["fifo", "lifo", "random"]))
def test_it_agrees_with_the_algorithm_as_printed(
    links: dict[str, str], f: dict[str, float], rules: dict[str, str], tie: str
) -> None:
    """Scores at the pop, against a crawl that searches its whole frontier each time."""
    strategy = Given(f, depth=99, **rules)
    visits = list(
        crawl(
            topic("n0", keywords=("sql",)), TinyWeb(links), strategy, TinyAssessor({}), frontier={"tie": tie}
        )
    )
    assert [visit.score for visit in visits] == as_printed(links, f, rules, visits)


def as_printed(
    links: dict[str, str], f: dict[str, float], rules: dict[str, str], visits: list[Visit]
) -> list[float]:
    """FCrawl step by step; ties are settled by following the visits, whose scores are checked."""
    rule = POLICIES[rules["policy"]]
    waiting = {"n0": float("inf")}
    parents: dict[str, list[str]] = {}
    popped, best = [], []
    for visit in visits:
        u = name(visit.page.url)
        best.append(max(waiting.values()))
        popped.append(waiting.pop(u))
        out = [v for v in dict.fromkeys(links[u].split()) if v != u]
        fires = f[u] > 0.2 or not rule.threshold
        sources = parents.get(u, []) if rules["siblings"] == "all_parents" else parents.get(u, [])[:1]
        near = [v for p in sources for v in links[p].split()] if rule.siblings else []
        for v in [*near, *(out if rule.children else [])] if fires else []:
            if v in waiting:
                waiting[v] = max(waiting[v], f[u]) if rules["change"] == "max" else f[u]
        fetched = {name(other.page.url) for other in visits[: len(popped)]}
        for v in out:
            parents.setdefault(v, []).append(u) if v != "n0" else None
            if v not in waiting and v not in fetched:
                waiting[v] = f[u] if fires and rule.children else 0.0
    assert popped == best
    return popped


def test_a_second_crawl_starts_afresh() -> None:
    strategy = Given(F, policy="PFS-2", siblings="all_parents")
    assert not [field for field in vars(strategy) if field.endswith("_")]
    assert order(GRAPH, strategy, seed=3) == order(GRAPH, strategy, seed=3)


def test_it_needs_no_more_than_the_fetched_pages() -> None:
    guarded = GuardedWeb(TinyWeb({page.lower(): out.lower() for page, out in GRAPH.items()}))  # type: ignore[arg-type]
    wanted = topic("s", keywords=("sql",))
    visits = crawl(wanted, guarded, guarded.watch(GenreAware()), TinyAssessor({}))
    assert len(list(visits)) == len(GRAPH)
