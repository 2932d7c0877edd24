"""A match as a story: a headline, up to three beats and a finale, from what its film has computed already.

All of it is true of the replay: who won and by how much, who led until when, what was done at that moment. A game may
say for itself how a margin is written (`margin` of its viewer) and which of its events were deeds (`Line.deed`).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bots.viewer.film_chunks import Outline, find_moment
from bots.viewer.game_viewers import part_of
from bots.viewer.key_moments import Swing, largest_swings, lead_changes, outline_lines, percent
from bots.viewer.language import AS_SENTENCES, passed_on, say, told_in, word
from bots.viewer.player import Perspective
from bots.viewer.turning_points import says_something
from engine.core import Seat
from engine.referee import STANDS_IN
from engine.replay import Player, Replay
from engine.sentences import Sentence, as_data, list_sentence

MOST: Final = 3  # beats
NAMED: Final = 3  # names in a row; of more it is said how many
CLEAR: Final = 0.05  # in chances: who is ahead by less does not lead
PLACE: Final = re.compile("\ue000(\\d)")  # a seat's name, in a headline that is kept
NOTHING: Final = Sentence("")


@dataclass(frozen=True, slots=True)
class Beat:
    """What mattered, and the moment that shows it."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Story:
    result: str  # who has won, or how many
    headline: str
    beats: list[Beat]  # in the order of the match
    finale: str
    turning_point: Beat | None  # the one that tells most


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a match: its headline as data without a name in it, and what galleries choose by.

    `fair`: somebody won alone, and all played to the end. If so, `margin`: by which share of the winner's score it was
    above the next; `lowest`: the least chance that the winner had. Either is None where the game does not tell.
    """

    headline: object
    fair: bool = False
    margin: float | None = None
    lowest: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The last lead of somebody who did not win: it ended at the moment `at`, after what was `since`."""

    leader: Seat
    since: int
    at: int


def story_of(replay: Replay, outline: Outline, names: Sequence[str], unit: str) -> Story:
    """Return the story of a match that is over, in the language of its outline. `unit`: of what the game counts."""
    led, forfeits = leaders(outline), list(_forfeits(replay, outline, names))
    turn = last_turn(replay, outline, led)
    parts = _course(replay, outline, names, led, turn)
    parts += [beat.text for beat in forfeits if not all(replay.result.forfeits)]
    result, winners = _result(replay, names), len(winners_of(replay))
    headline = _headline(result, parts)
    if winners > 2 and not all(replay.result.forfeits):  # a heading is one line, on a phone too
        result = say("%(number)s share the win", number=winners)
    beats = _beats(outline, names, unit, turn, forfeits)
    first = beats[0] if beats else None
    return Story(result, headline, sorted(beats, key=lambda beat: beat.at), _finale(replay, names), first)


def kept_story(replay: Replay) -> Kept:
    """Return what is kept of a match that is over; `retold` makes the headline again. Raises ReplayError."""
    nameless = replace(replay, players=[Player(f"\ue000{seat}") for seat in range(len(replay.players))])
    with told_in(AS_SENTENCES):
        seen = find_moment(nameless, Perspective.everything(len(nameless.players)), 0)
        headline = as_data(story_of(nameless, seen.outline, seen.names, seen.unit).headline)
    margin, result = margin_of(replay), replay.result
    if margin is None or any(result.forfeits):
        return Kept(headline)
    (winner,) = winners_of(replay)
    chances, share = [standing[winner] for standing in seen.outline.chances], margin / max(1, result.scores[winner])
    return Kept(headline, fair=True, margin=share if margin >= 0 else None, lowest=min(chances, default=None))


def kept_headline(replay: Replay) -> object:
    return kept_story(replay).headline


def retold(data: Any, names: Sequence[str]) -> str:
    """Return a kept headline with the seats' names, in the language that is spoken; "" of what is none."""
    return passed_on(_sentence(data, names))


def _sentence(data: Any, names: Sequence[str]) -> str:
    match data:
        case {"sentence": str(template), "filled": dict(filled)}:
            return Sentence(template, **{key: _sentence(value, names) for key, value in filled.items()})
        case str():
            return PLACE.sub(lambda place: names[int(place[1])] if int(place[1]) < len(names) else "", data)
    return ""


# --- facts -----------------------------------------------------------------------------------------------------------


def leaders(outline: Outline) -> list[Seat | None]:
    """Return who led at each moment; nobody where it was close, or where the game does not tell."""
    least = CLEAR if outline.chances else 0.0
    return [_leader(standing, least) for standing in outline.chances or outline.worth]


def _leader(standing: Sequence[float], least: float) -> Seat | None:
    first = max(range(len(standing)), key=standing.__getitem__)
    others = [worth for seat, worth in enumerate(standing) if seat != first]
    return first if others and standing[first] > max(others) and standing[first] - max(others) >= least else None


def last_turn(replay: Replay, outline: Outline, led: Sequence[Seat | None]) -> Turn | None:
    """Return when the last leader who did not win lost the lead; None where nobody else had it. `led`: who led at each
    moment."""
    winners = winners_of(replay)
    last = max((number for number, seat in enumerate(led[:-1]) if seat not in (None, *winners)), default=None)
    if last is None or len(winners) == len(replay.players):
        return None
    standings, first = outline.chances or outline.worth, last
    while first and standings[first - 1] is standings[last]:  # of a long match only some moments were weighed
        first -= 1
    return Turn(led[last] or 0, outline.ats[first], outline.ats[last + 1])


def winners_of(replay: Replay) -> list[Seat]:
    return [seat for seat, place in enumerate(replay.result.places) if place == 1]


def margin_of(replay: Replay) -> int | None:
    """Return by how much the winner's score is above the best of those who played to the end; None where several won,
    and where nobody else played on."""
    result, winners = replay.result, winners_of(replay)
    rivals = [score for seat, score in enumerate(result.scores) if seat not in winners and not result.forfeits[seat]]
    return result.scores[winners[0]] - max(rivals) if len(winners) == 1 and rivals else None


def fatal_fault(replay: Replay, seat: Seat) -> tuple[int, str] | None:
    """Return the answer for which the seat forfeited, by its place in the replay, and the verdict; None if it did not
    start."""
    answers: Sequence[Any] = replay.answers
    faults = [(at, line[3]) for at, line in enumerate(answers) if line[0] == seat and line[3:] not in ([], [STANDS_IN])]
    return None if str(seat) in replay.absent else faults[-1] if faults else None


# --- sentences -------------------------------------------------------------------------------------------------------


def _headline(result: str, parts: Sequence[str]) -> str:
    if not parts:
        return say("%(result)s.", result=result)
    return say("%(result)s: %(parts)s.", result=result, parts=list_sentence(parts, NOTHING, "; "))


def _result(replay: Replay, names: Sequence[str]) -> str:
    result, winners, margin = replay.result, winners_of(replay), margin_of(replay)
    if all(result.forfeits):
        return say("Everybody forfeits")
    if len(winners) > 1:
        return say("%(names)s share the win", names=_row([names[seat] for seat in winners]))
    name = names[winners[0]]
    if len(names) == 1:
        return say("%(name)s ends with %(score)s", name=name, score=result.scores[0])
    if margin == 0:
        return say("%(name)s wins on the tie-break", name=name)
    by = part_of(replay.game, "margin", str)(margin) if margin and margin > 0 else ""
    return say("%(name)s wins by %(margin)s", name=name, margin=by) if by else say("%(name)s wins", name=name)


def _forfeits(replay: Replay, outline: Outline, names: Sequence[str]) -> Iterator[Beat]:
    """Yield what is said of forfeits, and the last moment before: one sentence, however many there were."""
    out = [seat for seat, forfeit in enumerate(replay.result.forfeits) if forfeit]
    faults = [fatal_fault(replay, seat) or (0, "") for seat in out]
    at = max(faults, default=(0, ""))[0]
    if len(out) > 1:
        yield Beat(at, say("%(names)s forfeited", names=_row([names[seat] for seat in out])))
    elif out and not faults[0][1]:
        yield Beat(at, say("%(name)s did not start", name=names[out[0]]))
    elif out:
        sentence, why = "%(name)s forfeited in %(when)s (%(why)s)", word(faults[0][1])
        yield Beat(at, say(sentence, name=names[out[0]], when=_when(outline, at), why=why))


def _course(
    replay: Replay, outline: Outline, names: Sequence[str], led: Sequence[Seat | None], turn: Turn | None
) -> list[str]:
    """Return who led, and what ended it; nothing where forfeits decided, or where the game does not tell."""
    winners = winners_of(replay)
    if not says_something(outline) or sum(replay.result.forfeits) >= len(names) - 1:
        return []
    if turn and turn.at == outline.ats[-1]:
        return [say("%(name)s led until the end", name=names[turn.leader])]
    if turn:
        deed = _deed(outline, turn.since, turn.at, turn.leader)
        led_until = say("%(name)s led until %(when)s", name=names[turn.leader], when=_when(outline, turn.at))
        return [led_until, deed] if deed else [led_until]
    behind = [number for number, seat in enumerate(led) if seat != winners[0]]
    since = behind[-1] + 1 if behind else 0
    if len(winners) > 1 or since == len(outline.ats):
        return []
    if since == len(outline.ats) - 1:
        return [say("it was open until the end")]
    return [say("ahead for good from %(when)s on", when=_when(outline, outline.ats[since]))]


def _beats(
    outline: Outline, names: Sequence[str], unit: str, turn: Turn | None, forfeits: Sequence[Beat]
) -> list[Beat]:
    """Return the turn, the forfeits and the largest swings before the end, what tells most first."""
    if outline.chances:
        moves = [Beat(swing.at, _swing(outline, names, swing)) for swing in largest_swings(outline)]
    else:
        changes = [*lead_changes(outline, names, unit)][::-1]
        moves = [
            Beat(mark.at, say("%(when)s: %(what)s", when=_when(outline, mark.at), what=mark.text)) for mark in changes
        ]
    moves = [beat for beat in moves if beat.at < outline.ats[-1]]
    moves.sort(key=lambda beat: not turn or beat.at != turn.at)
    out = [Beat(beat.at, say("%(what)s.", what=beat.text)) for beat in forfeits]
    return [*moves[:1], *out, *moves[1:]][:MOST]


def _swing(outline: Outline, names: Sequence[str], swing: Swing) -> str:
    filled = {"when": _when(outline, swing.at), "name": names[swing.seat]}
    filled |= {"before": percent(swing.before), "after": percent(swing.after)}
    deed = _deed(outline, swing.since, swing.at, swing.seat)
    if not deed:
        return say("%(when)s: %(name)s %(before)s → %(after)s.", **filled)
    return say("%(when)s: %(name)s %(before)s → %(after)s; %(deed)s.", deed=deed, **filled)


def _deed(outline: Outline, since: int, at: int, seat: Seat) -> str:
    """Return the last deed after one moment and up to another, the seat's own if there was one; "" without any."""
    lines = [line for line in outline_lines(outline) if since < line.at <= at and line.deed]
    lines.sort(key=lambda line: line.seat == seat)
    return lines[-1].deed if lines else ""


def _finale(replay: Replay, names: Sequence[str]) -> str:
    """Return the scores, the best place first."""
    result = replay.result
    rows = [
        say("%(name)s %(score)s (forfeit)" if result.forfeits[seat] else "%(name)s %(score)s", name=name, score=score)
        for seat, (name, score) in enumerate(zip(names, result.scores, strict=True))
    ]
    ranked = sorted(range(len(names)), key=lambda seat: result.places[seat])
    return say("In the end: %(scores)s.", scores=list_sentence([rows[seat] for seat in ranked], NOTHING))


def _when(outline: Outline, at: int) -> str:
    """Return the chapter of a moment, or which answer it is where there is none."""
    chapter = bisect_right(outline.scenes, at, key=lambda scene: scene.at) - 1
    return outline.scenes[chapter].title if chapter else say("answer %(at)s", at=at)


def _row(names: Sequence[str]) -> str:
    """Return the names in a row; of many only some."""
    shown = names if len(names) <= NAMED + 1 else names[:NAMED]
    if len(shown) < len(names):
        row = list_sentence(shown, NOTHING)
        return say("%(names)s and %(number)s others", names=row, number=len(names) - len(shown))
    if len(names) == 1:
        return names[0]
    return say("%(names)s and %(name)s", names=list_sentence(names[:-1], NOTHING), name=names[-1])
