"""From keywords, positives or labels: true hits by strategy, and how well keywords judge pages.

Run ``FOCUSLAB_DATA=<folder> python benchmarks/quality/cold_start.py --given keywords --budgets 300 1000``;
it prints one JSON line for each subject of Wikipedia for Schools and each strategy, and the means at the end.
``--judge`` measures the judge by keywords alone, which sees a stream of 300 pages of which a third are
relevant (or half of the subject) and is told nothing about them: precision and recall on that stream, and
on the whole collection (all its relevant pages and 1,500 others, weighted to the share of these).

The keywords were written down from the subjects' names, before any page was looked at. The threshold and the
other constants of `KeywordJudge` were set on the first half of the subjects; the others had no say.
"""

# ruff: noqa: E501 - a subject to a line
from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from focuslab import webs
from focuslab.classifiers.assessor import train_classifiers
from focuslab.classifiers.keywords import KeywordJudge
from focuslab.crawling.loop import crawl
from focuslab.experiments.trials import Library
from focuslab.strategies import make
from focuslab.types import Assessor, Example, Task, Topic
from focuslab.webs.wikischools import WikiSchools

TUNED = 15
SUBJECTS = """
Science.Physics.Space_Astronomy: planet, star, galaxy, telescope, orbit, moon, solar system, comet, asteroid, astronomer
Science.Biology.Birds: bird, beak, feathers, wings, nest, eggs, plumage, migration, flight, species of bird
Everyday_life.Films: film, movie, director, actor, box office, screenplay, cinema, Academy Award, sequel, starring
Mathematics: theorem, equation, number, geometry, algebra, proof, function, mathematician, integer, calculus
Design_and_Technology.Railway_transport: railway, train, locomotive, station, track, gauge, passengers, line, steam, carriages
Science.Chemistry.Chemical_elements: chemical element, atomic number, isotope, periodic table, metal, oxidation, electron, alloy, melting point, atomic mass
Music.Performers_and_composers: composer, symphony, singer, album, piano, opera, band, orchestra, concert, songs
Geography.Storms: hurricane, tropical storm, cyclone, wind, landfall, rainfall, damage, depression, storm surge, typhoon
Science.Biology.Dinosaurs: dinosaur, fossil, Jurassic, Cretaceous, theropod, skeleton, herbivore, carnivore, extinct, paleontologist
Science.Biology.Mammals: mammal, fur, species, predator, habitat, young, teeth, tail, herd, endangered
Science.Biology.Plants: plant, leaves, flower, seed, tree, fruit, genus, cultivated, stem, pollination
Science.Biology.Health_and_medicine: disease, patient, symptoms, treatment, infection, medicine, doctor, diagnosis, drug, surgery
Everyday_life.Food_and_agriculture: food, cooking, crop, fruit, vegetable, farming, recipe, flavour, meat, harvest
Everyday_life.Television: television, series, episode, broadcast, BBC, character, season, viewers, channel, programme
Everyday_life.Computer_and_Video_games: video game, player, Nintendo, console, gameplay, level, PlayStation, developer, multiplayer, graphics
IT: computer, software, internet, programming, operating system, data, hardware, website, processor, code
Language_and_literature.Languages: language, grammar, dialect, speakers, vowel, consonant, alphabet, verb, noun, pronunciation
Language_and_literature.Novels: novel, author, character, chapter, published, plot, fiction, story, narrator, protagonist
Business_Studies.Currency: currency, banknote, coin, dollar, euro, exchange rate, central bank, pound, inflation, denomination
Religion: religion, god, church, faith, prayer, worship, scripture, holy, believers, theology
History.World_War_II: World War II, Nazi, German army, Allied, Hitler, bombing, invasion, Soviet, soldiers, battle
People.USA_Presidents: president, United States, election, Congress, vice president, White House, term, Democratic, Republican, administration
Science.Chemistry.Chemical_compounds: compound, molecule, acid, reaction, solvent, formula, toxic, boiling point, synthesis, solution
Geography.Natural_Disasters: earthquake, volcano, eruption, disaster, flood, tsunami, damage, casualties, magnitude, relief
Design_and_Technology.Architecture: architecture, building, tower, cathedral, castle, architect, dome, construction, column, facade
Music.Musical_Instruments: instrument, strings, tuning, keyboard, wood, player, pitch, bow, brass, sound
People.Monarchs_of_Great_Britain: king, queen, throne, reign, England, coronation, heir, monarch, crown, Parliament
Science.Physics.General_Physics: energy, force, particle, mass, quantum, relativity, velocity, motion, physicist, wave
Everyday_life.Sports: sport, player, team, ball, league, match, game, rules, competition, score
Science.Physics.Space_transport: spacecraft, rocket, NASA, launch, orbit, astronaut, mission, satellite, space shuttle, crew
"""
OTHERS = 1_500
STRATEGIES = ("breadth_first", "best_first", "link_context", "adaptive")


def subjects() -> dict[str, tuple[str, ...]]:
    """Each subject and its ten keywords."""
    pairs = (line.split(": ", 1) for line in SUBJECTS.strip().splitlines())
    return {name: tuple(words.split(", ")) for name, words in pairs}


def judged(web: Library, name: str) -> Iterator[dict[str, Any]]:
    """Precision and recall of keywords alone, and of what they have learned from a stream."""
    rng, truth = np.random.default_rng(1), web.web.truth(name)
    urls = list(web.web.urls)
    yes = rng.permutation([url for url in urls if truth(url)]).tolist()
    no = rng.permutation([url for url in urls if not truth(url)]).tolist()
    half = min(100, len(yes) // 2)
    stream = rng.permutation(yes[:half] + no[:200]).tolist()
    for learn in (False, True):
        judge = KeywordJudge(Topic(name, keywords=subjects()[name]), learn=learn)
        for url in stream:
            judge.assess(web.page(url))
        judge.learn = False
        flagged = {url: judge.assess(web.page(url)).relevant for url in [*yes, *no[:OTHERS]]}
        row: dict[str, Any] = {"learn": learn}
        row |= _quality(flagged, yes[:half], no[:200], 1, "stream_")
        yield row | _quality(flagged, yes, no[:OTHERS], len(no) / OTHERS)


def _quality(
    flagged: dict[str, bool], yes: list[str], no: list[str], weight: float, prefix: str = ""
) -> dict[str, Any]:
    hits, false = sum(flagged[url] for url in yes), weight * sum(flagged[url] for url in no)
    precision, recall = hits / max(hits + false, 1e-9), hits / len(yes)
    goal = precision >= 0.7 and recall >= 0.5
    return {f"{prefix}precision": precision, f"{prefix}recall": recall, f"{prefix}goal": goal}


@cache
def sample(web: WikiSchools, name: str) -> list[Example]:
    """Pages of which examples are taken: none of them counts as a find, whatever was given."""
    return list(web.examples(name, 130))


def assessor(given: str, web: WikiSchools, name: str) -> tuple[Assessor, list[Example]]:
    """What a person gives: ten keywords, ten positives, or these and a hundred others."""
    if given == "keywords":
        return KeywordJudge(Topic(name, keywords=subjects()[name])), []
    examples = sample(web, name)
    yes = [example for example in examples if example.relevant][:10]
    if given == "positives":
        return KeywordJudge(Topic(name), examples=[example.page for example in yes]), []
    no = [example for example in examples if not example.relevant][:100]
    return train_classifiers([*yes, *no], preset="linear", genre=False), [*yes, *no]


def crawled(
    library: Library, name: str, given: str, strategy: str, budgets: list[int]
) -> Iterator[dict[str, Any]]:
    """True hits after so many pages, seeds and examples not counted."""
    web: Any = library.web
    judge, examples = assessor(given, web, name)
    topic = Topic(name, web.topic(name).seeds, subjects()[name] if given == "keywords" else ())
    known = {*topic.seeds, *(example.page.url for example in sample(web, name))}
    truth, hits, flagged, right = web.truth(name), 0, 0, 0
    task = Task(topic, judge, examples)
    visits = crawl(topic, library, make(strategy, task), judge, parse=library.parse)
    for visit in islice(visits, max(budgets)):
        true = truth(visit.page.url)
        hits += true and visit.page.url not in known
        flagged, right = flagged + visit.assessment.relevant, right + (true and visit.assessment.relevant)
        if visit.step in budgets:
            of = len(truth.targets - known)
            yield {"pages": visit.step, "hits": hits, "of": of, "precision": right / max(1, flagged)}


def means(rows: list[dict[str, Any]], by: list[str]) -> list[dict[str, Any]]:
    """Means over subjects."""
    found = pd.DataFrame(rows).groupby(by, sort=False)
    table = found.mean(numeric_only=True).round(3).assign(subjects=found.size())
    return table.reset_index().to_dict("records")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--given", choices=("keywords", "positives", "labels"), nargs="+", default=["keywords"]
    )
    options.add_argument("--budgets", type=int, nargs="+", default=[300, 1000])
    options.add_argument("--strategies", nargs="+", default=STRATEGIES)
    options.add_argument("--subjects", nargs="+", default=list(subjects()))
    options.add_argument("--every", type=int, default=1, help="only every so manieth of the subjects")
    options.add_argument("--judge", action="store_true")
    asked = options.parse_args()
    library, rows = Library(webs.wikischools()), []
    for name in asked.subjects[:: asked.every]:
        about = {"subject": name, "part": "tuned" if list(subjects()).index(name) < TUNED else "held"}
        for row in judged(library, name) if asked.judge else crawls(library, name, asked):
            rows.append(about | row)
            print(json.dumps(rows[-1]), flush=True)
    print(json.dumps(means(rows, ["learn", "part"] if asked.judge else ["given", "strategy", "pages"])))


def crawls(library: Library, name: str, asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """All crawls of a subject."""
    for given in asked.given:
        for strategy in asked.strategies:
            for found in crawled(library, name, given, strategy, asked.budgets):
                yield {"given": given, "strategy": strategy, **found}


if __name__ == "__main__":
    main()
