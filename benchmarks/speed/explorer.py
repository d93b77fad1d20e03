"""How smooth the explorer is: frames a second while it plays on webs of 1,000 and 10,000 pages, and how long
the weight lab takes on the paper's 42,447 pages: in Python alone, and from a move of the slider in JupyterLab
to the new picture on the screen. Needs Chromium; prints one JSON line for each.

    python benchmarks/speed/explorer.py
"""

from __future__ import annotations

import json
import shutil
import sys
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

MOVES = """async (panel, moves) => {
  const slider = panel.querySelector("[aria-label^='w_R']"), told = panel.querySelector(".fl-told");
  const soon = done => requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  const times = [];
  for (let move = 0; move < moves; move++) {
    slider.value = 0.04 + 0.9 * move / moves;
    const answered = new Promise(done => {
      const watch = new MutationObserver(() => { watch.disconnect(); done(performance.now()); });
      watch.observe(told, {childList: true, characterData: true, subtree: true});
    });
    const began = performance.now();
    slider.dispatchEvent(new Event("input"));
    const heard = await answered;
    times.push([heard - began, await new Promise(soon) - began]);
    await new Promise(done => setTimeout(done, 50));
  }
  return times;
}"""
"""Move the slider again and again: milliseconds until the answer is drawn, and until it is on the screen."""
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


def moves(count: int = 25) -> None:
    """Milliseconds from a move of the slider in JupyterLab to the picture, both rules of rediscovery."""
    from playwright.sync_api import sync_playwright

    here = Path(__file__).parent
    sys.path.insert(0, str(here.parents[1] / "tests"))
    from living_lab import PATIENCE, living_lab, run_all

    cell = f"import sys\nsys.path.insert(0, {str(here)!r})\nfrom explorer import paper_graph, weight_lab\n"
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1920, "height": 1080})
        with living_lab(Path(folder), [cell + "weight_lab(paper_graph())"]) as server:
            run_all(tab, server)
            panel = tab.wait_for_selector(".fl-weights", timeout=PATIENCE)
            for rule in ("first", "max"):
                tab.get_by_label("Rediscovery").select_option(rule)
                tab.wait_for_timeout(5_000)  # the sweep over all weights of this rule is drawn
                print(json.dumps({"rediscovery": rule, **_told(panel.evaluate(MOVES, count))}), flush=True)
        browser.close()


def _told(times: list[list[float]]) -> dict[str, float]:
    answered, painted = np.array(times).T
    return {
        "moves": len(times),
        "answer_ms_median": round(float(np.median(answered)), 1),
        "picture_ms_median": round(float(np.median(painted)), 1),
        "picture_ms_worst": round(float(painted.max()), 1),
    }


if __name__ == "__main__":
    answers()
    if CHROMIUM is None:
        print(json.dumps({"skipped": "no Chromium here"}))
    else:
        moves()
        smooth()
