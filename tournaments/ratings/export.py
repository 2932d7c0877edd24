"""The ledger as JSON Lines, so that anyone can compute the table: a line for the ladder, one for each version, one
for each set.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from math import isfinite
from typing import Any, TypeVar

from tournaments.ratings.ledger import BEFORE, PRIOR_SD, RULES, BadLedger, Game, Ledger, RatedSet, Version
from tournaments.ratings.scale import WHOLE

T = TypeVar("T")
FORMAT = 3
FORMATS = (1, 2, FORMAT)  # that can be read; in the first the prior was the same for all, in both the rules are 2


def write(ledger: Ledger) -> Iterator[str]:
    """Yield the lines, each with its end."""
    versions = sorted(ledger.versions.items())
    return lines(ledger, versions, sorted(ledger.sets, key=lambda rated_set: rated_set.number))


def lines(of: Ledger, versions: Iterable[tuple[int, Version]], sets: Iterable[RatedSet]) -> Iterator[str]:
    """Yield the lines of a ledger too long for memory; `of` gives everything but versions and sets."""
    head = {"ledger": FORMAT, "ladder": of.ladder, "game": of.game, "margin": of.margin, "prior_sd": of.prior_sd}
    yield _line(
        head
        | ({"ledger": 2} if of.rules < RULES else {"scale": of.scale})
        | ({} if of.fresh is None else {"fresh": of.fresh})
    )
    for key, version in versions:
        yield _line(
            {
                "version": key,
                "bot": version.bot,
                "number": version.number,
                "forerunner": version.forerunner,
                "listed": version.listed,
                "anchor": version.anchor,
                **({} if version.ranked else {"ranked": False}),
                **({} if version.floor is None else {"floor": version.floor}),
            }
        )
    for rated_set in sets:
        yield _line({"set": rated_set.number, "games": [_plain(game) for game in rated_set.games]})


def _plain(game: Game) -> dict[str, list[Any]]:
    return {
        "versions": list(game.versions),
        "places": list(game.places),
        "forfeits": [bool(forfeit) for forfeit in game.forfeits],
        "scores": list(game.scores),
    }


def _line(plain: dict[str, Any]) -> str:
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False) + "\n"


def read(lines: Iterable[str]) -> Ledger:
    """The ledger of these lines, checked; versions and sets may come in any order after the first line."""
    numbered = enumerate(lines, 1)
    head = next((_parsed(number, line, _head) for number, line in numbered), None)
    if head is None:
        raise BadLedger("empty_export", "There is no line at all; the first names the ladder.")
    sets: list[RatedSet] = []
    versions: dict[int, Version] = {}
    for number, line in numbered:
        _parsed(number, line, partial(_add, sets, versions))
    return replace(head, sets=sets, versions=versions)


def _parsed(number: int, line: str, take: Callable[[dict[str, Any]], T]) -> T:
    """The result of `take` for the line. Raises BadLedger with the line's number."""
    try:
        return take(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        sentence = f"Line {number} is not one of a ledger ({type(error).__name__}: {error})."
        raise BadLedger("bad_line", sentence) from None


def _add(sets: list[RatedSet], versions: dict[int, Version], plain: dict[str, Any]) -> None:
    if "version" not in plain:
        sets.append(_set(plain))
        return
    key = _whole(plain.pop("version"))
    if key in versions:
        raise BadLedger("version_twice", f"Version {key} is there twice.")
    versions[key] = _version(plain)


def _head(plain: dict[str, Any]) -> Ledger:
    if plain["ledger"] not in FORMATS:
        sentence = f"This ledger is of format {plain['ledger']!r:.20}; this program reads 1 to {FORMAT}."
        raise BadLedger("unknown_format", sentence)
    ladder, game, margin = _text(plain["ladder"]), _text(plain["game"]), _whole(plain["margin"])
    prior_sd = PRIOR_SD if plain["ledger"] == 1 else _whole(plain["prior_sd"])
    fresh = _whole(plain["fresh"]) if "fresh" in plain else None
    old = plain["ledger"] < FORMAT
    scale, rules = (WHOLE, BEFORE) if old else (_whole(plain["scale"]), RULES)
    return Ledger(ladder, game, [], {}, margin, prior_sd, scale, rules, fresh)


def _version(plain: dict[str, Any]) -> Version:
    older, anchor, floor = plain["forerunner"], plain["anchor"], plain.get("floor")
    return Version(
        bot=_text(plain["bot"]),
        number=_whole(plain["number"]),
        forerunner=None if older is None else _whole(older),
        listed=_flag(plain["listed"]),
        anchor=None if anchor is None else _finite(anchor),
        ranked=_flag(plain.get("ranked", True)),
        floor=None if floor is None else _finite(floor),
    )


def _set(plain: dict[str, Any]) -> RatedSet:
    games = [
        Game(
            versions=tuple(map(_whole, game["versions"])),
            places=tuple(map(_whole, game["places"])),
            forfeits=tuple(map(_flag, game["forfeits"])),
            scores=tuple(map(_whole, game["scores"])),
        )
        for game in plain["games"]
    ]
    return RatedSet(_whole(plain["set"]), games)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isfinite(value):
        raise TypeError(f"{value!r} is not a finite number")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value
