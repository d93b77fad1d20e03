"""How smooth the explorer is: frames a second while it plays on webs of 1,000 and 10,000 pages, and how fast
the weight lab answers on the paper's 42,447 pages. Needs Chromium; prints one JSON line for each.

    python benchmarks/speed/explorer.py
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from focuslab import WebGraph, webs
from focuslab.explore import explore, weight_lab

FRAMES = """() => new Promise(resolve => {
  const times = [];
  const frame = now => {
    times.push(now);
    if (times.length < 200) requestAnimationFrame(frame); else resolve(times);
  };
  document.querySelector("[aria-label=Speed]").value = 7;
  document.querySelector("[aria-label=Speed]").dispatchEvent(new Event("change"));
  document.querySelector("[aria-label=Play]").click();
  requestAnimationFrame(frame);
})"""

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAPER = 42_447


def frames(pages: int, racers: int, tab: Any) -> dict[str, Any]:
    """Play at full speed; the middle frame rate and the slow ones, as the browser says."""
    names = ["best_first", "genre_enhanced", "breadth_first"][:racers]
    seen = explore(webs.synthetic(pages=pages), "baseball", names, budget=min(pages, 1_000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "race.html"
        seen.save(path)
        tab.goto(path.as_uri())
        tab.wait_for_selector(".fl-explorer")
        gaps = np.diff(tab.evaluate(FRAMES))
        size = path.stat().st_size
    rates = {"fps_median": round(1_000 / float(np.median(gaps)), 1)}
    rates["fps_worst_5_percent"] = round(1_000 / float(np.quantile(gaps, 0.95)), 1)
    return {"pages": pages, "maps": racers, **rates, "file_bytes": size}


def smooth() -> None:
    """Frames a second at two sizes, one map and three."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        print(json.dumps({"skipped": "no Chromium here"}))
        return
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        for pages in (1_000, 10_000):
            for racers in (1, 3):
                print(json.dumps(frames(pages, racers, tab)), flush=True)
        browser.close()


def paper_graph(seed: int = 7) -> WebGraph:
    """The built-in web at the paper's size as arrays, with a guide that errs on one page in ten."""
    web, rng = webs.synthetic(pages=PAPER, seed=seed), np.random.default_rng(seed)
    truth = web.relevant("baseball")
    relevant = truth ^ (rng.random(PAPER) < 0.1)
    seeds = rng.choice(np.flatnonzero(truth & web.core), 82, replace=False)
    sources = np.repeat(np.arange(PAPER), np.diff(web.indptr))
    graded = np.round(np.where(relevant, rng.beta(8, 1, PAPER), rng.beta(1, 8, PAPER)), 2)
    more = {"relevant": relevant, "genre": web.genre, "confidence": np.round(rng.beta(5, 2, PAPER), 2)}
    return WebGraph.from_edges(sources, web.indices, graded, truth=truth, seeds=seeds, urls=web.urls, **more)


def answers() -> None:
    """Milliseconds of wall and of processor for one move of the slider, both rules of rediscovery."""
    graph = paper_graph()
    lab = weight_lab(graph)
    for rule in ("first", "max"):
        lab.crawl("web", 0.5, "truth", rule)  # compiled, and the base line known
        walls, works = [], []
        for weight in np.linspace(0.05, 0.95, 15):
            wall, work = time.perf_counter(), time.process_time()
            lab.crawl("web", float(weight), "truth", rule)
            walls.append(1_000 * (time.perf_counter() - wall))
            works.append(1_000 * (time.process_time() - work))
        told = {"wall_ms_median": round(float(np.median(walls)), 1), "wall_ms_best": round(min(walls), 1)}
        told["cpu_ms_median"] = round(float(np.median(works)), 1)
        print(
            json.dumps({"pages": len(graph), "links": graph.links, "rediscovery": rule, **told}), flush=True
        )


if __name__ == "__main__":
    answers()
    smooth()
