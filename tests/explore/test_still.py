"""The still picture: its own size, its own colours, and other crawls are another picture."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from focuslab import WebGraph
from focuslab.explore import confusion_lab, explore, weight_lab
from focuslab.explore.explorer import Explorer
from focuslab.explore.still import _conditions, _title, still_of


def colours(picture: bytes) -> set[tuple[int, int, int]]:
    return set(map(tuple, np.asarray(Image.open(BytesIO(picture)).convert("RGB")).reshape(-1, 3).tolist()))


def test_the_picture_is_drawn_in_the_colours_of_the_race(race: Explorer) -> None:
    found = colours(still_of(race.scene))
    for crawler in race.scene["crawlers"]:
        wanted = tuple(bytes.fromhex(crawler["color"].removeprefix("#")))
        assert min(sum(abs(a - b) for a, b in zip(each, wanted, strict=True)) for each in found) < 30


def test_the_same_race_is_the_same_picture_and_another_is_not(race: Explorer, web: Any) -> None:
    assert still_of(race.scene) == still_of(race.scene)
    assert still_of(race.scene) != explore(web, "baseball", budget=5).still()


def test_labs_have_a_picture_for_where_scripts_are_off(web: Any, race: Explorer) -> None:
    guide = race.recordings[0].assessor
    graph = WebGraph.crawl(web, web.topic("baseball").seeds, guide, truth=web.truth("baseball"))
    here, there = weight_lab(graph), weight_lab(graph, w_r=0.5)
    assert here.still() != there.still()
    matrices = [confusion_lab(web.examples("baseball", 80), what, folds=3) for what in ("relevance", "genre")]
    assert len({lab.still() for lab in matrices}) == 2
    for lab in (here, *matrices):
        assert f'alt="{lab.summary().splitlines()[0]}' in lab.to_html()
        width, height = Image.open(BytesIO(lab.still())).size
        assert width > height > 200


def test_above_stands_who_found_how_much_and_below_who_judged(race: Explorer, web: Any) -> None:
    title, below = _title(race.scene), _conditions(race.scene)
    assert f"of {len(web.truth(race.scene['topic'])):,}" in title
    for crawler in race.scene["crawlers"]:
        assert f"{crawler['name']} {crawler['hits'].count('1')}" in title
    assert "Judge: truth" in below
    assert f"{len(race.scene['crawlers'][0]['hits'])} pages" in below
