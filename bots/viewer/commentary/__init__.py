"""The log of a match in plain sentences, from playing its replay again."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from unicodedata import bidirectional

from bots.viewer import plain
from bots.viewer.commentary.story import Chapter, Line, join_with_and
from bots.viewer.game_viewers import part_of
from bots.viewer.language import say, say_number, word
from bots.viewer.svg import SEATED
from engine.core import Event
from engine.referee import STANDS_IN
from engine.replay import Replay, advance, playback

Part = Line | Chapter | None
Teller = Callable[[Event, Sequence[str]], Part]


def tell(replay: Replay) -> list[Chapter]:
    """The chapters of a match, secrets included. Raises ReplayError if this engine cannot play it."""
    names, run = names_of(replay), playback(replay)
    gone: set[int] = set()
    parts = [*tell_events(replay.game, run.match.hear(), names), *opening(replay, names, gone)]
    while not run.match.over:
        before = run.step
        advance(replay, run)
        parts += [
            *faults(replay.answers[before : run.step], names, gone),
            *tell_events(replay.game, run.match.hear(), names),
        ]
    return bind_chapters([*parts, *ending(replay, names)])


def tell_events(game: str, events: Iterable[Event], names: Sequence[str]) -> list[Part]:
    teller = teller_of(game)
    return [_of(getattr(event, "seat", None), teller(event, names)) for event in events]


def _of(seat: int | None, part: Part) -> Part:
    """Return the part with the seat whose doing it is."""
    for line in part.lines if isinstance(part, Chapter) else [part] if part else []:
        line.seat = seat if line.seat is None else line.seat
    return part


def teller_of(game: str) -> Teller:
    """Return what says the events of the game in sentences."""
    teller: Teller = part_of(game, "tell", plain.tell)
    return teller


def opening(replay: Replay, names: Sequence[str], gone: set[int]) -> list[Part]:
    """Seats that did not start; they are `gone` from then on."""
    gone |= {int(seat) for seat in replay.absent}
    sentence = "%(name)s did not start (%(why)s) and forfeits."
    absent = [(int(seat), word(why)) for seat, why in replay.absent.items()]
    return [Line(say(sentence, name=names[seat], why=why), "bad", seat) for seat, why in absent]


def names_of(replay: Replay) -> list[str]:
    return name_seats([(player.name, player.version) for player in replay.players])


def name_seats(players: Sequence[tuple[str, int]]) -> list[str]:
    """Return what the seats are called, by seat, of bots and their versions: a bot's name, with the version where it
    meets another of its own, and the seat's number where it meets itself."""
    versions = {called: {version for name, version in players if name == called} for called, _ in players}
    return tell_apart(f"{name} v{version}" if len(versions[name]) > 1 else name for name, version in players)


def tell_apart(players: Iterable[str]) -> list[str]:
    """Return what seats are called in sentences, by seat, whose players have these names."""
    names = [isolated(name) for name in players]
    return [name if names.count(name) == 1 else name + say(SEATED, seat=seat) for seat, name in enumerate(names)]


def isolated(name: str) -> str:
    """Written from right to left, it turns nothing around that stands beside it."""
    turns = any(bidirectional(sign) in ("R", "AL") for sign in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if turns else name


def faults(answers: Sequence[Any], names: Sequence[str], gone: set[int]) -> list[Part]:
    """Faults among the answers of one step. A seat is reported as `gone` once."""
    lines: list[Part] = []
    for seat, _, _, *fault in answers:
        if fault == [STANDS_IN] and seat not in gone:
            gone.add(seat)
            lines.append(
                Line(
                    say("%(name)s has forfeited; from here on the default answers for it.", name=names[seat]),
                    "bad",
                    seat,
                )
            )
        elif fault and fault != [STANDS_IN]:
            lines.append(
                Line(
                    say(
                        "%(name)s is at fault (%(fault)s), and the default answers for it.",
                        name=names[seat],
                        fault=word(fault[0]),
                    ),
                    "bad",
                    seat,
                )
            )
    return lines


def ending(replay: Replay, names: Sequence[str]) -> list[Line]:
    """The last line says who has won."""
    out = join_with_and([name for name, forfeit in zip(names, replay.result.forfeits, strict=True) if forfeit])
    winners = [name for name, place in zip(names, replay.result.places, strict=True) if place == 1]
    lines = [Line(say("The last place is for %(out)s, by forfeit.", out=out), "bad")] if out else []
    won = say_number("%(names)s wins.", "%(names)s share the win.", len(winners), names=join_with_and(winners))
    return [*lines, Line(won, "key")]


def bind_chapters(parts: Sequence[Part]) -> list[Chapter]:
    chapters = [Chapter(say("Before the first round"))]
    for part in parts:
        if isinstance(part, Chapter):
            chapters.append(part)
        elif part:
            chapters[-1].lines.append(part)
    return [chapter for chapter in chapters if chapter.lines]
