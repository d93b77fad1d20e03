"""How pages look, by genre and kind of host: each layout turns a draft into the main part of a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from focuslab.webs.builtin.page_draft import Anchor, Draft

Layout = Callable[[Draft], str]

STYLE = (
    "body{font-family:sans-serif;margin:0;color:#222;line-height:1.5}"
    "header,footer{background:#eef1f4;padding:.6em 2em}nav a{margin-right:1em}"
    "main{max-width:60em;margin:1em auto;padding:0 1em}"
    "aside{max-width:60em;margin:0 auto;padding:0 1em;font-size:.9em}"
    ".grid{display:flex;flex-wrap:wrap;gap:1em}.tile{width:170px;font-size:.85em}"
    ".meta{color:#777;font-size:.85em}figure{margin:1em 0}img{background:#dde;max-width:100%}"
    "section ul{columns:2}.post{border:1px solid #ddd;padding:.5em 1em;margin:.5em 0}"
    "td,th{text-align:left;padding:.2em 1em}"
)


def news(draft: Draft) -> str:
    meta = f'<p class="meta">{draft.labels["written"]} {draft.speaker.pick(draft.people)} · {draft.date}</p>'
    lead = f"<p><strong>{draft.speaker.sentence()}</strong></p>"
    return f"<article><h1>{draft.title}</h1>{meta}{lead}{draft.all_films()}{draft.paragraphs()}</article>"


def blog(draft: Draft) -> str:
    self_link = f'<a href="{draft.here}">{draft.labels["permalink"]}</a>'
    meta = f'<p class="meta">{draft.date} · {draft.speaker.pick(draft.people)} · {self_link}</p>'
    body = f"<article><h2>{draft.title}</h2>{meta}{draft.paragraphs(0.75)}{draft.all_films()}</article>"
    archive = draft.listed(_half(draft), draft.labels["archive"], "archive")
    return f"{body}<h3>{draft.labels['comments']}</h3>{_comments(draft, 3)}{archive}"


def gallery(draft: Draft) -> str:
    words = draft.paragraphs()
    tiles = draft.tiles(max(0, draft.pictures - draft.drawn))
    return f"<h1>{draft.title}</h1>{tiles}{draft.all_films()}{words}"


def video(draft: Draft) -> str:
    views = f'<p class="meta">{int(draft.chance() * 90_000)} {draft.labels["views"]} · {draft.date}</p>'
    words = draft.paragraphs()
    tiles = draft.tiles(max(0, draft.pictures - draft.drawn))
    return f"<h1>{draft.title}</h1>{draft.all_films()}{views}{words}{tiles}"


def shop(draft: Draft) -> str:
    words = draft.paragraphs(0.6)
    tiles = draft.tiles(max(0, draft.pictures - draft.drawn), draft.labels["price"])
    return f"<h1>{draft.title}</h1>{words}{tiles}{draft.all_films()}{draft.paragraphs(0.4)}"


def official(draft: Draft) -> str:
    facts = "".join(
        [f"<tr><th>{draft.speaker.few(1)}</th><td>{draft.speaker.few(3)}</td></tr>" for _ in range(3)]
    )
    table = f"<h2>{draft.labels['facts']}</h2><table>{facts}</table>"
    return f"<h1>{draft.title}</h1>{draft.paragraphs(0.6)}{table}{draft.all_films()}{draft.paragraphs(0.4)}"


def forum(draft: Draft) -> str:
    who = f'<p class="meta">{draft.speaker.pick(draft.people)}</p>'
    first = f'<div class="post">{who}{draft.paragraphs(0.3)}</div>'
    return f"<h1>{draft.title}</h1>{first}{_comments(draft, 5, 0.14)}{draft.all_films()}"


def university(draft: Draft) -> str:
    names = "".join(
        [f"<li>{draft.speaker.pick(draft.people)}: {draft.speaker.few(3)}</li>" for _ in range(4)]
    )
    staff = f"{draft.paragraphs(0.7)}<ul>{names}</ul>"
    return f"<h1>{draft.title}</h1>{staff}{draft.all_films()}{draft.paragraphs(0.3)}"


def reference(draft: Draft) -> str:
    parts = [f"<h2>{draft.speaker.few(2)}</h2>{draft.paragraphs(0.3)}" for _ in range(3)]
    return f"<h1>{draft.title}</h1><p>{draft.speaker.sentence()}</p>{''.join(parts)}{draft.all_films()}"


def syllabus(draft: Draft) -> str:
    weeks = "".join([f"<tr><td>{week}</td><td>{draft.speaker.few(3)}</td></tr>" for week in range(1, 9)])
    schedule = f"<h2>{draft.labels['schedule']}</h2><table>{weeks}</table>"
    return f"<h1>{draft.title}</h1>{draft.paragraphs(0.7)}{schedule}{draft.paragraphs(0.3)}"


def job(draft: Draft) -> str:
    points = "".join([f"<li>{draft.speaker.few(3)}</li>" for _ in range(6)])
    apply = f"<p><button>{draft.labels['apply']}</button> {draft.date}</p>"
    return f"<h1>{draft.title}</h1>{draft.paragraphs(0.6)}<ul>{points}</ul>{apply}{draft.paragraphs(0.4)}"


def _comments(draft: Draft, most: int, share: float = 0.08) -> str:
    said = []
    for _ in range(1 + int(draft.chance() * most)):
        who = f"{draft.speaker.pick(draft.people)} {draft.labels['said']}"
        said.append(f'<div class="post"><p class="meta">{who}</p>{draft.paragraphs(share)}</div>')
    return "".join(said)


def _half(draft: Draft) -> list[Anchor]:
    """Half of the links of this host, taken out of the draft."""
    half = draft.shown[::2]
    draft.shown = draft.shown[1::2]
    return half


LAYOUTS: Mapping[str, Layout] = {
    "News": news,
    "Blog": blog,
    "Image": gallery,
    "Video": video,
    "shop": shop,
    "official": official,
    "forum": forum,
    "university": university,
    "reference": reference,
    "syllabus": syllabus,
    "job": job,
    "sale": shop,
}
