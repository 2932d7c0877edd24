"""The ledger as JSON Lines, so that anybody can reckon the table: a line for the ladder, one for each version, one
for each set.
"""

import json
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any

from tournaments.ratings.ledger import BadLedger, Game, Ledger, RatedSet, Version

FORMAT = 1


def write(ledger: Ledger) -> Iterator[str]:
    """The lines, each with its end."""
    yield _line(
        {"ledger": FORMAT, "ladder": ledger.ladder, "game": ledger.game, "margin": ledger.margin},
    )
    for key, version in sorted(ledger.versions.items()):
        yield _line(
            {
                "version": key,
                "bot": version.bot,
                "number": version.number,
                "forerunner": version.forerunner,
                "listed": version.listed,
                "anchor": version.anchor,
            }
        )
    for one in sorted(ledger.sets, key=lambda one: one.number):
        yield _line({"set": one.number, "games": [_plain(game) for game in one.games]})


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
    """The ledger that was written, checked; lines of versions and sets may come in any order after the first."""
    head: dict[str, Any] | None = None
    versions: dict[int, Version] = {}
    sets: list[RatedSet] = []
    for number, line in enumerate(lines, 1):
        try:
            plain = json.loads(line)
            if head is None:
                head = _head(plain)
            elif "version" in plain:
                key = _whole(plain.pop("version"))
                if key in versions:
                    raise BadLedger("version_twice", f"Line {number}: version {key} is there twice.")
                versions[key] = _version(plain)
            else:
                sets.append(_set(plain))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            sentence = f"Line {number} is not one of a ledger ({type(error).__name__}: {error})."
            raise BadLedger("bad_line", sentence) from None
    if head is None:
        raise BadLedger("empty_export", "There is no line at all; the first names the ladder.")
    return Ledger(ladder=head["ladder"], game=head["game"], sets=sets, versions=versions, margin=head["margin"])


def _head(plain: dict[str, Any]) -> dict[str, Any]:
    if plain["ledger"] != FORMAT:
        raise BadLedger("unknown_format", f"This ledger is of format {plain['ledger']}; this program reads {FORMAT}.")
    return {"ladder": _text(plain["ladder"]), "game": _text(plain["game"]), "margin": _whole(plain["margin"])}


def _version(plain: dict[str, Any]) -> Version:
    older, anchor = plain["forerunner"], plain["anchor"]
    return Version(
        bot=_text(plain["bot"]),
        number=_whole(plain["number"]),
        forerunner=None if older is None else _whole(older),
        listed=_flag(plain["listed"]),
        anchor=None if anchor is None else _finite(anchor),
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
