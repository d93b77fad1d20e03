"""The article of a page without its menu, by the real reader."""

from __future__ import annotations

from focuslab.pages.main_text import main_text
from focuslab.pages.parse import parse
from focuslab.types import Response

STORY = "A nova is a star that grows bright within days and fades again over weeks and months. " * 8


def _page(body: str) -> Response:
    html = f"<html><head><title>Novae</title></head><body>{body}</body></html>"
    return Response("http://sky.example/novae", 200, html.encode(), headers={"Content-Type": "text/html"})


def test_an_article_comes_without_its_menu():
    menu = "<nav><a href=/a>Recipes</a> <a href=/b>Sport</a></nav>"
    response = _page(f"{menu}<article><p>{STORY}</p></article>")
    text = main_text(response, parse(response)).text
    assert "fades again" in text
    assert "Recipes" not in text


def test_a_page_without_an_article_keeps_its_visible_text():
    response = _page("<p>two words</p>")
    assert main_text(response, parse(response)).text == parse(response).text
