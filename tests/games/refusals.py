"""Why answers are refused: what each question of the recorded games says to answers that are damaged.

`python3 -m tests.games.refusals` writes the files again; a diff shows what bots and people are told otherwise.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from engine.core import IllegalAction, Match, Question
from engine.dice import Dice
from engine.games import GAMES, kaiju, network, shangzhou
from engine.games.shangzhou import extras, goods
from engine.records import Record, to_plain
from engine.replay import advance, playback
from tests.games.record import recordings_of, replay_of

HERE = Path(__file__).parent / "refused"
NUMBERS: Final = (-1, 0, 1, 7, 99, 5000, 10**7)
ODD: Final[tuple[Any, ...]] = (
    *NUMBERS,
    2**60,
    "x",
    "",
    "é",
    None,
    True,
    [],
    [1] * 70,
    {},
    {"7": 1},
    {"1": 0},
    {"1": 99},
)
QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\[.*\]|\.\w+")
WORD: Final = re.compile(r"\b[a-z]{2,}\b")
FIRST, DRAWN = 6, 2  # questions of each kind, and answers of each that are damaged


def damaged(plain: Any) -> Iterator[Any]:
    """Yield it with each value, however deep, in the place of others; and something more or less."""
    yield from ODD
    if isinstance(plain, list):
        yield from (plain * 2, plain * 60, [*plain, 99], plain[::-1])
        yield from (
            [*plain[:index], other, *plain[index + 1 :]] for index, item in enumerate(plain) for other in damaged(item)
        )
    if isinstance(plain, dict):
        yield plain | {"more": 1}
        for name, value in plain.items():
            yield {key: kept for key, kept in plain.items() if key != name}
            yield from (plain | {name: other} for other in damaged(value))


EXTRAS: Final[dict[str, list[dict[str, Any]]]] = {
    "gigabucks": [
        {"talk": [{"t": "say", "to": None, "kind": "deal", "text": "é"}]},
        {"talk": [{"t": "say", "to": None, "kind": "deal", "text": "ok"}] * 9},
    ],
    "shangzhou": [
        {"gifts": [{"to": 1, "clout": 1}] * 9},
        {"gifts": [{"to": 1, "templates": ["P"] * 99}]},
        {"uses": [{"tile": "virus", "sector": 1}] * 99},
        {"say": [{"text": "well"}] * 99},
        {"say": [{"text": "é"}]},
    ],
}


def namings(asked: Any) -> Iterator[dict[str, Any]]:
    """Another kind of answer, or another card, of those that the question names."""
    texts = [text for value in asked.values() if isinstance(value, list) for text in value if isinstance(text, str)]
    yield from ({"t": kind, "card": text} for kind in ("build", "rebuild", "takeover") for text in texts[:8])
    yield from ({"template": text} for text in "CPUSRN")
    yield from ({"value": value, "route": route} for value in (2, 3) for route in (0, 1, 2))


def refusals(recording: str) -> Iterator[str]:
    """Yield the refusals of the first questions of each kind."""
    replay = replay_of(recording)
    run, dice = playback(replay, listen=False), Dice.of(recording)
    seen: Counter[str] = Counter()
    while run.match.questions:
        kinds = [question.tag for question in run.match.questions.values()]
        if any(seen[kind] < FIRST for kind in kinds):
            yield from refused(run.match, dice, EXTRAS.get(replay.game, []))
        seen.update(kinds)
        advance(replay, run)
    yield from reasons(run.match, 0, [{}])


def refused(match: Match[Any], dice: Dice, extras: list[dict[str, Any]]) -> Iterator[str]:
    for seat, question in match.questions.items():
        for _ in range(DRAWN):
            plain = to_plain(question.draw(dice))
            more = ({**plain, **extra} for extra in (*extras, *namings(to_plain(question))))
            yield from reasons(match, seat, [*damaged(plain), *more])
    yield from reasons(match, 99, [{}])


def reasons(match: Match[Any], seat: int, answers: list[Any]) -> Iterator[str]:
    for data in answers:
        try:
            match.read(seat, data)
        except IllegalAction as error:
            yield error.reason


# What comes up in no recorded game.
FAR, LOST = network.Route([(0, 1)], 99, {"1": 99}), network.Route([(0, 2)], 1, {"1": 1})
SITE = network.Site(1, (0, 0), "city", 2, [LOST, FAR])
EMPTY = shangzhou.Extras(shangzhou.Goods(clout=1), [], 0)
RARE: Final[dict[str, list[tuple[Question[Any], Record]]]] = {
    "kaiju": [
        (kaiju.ToTurn(["B02"], [], [], 1), Record()),
        (kaiju.ToChooseSuit(), kaiju.ChooseSuit("x")),  # type: ignore[arg-type]
    ],
    "shangzhou": [
        (shangzhou.ToExpand(EMPTY, [1], [(3, 2), (4, 2)]), shangzhou.Engage(1, 1)),
        (shangzhou.ToExpand(EMPTY, [1], []), shangzhou.Engage(1, 1)),
        (shangzhou.ToExpand(EMPTY, [], []), shangzhou.Expand([1])),
    ],
    "network": [
        (network.ToBuild([SITE], 40), network.Build((0, 0), 1, 1)),
        (network.ToBuild([SITE], 40), Record()),
        (network.ToTurn(9, [], [SITE], [0, 40]), network.Act(1, (0, 0), 1, 1)),
        (network.ToTurn(9, [], [SITE], [0, 40]), network.Auction(1, "hand")),
        (network.ToTurn(9, [], [SITE], [0, 40]), Record()),
    ],
}


def left_out() -> list[str]:
    """Return what is left out of answers in Shangzhou-Gold, which are taken without it."""
    position = GAMES["shangzhou"].start(shangzhou.Options(), "left out").at
    extras.speak(position, 0, shangzhou.Message("hi", 7))
    held = shangzhou.Goods(hackers=1, viruses=1, templates=["P"])
    for tile in ("hacker", "virus"):
        extras.use_tool(position, 0, shangzhou.Use(tile, 9), shangzhou.Goods())
        extras.use_tool(position, 0, shangzhou.Use(tile, 0), held)
    given: list[dict[str, Any]] = [{"to": 0}, {"to": 1}, {"to": 1}, {"to": 2, "templates": ["C"]}]
    given += [{"to": 2, "templates": ["P"]}, *({"to": 2, name: 5} for name in ("clout", "hackers", "viruses"))]
    gifts = [shangzhou.Gift(**gift) for gift in given]
    dropped = [event.reason for event in position.heard if isinstance(event, shangzhou.Dropped)]
    return [
        *dropped,
        *goods.sort_gifts(held, [1, 2], 1, gifts).refused,
        *goods.sort_gifts(held, [], 1, gifts[:1]).refused,
    ]


@cache
def all_of(game: str) -> tuple[str, ...]:
    """Return the sentences of a game, once each."""
    sentences = [reason for recording in recordings_of(game) for reason in refusals(recording)]
    sentences += [reason for question, answer in RARE.get(game, []) if (reason := question.error(answer))]
    sentences += left_out() if game == "shangzhou" else []
    return tuple(dict.fromkeys(sentences))


def text(game: str) -> str:
    """A hash of all, and the first sentence of those that have the same words."""
    first_reasons: dict[frozenset[str], str] = {}
    for reason in all_of(game):
        first_reasons.setdefault(frozenset(WORD.findall(QUOTED.sub("", reason))), str(reason))
    digest = sha256("\n".join(map(str, all_of(game))).encode()).hexdigest()
    return "".join(
        f"{line}\n" for line in (f"{len(all_of(game))} sentences, sha256 {digest}", *sorted(first_reasons.values()))
    )


def place_of(game: str) -> Path:
    return HERE / f"{game}.txt"


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for asked in sys.argv[1:] or GAMES:
        place_of(asked).write_text(text(asked))
