"""Outputs in the form in which they are stored: a line for each element, and nothing that differs from run to run."""

import json
import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from typing import Any

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "use"}
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "br",
    "button",
    "code",
    "data",
    "em",
    "i",
    "img",
    "input",
    "kbd",
    "label",
    "mark",
    "q",
}
INLINE |= {"s", "select", "small", "span", "strong", "sub", "summary", "sup", "svg", "time", "use", "var"}
WIDTH = 160  # letters of a line of JSON that holds several values
RAW = {"pre", "textarea", "script"}  # whose white space is shown
PICTURE = "svg"  # stored as a hash: the frames of the recorded games hold boards
MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|"
    "Jan|Feb|Mar|Mrz|Apr|Jun|Jul|Aug|Sept?|Oct|Okt|Nov|Dec|Dez"
)
UNIT = r"(?:second|minute|hour|day|week|month|year)s?"
CHANGING = [
    (re.compile(r"(<time [^>]*>)[^<]*(</time>)"), r"\1SOME TIME\2"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?"), "TIME"),
    (re.compile(r"\b\d{8}T\d{6}Z?\b"), "TIME"),
    (re.compile(r"\b\d{4}-\d\d-\d\d\b"), "DATE"),
    (re.compile(rf"\b\d{{1,2}}\.? (?:{MONTHS})\.?(?: \d{{4}}|, \d\d:\d\d)+(?::\d\d)?"), "DATE"),
    (re.compile(rf"\b\d+\xa0{UNIT}(?:, \d+\xa0{UNIT})*"), "SOME TIME"),
    (re.compile(r"\b[\d.,]+\s(?:s|min|h|days?)\s(?=here\b)"), "SOME TIME "),
    (re.compile(r"\bhier [\d.,]+\s(?:s|min|h|Tage?)\b"), "hier SOME TIME"),
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]+'), r"\1CSRF"),
    (re.compile(r"(/invited/\d+)(?:-[0-9A-Z]{4})+"), r"\1-WELCOME"),
    (re.compile(r"(/notices/(?:stop|confirm)|/lost-password/\w+)/[^/\s<>\"]+/"), r"\1/KEY/"),
    (re.compile(r'(name="kept" value=")[^"]+'), r"\1KEPT"),
    (re.compile(r"\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}\b"), "JOINCODE"),
    (re.compile(r"(/static/[\w/-]+)\.[0-9a-f]{8,12}\."), r"\1.HASH."),
]


def settled(text: str, names: Mapping[str, str]) -> str:
    """Return the text without times and keys. `names` holds what stands for other strings that change."""
    for changing, name in names.items():
        text = text.replace(changing, name)
    for pattern, instead in CHANGING:
        text = pattern.sub(instead, text)
    return text


class Lines(HTMLParser):
    """Writes a page with each block on a line of its own; white space that a browser does not show is dropped."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.line = ""
        self.raw = 0
        self.picture: list[str] | None = None
        self.feed(page)
        self.close()
        self._end_line()

    def handle_decl(self, decl: str) -> None:
        self._block(f"<!{decl}>")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        text = f"<{tag}{''.join(map(attribute, attrs))}>"
        if self.picture is not None:
            self.picture.append(text)
        elif tag in INLINE:
            self.line += text
        else:
            self._end_line()
            self.line = text
            if tag in VOID:
                self._end_line()
        self.raw += tag in RAW
        if tag == PICTURE:
            self.picture = []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self.raw -= tag in RAW
        if tag == PICTURE and self.picture is not None:
            self.line += short("".join(self.picture)) if len(self.picture) > 2 else "".join(self.picture)
            self.picture = None
        if self.picture is not None:
            self.picture.append(f"</{tag}>")
        elif tag in INLINE or tag in RAW:
            self.line += f"</{tag}>"
        else:
            self._block(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        text = escape(data, quote=False)
        if self.picture is not None:
            self.picture.append(text)
        elif self.raw:
            self.line += text
        else:
            self.line += re.sub(r"[ \t\r\n]+", " ", text)

    def _block(self, text: str) -> None:
        self.line = self.line.rstrip(" ") + text
        self._end_line()

    def _end_line(self) -> None:
        if line := re.sub(r"^(<\w[^>]*>)? +", r"\1", self.line).rstrip(" "):
            self.lines.append(line)
        self.line = ""


def attribute(pair: tuple[str, str | None]) -> str:
    name, value = pair
    if value is None:
        return f" {name}"
    return f' {name}="{escape(" ".join(value.split()) if name == "class" else value)}"'


def page_lines(page: str) -> str:
    return "\n".join(Lines(page).lines) + "\n"


def short(content: str | bytes) -> str:
    """Return a hash that stands for content that is too long to be stored."""
    return f"[{sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:16]}]"


def changes(base: str, other: str) -> str:
    """Return what is different in `other`, with the line before each change, and without the numbers of lines."""
    before, after = base.splitlines(), other.splitlines()
    out: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            out += [f"  {line}" for line in before[max(0, a - 1) : a]]
            out += [f"- {line}" for line in before[a:b]]
            out += [f"+ {line}" for line in after[c:d]]
    return "".join(f"{line}\n" for line in out)


def json_lines(value: Any, indent: str = "") -> str:
    """Return JSON with sorted names and what is short on one line."""
    flat = json.dumps(value, sort_keys=True, ensure_ascii=False)
    if len(flat) <= WIDTH or not isinstance(value, dict | list):
        return flat
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name, ensure_ascii=False)}: {json_lines(value[name], inner)}" for name in sorted(value)]
    else:
        parts = [json_lines(part, inner) for part in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{end}"


def joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
