"""Answers to requests, as they are stored."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from tests.golden.text import changes, joined, json_lines, page_lines, settled, short
from tournaments.models import Act, JoinCode

SHOWN = (
    *("text/", "application/json", "application/problem+json", "application/x-ndjson", "application/jsonl"),
    *("application/xml", "application/atom+xml", "image/svg+xml"),
)
LONG = 400  # letters of a string in JSON


@dataclass(frozen=True, slots=True)
class Answer:
    """What one person gets: the status with where it leads, and the content."""

    status: str
    text: str

    @property
    def in_words(self) -> str:
        """The status, and what a page or a problem says that refuses."""
        if self.status >= "4" and self.text.startswith("{"):
            problem = json.loads(self.text)
            return f"{self.status} {problem.get('code')}: {problem.get('detail')}"
        if self.status == "200" or "<h1" not in self.text:
            return self.status
        words = re.sub(r"<[^>]+>", "", self.text.partition("<main")[2].partition("</main>")[0].partition(">")[2])
        return f"{self.status} ({' '.join(words.split())[:200]})"


@dataclass(frozen=True, slots=True)
class Answers:
    """Makes answers ready to be stored. `changing`: what is drawn anew in each run, or made of the time."""

    changing: Mapping[str, str]

    @classmethod
    def of_this_world(cls) -> "Answers":
        acts = list(Act.objects.only("digest", "number"))
        digests = {act.digest[:length]: f"DIGEST {act.number}" for length in (64, 12) for act in acts}
        codes = {text: "JOINCODE" for code in JoinCode.objects.all() for text in (code.code, code.spelled)}
        return cls(digests | codes)

    def settle(self, text: str) -> str:
        return settled(text, self.changing)

    def ready(self, answer: Any, *, as_hash: bool = False) -> Answer:
        status = f"{answer.status_code} {answer.headers.get('Location', '')}".rstrip()
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        return Answer(self.settle(status), self._text(kind, answer.getvalue(), as_hash=as_hash))

    def _text(self, kind: str, content: bytes, *, as_hash: bool) -> str:
        if content.startswith(b"PK"):
            return self.settle(joined(ZipFile(BytesIO(content)).namelist()))
        if as_hash or not kind.startswith(SHOWN):
            return f"{kind} {short(content)}\n"
        match kind:
            case "text/html":
                return self.settle(page_lines(content.decode()))
            case "application/json" | "application/problem+json":
                return json_lines(self._cut(json.loads(content))) + "\n"
            case "image/svg+xml":
                return short(self.settle(content.decode())) + "\n"
        return self.settle(content.decode())

    def _cut(self, value: Any) -> Any:
        """Return plain data with a hash in the place of each long string."""
        if isinstance(value, dict):
            return {name: self._cut(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self._cut(part) for part in value]
        text = self.settle(value) if isinstance(value, str) else value
        return short(text) if isinstance(text, str) and len(text) > LONG else text


def statuses(what: str, answers: Mapping[str, Answer]) -> Iterator[str]:
    """Return lines that say how each asker is answered."""
    words = {asker: answer.in_words for asker, answer in answers.items()}
    yield what
    if len({*words.values()}) == 1:
        yield f"  all {next(iter(words.values()))}"
    else:
        yield from (f"  {asker} {answer}" for asker, answer in words.items())


def files(what: str, answers: Mapping[str, Answer]) -> Iterator[tuple[str, str]]:
    """Return what the first asker gets who is not refused, and for the others what is different."""
    name = re.sub(r"[^\w.]+", "-", re.sub(r"[{}]", "", what)).strip("-") or "home"
    kept = {asker: answer.text for asker, answer in answers.items() if answer.status in ("200", "201")}
    base = next(iter(kept.values()), "")
    for number, (asker, text) in enumerate(kept.items()):
        if not number:
            yield f"{name}.{asker}", text
        elif text != base:
            yield f"{name}.{asker}.changes", changes(base, text)
