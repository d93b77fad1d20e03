"""De Assis, Laender, Gonçalves and da Silva: A genre-aware approach to focused crawling.

On a built-in web with lists, topics as rare as published, from portals that are not relevant.
"""

from __future__ import annotations

from typing import Any

from focuslab.experiments.reproduce import _deassis_best as best
from focuslab.experiments.reproduce import _deassis_f1 as f1
from focuslab.experiments.reproduce import _deassis_queue as queue
from focuslab.experiments.reproduce import _deassis_terms as terms
from focuslab.experiments.reproduce._deassis_ground import TOPICS, web_of
from focuslab.experiments.reproduce.experiment import Experiment, Part, Scale, Untested

RULES = (
    "English pages of a web with lists, topics as rare as published; portals as seeds (5, or 10 for jobs and "
    "sales), counted; depth 7, 200 links a page; ties by lot"
)


def _topics(scale: Scale) -> list[Part]:
    return [{"topic": topic} for topic in TOPICS]


def _webs(scale: Scale) -> list[Part]:
    return [web_of(scale)]


def _both_webs(scale: Scale) -> list[Part]:
    return [web_of(scale, language) for language in ("en", "ja")]


def _experiment(
    name: str, shows: str, run: Any, finding: Any, parts: Any = _topics, webs: Any = _webs
) -> Experiment:
    return Experiment(f"deassis/{name}", shows, "truth", RULES, "09_genre_aware", parts, run, finding, webs)


EXPERIMENTS = (
    _experiment(
        "figures_4_5",
        "Figures 4 and 5: F1 against the similarity threshold",
        f1.f1_by_threshold,
        f1.f1_finding,
        f1.f1_parts,
    ),
    _experiment("table_3", "Table 3: F1 of the crawler guided by an SVM", f1.machines, f1.machines_finding),
    _experiment(
        "table_4", "Table 4: F1 without separating genre and content", f1.one_set, f1.one_set_finding
    ),
    _experiment(
        "figures_6_9",
        "Figures 6 to 9, Table 5: relevant against visited pages",
        queue.progresses,
        queue.progress_finding,
    ),
    _experiment(
        "figure_10",
        "Figure 10: queue policies, here on all topics",
        queue.policies,
        queue.policies_finding,
    ),
    _experiment(
        "lists",
        "Section 3.2: whether lists are what siblings live on",
        queue.lists_or_none,
        queue.lists_finding,
        queue.lists_parts,
        queue.lists_webs,
    ),
    _experiment(
        "seed_hosts",
        "Section 4.2: crawls limited to the seeds' hosts",
        queue.seed_hosts,
        queue.seed_hosts_finding,
    ),
    _experiment(
        "table_6", "Table 6, Figure 11: the 65 pages of highest similarity", best.top_pages, best.top_finding
    ),
    _experiment("tables_7_8", "Tables 7 and 8: F1 with fewer terms", terms.fewer, terms.fewer_finding),
    _experiment(
        "tables_9_13",
        "Tables 9 to 13: lists of other people, P@20 after 10,000 pages",
        best.users,
        best.users_finding,
    ),
    _experiment(
        "tables_15_16",
        "Tables 15 and 16: F1 with generated terms",
        terms.generated,
        terms.generated_finding,
    ),
)

UNTESTED = (
    Untested(
        "Tables 9 and 10: what users' terms share with the expert's, before and after a round of feedback",
        "38.6 % and 44.3 % on average",
        "It asks what people choose; the lists of our Tables 11 to 13 are drawn with that overlap.",
    ),
    Untested(
        "Section 4.1.3: the weights 5:5 and 7:3, depth 7, width 200, found by experiment",
        "good results with these",
        "The paper has no figures for others; here they are given.",
    ),
    Untested(
        "Section 4.3: hours that the crawls took",
        "3 to 4 hours, with the SVM 3 to 4 days and 4 hours of training",
        "Another machine, and a live web.",
    ),
)
