"""What typed SDKs read: JSON spelled oddly means what it means, and what cannot be read ends a bot with a sentence."""

import json
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bots.bindings import GENERATORS
from bots.command.datagen import answer_rows
from bots.command.main import main
from bots.contest import Contestant, find_contestant
from bots.protocol import Clock, Hello, encode
from engine.games.zaibatsu import ZAIBATSU
from tests.games.record import recordings_of, replay_of
from tests.languages.played import need_new

PATIENCE_S = 60
HELLO = encode(Hello("zaibatsu", ZAIBATSU.version, 0, 3, {}, Clock())).decode()
Plain = dict[str, Any]


@cache
def question() -> Plain:
    """The first of a recorded match in which cards are placed."""
    name = recordings_of("zaibatsu")[0]
    rows = answer_rows(name, replay_of(name), "")
    row = next(row for row in rows if row["question"]["t"] == "place")
    return {"t": "question", "number": 1, "ask": row["question"], "view": row["view"], "events": [], "left_ms": 9000}


def with_unknown_fields() -> Plain:
    new = {"new": [None, 1e300, 10**40, {"t": "x"}]}
    asked = question()
    return {**new, **asked, "ask": {**new, **asked["ask"]}, "view": {**new, **asked["view"]}}


def escaped(text: str) -> str:
    """Write every letter within quotes as an escape: JSON's own words have no quotes."""
    quoted, spelled = text.split('"'), "".join
    return '"'.join(
        spelled(f"\\u{ord(sign):04X}" for sign in part) if place % 2 else part for place, part in enumerate(quoted)
    )


def plain(value: Any) -> str:
    return json.dumps(value)


# How the same question may be spelled.
SPELLINGS: dict[str, Callable[[], str]] = {
    "unknown fields": lambda: plain(with_unknown_fields()),
    "escapes": lambda: escaped(plain(question())),
    "the tag last": lambda: plain(dict(reversed(question().items()))),
    "blanks": lambda: plain(question()).replace(",", " \t,\r ").replace(":", " : "),
    "a name twice": lambda: '{"ask": {"t": "bid", "low": 1, "high": 2}, ' + plain(question())[1:],
    "half a pair": lambda: '{"new": "\\ud83d \\ude00\\ud83d\\ude00 \\u0000", ' + plain(question())[1:],
}
# What no bot can make sense of.
UNREADABLE: dict[str, Callable[[], str]] = {
    "a long number": lambda: plain({**question(), "left_ms": 10**30}),
    "a text for a number": lambda: plain({**question(), "number": "one"}),
    "an unknown question": lambda: plain({**question(), "ask": {"t": "to_dance"}}),
    "deep nesting": lambda: '{"new": ' + "[" * 100_000 + "]" * 100_000 + ", " + plain(question())[1:],
    "half a line": lambda: plain(question())[:100],
    "no JSON": lambda: "let me see",
    "an escape of nothing": lambda: plain(question()).replace('"place"', "\\u12"),
}


@pytest.fixture(scope="module", params=GENERATORS)
def bot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Contestant:
    need_new(request.param)
    folder = tmp_path_factory.mktemp("odd")
    assert main(["new", "zaibatsu", str(folder / "bot"), "--lang", request.param]) == 0
    return find_contestant("zaibatsu", str(folder / "bot"), folder / "store")


def sent(bot: Contestant, *lines: str) -> subprocess.CompletedProcess[str]:
    given = "".join([HELLO, *(f"{line}\n" for line in lines)])
    return subprocess.run(
        bot.command, input=given, capture_output=True, text=True, timeout=PATIENCE_S, check=False, cwd=Path(bot.folder)
    )


def test_json_that_is_spelled_oddly_means_what_it_means(bot: Contestant) -> None:
    ended = sent(bot, plain(question()), *(spelling() for spelling in SPELLINGS.values()))
    ready, first, *answers = ended.stdout.splitlines()
    assert (json.loads(ready), ended.stderr, ended.returncode) == ({"t": "ready"}, "", 0)
    assert dict(zip(SPELLINGS, answers, strict=True)) == dict.fromkeys(SPELLINGS, first)
    asked = ZAIBATSU.read_question(question()["ask"])
    assert asked.error(asked.read(json.loads(first)["action"])) is None


def test_what_cannot_be_read_ends_the_bot_with_a_sentence(bot: Contestant) -> None:
    for what, spelling in UNREADABLE.items():
        ended = sent(bot, plain(question()), spelling())
        if what == "deep nesting" and ended.returncode == 0:  # what is read without recursion has no bound
            assert len(set(ended.stdout.splitlines()[1:])) == 1
            continue
        assert len(ended.stdout.splitlines()) == 2, (what, ended.stdout)
        assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1), (what, ended.stderr)
        assert 10 < len(ended.stderr) < 300, (what, ended.stderr)
