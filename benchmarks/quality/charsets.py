"""Are labels and bytes read as a browser reads them? Chromium's ``TextDecoder`` is asked for all of them.

Every label of the standard, and in every charset but UTF-8 and UTF-16 every byte, pair of bytes and, in
EUC-JP, three of them that Chromium has a character for. ``python benchmarks/quality/charsets.py [chromium]``
prints a JSON line.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from webencodings import LABELS

from focuslab.pages.decoders import decoded, named

SCRIPT = """
const one = [], two = [], three = [], jis = [];
for (let a = 128; a < 256; a++) { one.push([a]); for (let b = 48; b < 256; b++) two.push([a, b]); }
for (let a = 161; a < 255; a++) for (let b = 161; b < 255; b++) {
  three.push([143, a, b]); jis.push([27, 36, 66, a - 128, b - 128, 27, 40, 66]); }
const wide = {"euc-jp": one.concat(two, three), "iso-2022-jp": jis};
for (const name of ["shift_jis", "euc-kr", "big5", "gbk", "gb18030"]) wide[name] = one.concat(two);
const found = {labels: {}, characters: {}};
for (const label of LABELS) try { found.labels[label] = new TextDecoder(label).encoding } catch (e) {}
for (const name of new Set(Object.values(found.labels))) {
  if (name.startsWith("utf-")) continue;
  const decoder = new TextDecoder(name, {fatal: true});
  found.characters[name] = (wide[name] || one).flatMap(bytes => {
    try { return [[bytes, [...decoder.decode(new Uint8Array(bytes))].map(c => c.codePointAt(0))]] }
    catch (e) { return [] } });
}
document.body.textContent = JSON.stringify(found);
"""
OPTIONS = "--headless --no-sandbox --disable-gpu --no-first-run --virtual-time-budget=60000 --dump-dom"


def asked(chromium: str) -> dict[str, dict]:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "charsets.html"
        page.write_text(f"<body><script>const LABELS = {json.dumps(sorted(LABELS))};{SCRIPT}</script>")
        command = [chromium, *OPTIONS.split(), f"--user-data-dir={folder}", page.as_uri()]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"<body>(.*)</body>", shown, re.DOTALL)
    if not found:
        raise SystemExit(f"{chromium} showed nothing; name a Chromium that runs")
    return json.loads(html.unescape(found[1]))


def main() -> None:
    answers = asked(sys.argv[1] if len(sys.argv) > 1 else "chromium")
    labels = answers["labels"]
    same = {
        name: [decoded(bytes(told), name) == "".join(map(chr, text)) for told, text in pairs]
        for name, pairs in answers["characters"].items()
    }
    known = {label for label in LABELS if labels.get(label, "replacement") == named(label)}
    print(
        json.dumps(
            {
                "benchmark": "charsets",
                "labels": len(LABELS),
                "labels_as_chromium": len(known),
                "characters": sum(map(len, same.values())),
                "characters_as_chromium": sum(map(sum, same.values())),
                "others": {name: found.count(False) for name, found in same.items() if not all(found)},
            }
        )
    )


if __name__ == "__main__":
    main()
