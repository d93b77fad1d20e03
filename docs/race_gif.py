"""Draw docs/race.gif for the top of the README: the race of the report, filmed in headless Chromium.

python docs/race_gif.py
"""

from __future__ import annotations

import shutil
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from focuslab.explore.opening import race

FILM = Path(__file__).with_name("race.gif")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
STEPS = (*range(0, 250, 14), 250)
WIDTH = 800
ONLY_MAPS = ".fl-panel, .fl-player button, .fl-player label { display: none !important }"


def pictures() -> list[Image.Image]:
    """The maps at some steps, as a browser shows them."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = Path(folder) / "race.html"
        race(budget=max(STEPS)).save(page)
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1180, "height": 490})
        tab.goto(page.as_uri())
        tab.wait_for_selector(".fl-explorer")
        tab.add_style_tag(content=ONLY_MAPS)
        found = []
        for step in STEPS:
            tab.locator(".fl-scrub").fill(str(step))
            tab.locator(".fl-scrub").blur()
            found.append(Image.open(BytesIO(tab.screenshot())))
        browser.close()
    return [picture.resize((WIDTH, picture.height * WIDTH // picture.width)) for picture in found]


def film(frames: list[Image.Image]) -> None:
    """One palette for all frames; the last stays for three seconds."""
    palette = frames[-1].convert("RGB").quantize(128, Image.Quantize.FASTOCTREE)
    first, *rest = (
        frame.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames
    )
    times = [150] * len(rest) + [3_000]
    first.save(FILM, save_all=True, append_images=rest, duration=times, loop=0, optimize=True)


if __name__ == "__main__":
    film(pictures())
    print(f"{FILM.name}: {FILM.stat().st_size:,} bytes")
