"""Every example of docs/api.md is run in order, as by a reader who copies it; answers must look as printed there."""

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.docs.snippets import snippets
from tests.factories import SAMPLE, a_bot, a_completed_set, a_ladder, a_user, a_version, play_set, rate
from tests.holding import ROBIN, a_draft, an_organiser
from tests.tournaments.web.api.asking import ask
from tournaments.features.events.lifecycle import announce, start_event
from tournaments.features.events.registration import register
from tournaments.models import Entry, Event, Ladder, MatchSet, Version
from tournaments.web.api import exceptions
from tournaments.web.server import request_rates

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs" / "api.md").read_text()
BLOCKS = [(snippet.language, snippet.text) for snippet in snippets() if snippet.page == "docs/api.md"]


@dataclass
class Reader:
    """Somebody who goes through the page with a shell in `folder`."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    answer: Any = None  # the last
    printed: Any = None  # the last the page shows

    def run(self, command: str) -> None:
        if assigned := re.fullmatch(r"([A-Z]+)=(\S+)\n", command):
            self.assign(*assigned.groups())
        elif command.startswith("python3 "):
            subprocess.run([sys.executable, *shlex.split(command)[1:]], cwd=self.folder, check=True, env=self.python)
        else:
            self.curl(shlex.split(Template(command.replace("\\\n", "")).substitute(self.variables)))

    @property
    def python(self) -> dict[str, str]:
        return {"PYTHONPATH": str(ROOT), "PATH": ""}

    def assign(self, name: str, value: str) -> None:
        """The page keeps a value of the answer it printed; the reader keeps the one at the same place."""
        steps = next(path_to(value, self.printed), None) if self.printed is not None else None
        data: Any = self.answer.json() if steps is not None else "http://testserver"
        for step in steps or ():
            data = data[step]
        self.variables[name] = str(data)

    def curl(self, words: list[str]) -> None:
        options = OPTIONS.parse_args(words[1:])
        headers = dict(header.split(": ", 1) for header in options.H)
        kind, body = headers.pop("Content-Type", "application/json"), (options.d or "").encode()
        if options.F:
            kind, body = MULTIPART_CONTENT, encode_multipart(BOUNDARY, dict(map(self.part, options.F)))
        method = options.X or ("POST" if body else "GET")
        self.answer = ask(method, options.address, headers.pop("Authorization", None), body, kind=kind, **headers)
        assert self.answer.status_code < 300 or "page_size=1000000" in options.address, self.answer.content
        if options.o:
            (self.folder / options.o).write_bytes(self.answer.content)

    def part(self, text: str) -> tuple[str, Any]:
        name, value = text.split("=", 1)
        if not value.startswith("@"):
            return name, value
        return name, SimpleUploadedFile(value[1:], (self.folder / value[1:]).read_bytes())


OPTIONS = argparse.ArgumentParser("curl", add_help=False)
OPTIONS.add_argument("address")
for option in ("-X", "-d", "-o"):
    OPTIONS.add_argument(option)
for option in ("-H", "-F"):
    OPTIONS.add_argument(option, action="append", default=[])
OPTIONS.add_argument("--compressed", action="store_true")


def path_to(value: str, data: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to a value in plain data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    if str(data) == value:
        yield ()
    for step, item in inner:
        for steps in path_to(value, item):
            yield (step, *steps)


def shape(data: Any) -> Any:
    """Plain data without its values; of a list, the first."""
    if isinstance(data, dict):
        return {key: shape(value) for key, value in data.items()}
    return [shape(item) for item in data[:1]] if isinstance(data, list) else None


def the_site_works(ladder: Ladder, rival: Version) -> None:
    """Do what workers would do meanwhile: play checks, and a set once somebody has entered."""
    for check in MatchSet.objects.filter(status=MatchSet.Status.OPEN):
        play_set(check)
    entered = Version.objects.filter(status=Version.Status.ACTIVE, bot__entries__status=Entry.Status.PLAYING).first()
    if entered and not ladder.sets.exists():
        a_completed_set(ladder, [rival, entered])
        rate()


def the_organisers_work(event: Event, rival: Version, *, starts: bool) -> None:
    if Event.objects.get().status == Event.Status.DRAFT:
        announce(event=event, by=an_organiser())
        register(event=event, bot=rival.bot, by=rival.bot.owner)
    if starts:
        start_event(event=event, by=an_organiser())


@pytest.mark.django_db
def test_every_example_of_the_page_works_as_printed(tmp_path: Path) -> None:
    a_user("ada")
    ladder, rival = a_ladder("main", players=2), a_version(a_bot(a_user("bob"), "Difference Engine"))
    (tmp_path / "bot.py").write_bytes(SAMPLE)
    reader = Reader(tmp_path)
    event = a_draft(ROBIN | {"rank_by": ["points"]}, ladder=ladder, by=a_user("stella", staff=True), slug="spring-cup")
    for kind, text in BLOCKS:
        if kind == "sh":
            the_organisers_work(event, rival, starts="spring-cup/plan" in text)
            reader.run(text)
            the_site_works(ladder, rival)
        else:
            reader.printed = json.loads(text)
            assert shape(reader.answer.json()) == shape(reader.printed)


def test_the_page_names_every_code_under_its_status() -> None:
    rows = re.findall(r"^\| (\d{3}) \| (.*) \|$", PAGE, re.MULTILINE)
    named = {int(status): set(re.findall(r"`(\w+)`", codes)) for status, codes in rows}
    for status, codes in exceptions.STATUS.items():
        assert named[status] == set(codes)


def test_the_page_tells_the_rates_as_they_are() -> None:
    documented = re.findall(r"\| (\d+) in (\d+) seconds \|", PAGE)
    rates = (
        request_rates.ANONYMOUS,
        request_rates.USER,
        request_rates.UPLOAD,
        request_rates.EXAMINE,
        request_rates.SIGN_IN,
        request_rates.GUESSES,
        request_rates.CODES,
        request_rates.LETTERS,
    )
    assert documented == [(str(rate.times), str(rate.seconds)) for rate in rates]
