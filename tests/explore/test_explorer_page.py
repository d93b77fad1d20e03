"""The explorer as a plain page in a real browser: every control, and the numbers of the log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tiny import TinyAssessor, TinyWeb, topic, url

from focuslab.crawling.loop import crawl
from focuslab.experiments.metrics import hits_by
from focuslab.explore.explorer import Explorer, explore
from focuslab.strategies.best_first import BestFirst
from focuslab.types import Response


@pytest.fixture
def shown(race: Explorer, tab: Any, tmp_path: Path) -> Any:
    race.save(tmp_path / "race.html")
    tab.goto((tmp_path / "race.html").as_uri())
    tab.wait_for_selector(".fl-explorer")
    return tab


def step(tab: Any) -> int:
    return int(tab.locator(".fl-scrub").input_value())


def check(tab: Any, race: Explorer, at: int) -> None:
    """What is written at a step is what the logs and the queues say."""
    assert step(tab) == at
    for recording, said in zip(race.recordings, tab.locator(".fl-count").all_inner_texts(), strict=True):
        found = int(hits_by(recording.log, race.truth)[:at].sum())
        assert said == f"{found} relevant of {at}"
    queue = race.recordings[0].queues[at]
    rows = tab.locator(".fl-queue tbody tr")
    assert rows.count() == len(queue.best)
    scores = [text.strip(" =") for text in tab.locator(".fl-queue .fl-score").all_inner_texts()]
    assert scores == ["seed" if each.score == float("inf") else f"{each.score:.4f}" for each in queue.best]
    if queue.sharing > 1 and queue.best[0].score != float("inf"):
        assert f"{queue.sharing:,} links tie" in tab.locator(".fl-frontier .fl-told").inner_text()
    label = tab.locator(".fl-curve").nth(1).get_attribute("aria-label")
    share = hits_by(race.recordings[0].log, race.truth)[:at].sum() / len(race.truth)
    assert f"best_first {share:.2f}" in label


def test_step_scrub_and_jump(shown: Any, race: Explorer) -> None:
    check(shown, race, 0)
    shown.get_by_label("One page on").click()
    check(shown, race, 1)
    shown.locator(".fl-scrub").fill("37")
    check(shown, race, 37)
    shown.get_by_label("One page back").click()
    check(shown, race, 36)
    shown.get_by_label("To the end").click()
    check(shown, race, 60)
    shown.get_by_label("First divergence").first.click()
    check(shown, race, race.scene["apart"])


def test_it_plays_to_the_end_and_stops(shown: Any, race: Explorer) -> None:
    shown.get_by_label("Speed", exact=True).select_option("7")
    shown.get_by_label("Play", exact=True).click()
    expect(shown.locator(".fl-scrub")).to_have_value("60")
    shown.get_by_label("Play", exact=True).wait_for()
    check(shown, race, 60)


def test_the_keyboard_does_all_of_it(shown: Any, race: Explorer) -> None:
    shown.locator(".fl-explorer").focus()
    for key, at in (("ArrowRight", 1), ("Shift+ArrowRight", 11), ("ArrowLeft", 10), ("End", 60), ("Home", 0)):
        shown.keyboard.press(key)
        assert step(shown) == at
    shown.keyboard.press("ArrowRight")
    shown.keyboard.press("Enter")
    assert race.recordings[0].log.frame.url[0] in shown.locator(".fl-page-card").inner_text()
    shown.keyboard.press("Space")
    expect(shown.locator(".fl-scrub")).not_to_have_value("1")
    shown.keyboard.press("Space")
    at = step(shown)
    shown.wait_for_timeout(300)
    assert step(shown) == at
    assert f"page {at}," in shown.locator(".fl-player [aria-live]").inner_text()


def test_a_click_on_a_dot_opens_its_page(shown: Any, race: Explorer) -> None:
    shown.locator(".fl-scrub").fill("60")
    place = shown.evaluate(
        """() => { const box = document.querySelector(".fl-map").getBoundingClientRect();
        return [box.left, box.top, box.width]; }"""
    )
    scene = race.scene
    places = _places(race)
    page = scene["crawlers"][0]["pages"][-1]
    reach = max((x * x + y * y) ** 0.5 + radius for _, x, y, radius, _ in scene["hosts"])
    scale, middle = (place[2] / 2 - 4) / reach, place[2] / 2
    shown.mouse.click(
        place[0] + middle + places[page][0] * scale, place[1] + middle + places[page][1] * scale
    )
    said = shown.locator(".fl-page-card").inner_text()
    row = race.recordings[0].log.frame.iloc[-1]
    assert row.url in said
    assert f"R {row.relevance:.3f}, genre {row.genre} ({row.confidence:.2f})" in said
    assert "In truth it is " + ("relevant" if race.truth(row.url) else "not relevant") in said
    for hop in race.recordings[0].log.path(row.url)[:2]:
        assert hop in said
    card = race.card(row.url)
    assert f"{card['out_count']} link" in said
    assert f"{card['features'][0]:,}" in said


def _places(race: Explorer) -> Any:
    from focuslab.explore.layout import Map

    return Map((), tuple(map(tuple, race.scene["hosts"]))).places


def test_a_waiting_link_says_that_it_waits(shown: Any, race: Explorer) -> None:
    shown.locator(".fl-scrub").fill("20")
    shown.locator(".fl-queue button").nth(2).click()
    said = shown.locator(".fl-page-card").inner_text()
    assert "It waits as number 3" in said
    assert race.recordings[0].queues[20].best[2].url in said


def test_another_crawler_has_another_queue(shown: Any, race: Explorer) -> None:
    shown.locator(".fl-scrub").fill("40")
    shown.get_by_role("button", name="genre_enhanced").click()
    scores = [text.strip(" =") for text in shown.locator(".fl-queue .fl-score").all_inner_texts()]
    assert scores == [f"{each.score:.4f}" for each in race.recordings[1].queues[40].best]
    bars = shown.locator(".fl-queue tbody tr").first.locator("i")
    terms = race.recordings[1].queues[40].best[0].terms
    widths = [float(bar.get_attribute("style").split("width:")[1].split("%")[0]) for bar in bars.all()]
    assert widths[0] / widths[1] == pytest.approx(terms["w_R·R"] / terms["w_G·C·P_IG"], rel=0.02)


def test_the_maps_show_more_as_the_crawl_goes(shown: Any) -> None:
    canvas = shown.locator(".fl-map").first
    ground = canvas.screenshot()
    shown.locator(".fl-scrub").fill("60")
    crawled = canvas.screenshot()
    assert crawled != ground
    shown.locator(".fl-scrub").fill("0")
    assert canvas.screenshot() == ground
    shown.locator(".fl-scrub").fill("59")  # page by page, or all at once: the same picture
    shown.get_by_label("One page on").click()
    shown.get_by_label("To the end").focus()
    assert canvas.screenshot() == crawled


def test_a_page_that_is_opened_again_stands_where_it_stood(shown: Any, race: Explorer) -> None:
    shown.locator(".fl-scrub").fill("23")
    shown.reload()
    shown.wait_for_selector(".fl-explorer")
    check(shown, race, 23)


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(shown: Any, width: int, scheme: str) -> None:
    shown.set_viewport_size({"width": width, "height": 900})
    shown.emulate_media(color_scheme=scheme)
    shown.locator(".fl-scrub").fill("30")
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert shown.evaluate(wider) <= 0
    paper = shown.locator(".fl-explorer").evaluate("place => getComputedStyle(place).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


def test_every_control_has_a_name(shown: Any) -> None:
    nameless = """() => [...document.querySelectorAll("button, input, select, canvas, [role=img]")]
      .filter(each => !(each.getAttribute("aria-label") || each.textContent.trim()))
      .map(each => each.outerHTML)"""
    assert shown.evaluate(nameless) == []


def test_pages_are_text_and_never_markup(tab: Any, tmp_path: Path) -> None:
    evil = "<img src=x onerror=document.title='hacked'>"
    escaped = evil.replace("<", "&lt;")
    body = f"<title>{escaped}</title><body>{escaped} <a href='/b'>{escaped}</a>"
    tiny = TinyWeb({"s": ""}, {"s": Response(url("s"), 200, body.encode(), "text/html")})
    explore(crawl(topic("s"), tiny, BestFirst(), TinyAssessor({}))).save(tmp_path / "evil.html")
    tab.goto((tmp_path / "evil.html").as_uri())
    tab.locator(".fl-explorer").focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    card = tab.locator(".fl-page-card")
    assert card.inner_text().count(evil) >= 3  # as title, text and anchor
    assert tab.locator(".fl img").count() == tab.locator(".fl a").count() == 0
    assert tab.title() != "hacked"


def test_a_log_without_truth_says_so(tab: Any, tmp_path: Path) -> None:
    from focuslab.crawling.log import CrawlLog

    log = CrawlLog.record(
        crawl(topic("s"), TinyWeb({"s": "a", "a": ""}), BestFirst(), TinyAssessor({"s": 1}))
    )
    explore(log).save(tmp_path / "log.html")
    tab.goto((tmp_path / "log.html").as_uri())
    said = tab.locator(".fl-explorer").inner_text()
    assert "Nobody knows the truth here" in said
    assert "Only a log is left of this crawl" in said


def test_without_scripts_there_is_a_picture(chromium: Any, race: Explorer, tmp_path: Path) -> None:
    race.save(tmp_path / "race.html")
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto((tmp_path / "race.html").as_uri())
    picture = tab.locator(".fl-stage img")
    assert picture.is_visible()
    assert picture.get_attribute("alt") == race.summary()
    context.close()
