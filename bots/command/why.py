"""`boardroom why`: where a seat lost a match, and the command to continue from each such moment with another answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

import click

from bots.command.options import json_option
from bots.command.output import print_text, to_stdout
from bots.command.replay_file import seat_in, sound
from bots.viewer.commentary.story import join_with_and as among
from bots.viewer.film_chunks import Look, find_moment
from bots.viewer.key_moments import Mark, marks_of, percent, shortlisted
from bots.viewer.player import Perspective
from bots.viewer.turning_points import TurningPoint, costly, decisions, led_last, says_something, unit_of
from engine.games import GAMES
from engine.luck import luck_of
from engine.luck_value import LuckError
from engine.records import to_plain
from engine.replay import Replay

BOT = "BOT"  # in commands to go on with: whose bot it is to be


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a seat ended where it did. `luck`: of the dice, as a part of a share; None where a game does not tell it.

    `unit`: what it stood by. `in_chances`: whether that is its chance of winning.
    """

    seat: int
    names: list[str]
    unit: str
    in_chances: bool
    points: list[TurningPoint]
    led_last: int | None
    marks: list[Mark]
    luck: float | None
    is_measured: bool


@click.command(
    epilog="\b\nExamples:\n  boardroom why match-42.json\n  boardroom why match-42.json --seat 1 --most 10\n"
    "  boardroom why match-42.json --json > reasons.json"
)
@click.argument("replay", type=click.Path(path_type=Path))
@click.option("--seat", type=click.IntRange(0), help="Whose, from 0; default: who came last.")
@click.option("--most", type=click.IntRange(1, 100), default=5, show_default=True, help="Moments at most.")
@json_option
def command(replay: Path, seat: int | None, most: int, as_json: bool) -> None:
    """Say where a seat lost the match in REPLAY: the decisions after which it fell back most, and its faults.

    A seat stands by its chance of winning, a value fitted on matches of the house's bots; in a game that has none, by
    what the game would count if it ended then, against the best other seat. Told are how many answers were given
    before, what it did, what came of it, what it cost until its next decision, how much of that came with the answer
    itself, and the command to play on from there with another bot.
    """
    original = sound(replay)
    chosen = last_of(original) if seat is None else seat_in(original, seat)
    report = reasons(original, chosen, most)
    if as_json:
        to_stdout(reasons_document(original, report, replay))
        return
    for line in sentences(original, report, replay):
        print_text(line)


def last_of(replay: Replay) -> int:
    return replay.result.places.index(max(replay.result.places))


def reasons(replay: Replay, seat: int, most: int) -> Reasons:
    seen: Look = find_moment(replay, Perspective.everything(len(replay.players)), 0)
    points = costly(decisions(replay, seen.outline, seen.names, seat), most)
    marks = shortlisted(marks_of(seen.outline, seen.names, seen.unit))
    last, is_measured = led_last(seen.outline, seat), says_something(seen.outline)
    unit, luck = unit_of(seen.outline, seen.unit), luck_of_seat(replay, seat)
    return Reasons(seat, seen.names, unit, bool(seen.outline.chances), points, last, marks, luck, is_measured)


def luck_of_seat(replay: Replay, seat: int) -> float | None:
    luck = GAMES[replay.game].luck
    if not luck or not luck.values:
        return None
    try:
        return float(luck_of(replay, luck.values[-1]).taken_out[seat])
    except LuckError:  # of a match that is too long to tell it
        return None


def fork_of(path: Path, seat: int, step: int) -> str:
    return f"boardroom fork {quote(str(path))} {BOT} --seat {seat} --at {step}"


def reasons_document(replay: Replay, reasons: Reasons, path: Path) -> dict[str, object]:
    return {
        "game": replay.game,
        "answers": len(replay.answers),
        "seat": reasons.seat,
        "name": reasons.names[reasons.seat],
        "result": to_plain(replay.result),
        "unit": reasons.unit,
        "in_chances": reasons.in_chances,
        "measured": reasons.is_measured,
        "led_last": reasons.led_last,
        "luck": reasons.luck,
        "moments": [of_point(point, reasons.seat, path) for point in reasons.points],
        "key_moments": [{"at": mark.at, "kind": mark.kind, "text": mark.text} for mark in reasons.marks],
    }


def of_point(point: TurningPoint, seat: int, path: Path) -> dict[str, object]:
    parts = {"own": point.own, "others": point.others}
    stood = {"before": point.before, "after": point.after, "cost": point.cost, **parts}
    facts = {"answer": point.answer, "did": point.did, "came": point.came, "fault": point.fault}
    return {"at": point.at, **facts, **stood, "fork": fork_of(path, seat, point.at)}


def sentences(replay: Replay, reasons: Reasons, path: Path) -> list[str]:
    lines = [result_sentence(replay, reasons), *standing_lines(reasons)]
    for point in reasons.points:
        lines += ["", headline(point, reasons), *(f"  {text}" for text in (*point.did, *point.came))]
        lines.append(f"  go on: {fork_of(path, reasons.seat, point.at)}")
    return lines if reasons.points else [*lines, "No decision of it was followed by a loss."]


def result_sentence(replay: Replay, reasons: Reasons) -> str:
    result, seat = replay.result, reasons.seat
    place, score = result.places[seat], result.scores[seat]
    winners = [name for name, rank in zip(reasons.names, result.places, strict=True) if rank == 1]
    won = f"{among(winners)} {'wins' if len(winners) == 1 else 'share the win'} with {max(result.scores)}"
    ended = f"{reasons.names[seat]}, seat {seat}, ends at place {place} of {len(reasons.names)} with {score} points"
    out = " and has forfeited" if result.forfeits[seat] else ""
    return f"{ended}{out}." if place == 1 else f"{ended}{out}; {won}."


def standing_lines(reasons: Reasons) -> Sequence[str]:
    lines = []
    if not reasons.is_measured:
        lines.append("This game does not tell how seats stand during a match, so faults alone can be named.")
    elif reasons.led_last is not None:
        better = "had a better chance" if reasons.in_chances else "stood better"
        lines.append(f"Until {reasons.led_last} answers were given nobody {better}, and from then on somebody did.")
    if reasons.luck is not None:
        lines.append(f"The luck of the dice moved its share of the opponents by {100 * reasons.luck:+.1f} %.")
    return lines


def headline(point: TurningPoint, reasons: Reasons) -> str:
    fault = f" {point.fault}, so that the default was taken in its place;" if point.fault else ""
    return f"After {point.at} answers:{fault} {fell(point, reasons)}"


def fell(point: TurningPoint, reasons: Reasons) -> str:
    if reasons.in_chances:
        parts = f"{point.own:+.0f} with its answer, {point.others:+.0f} by others and chance until its next one"
        return f"chance of winning {percent(point.before / 100)} → {percent(point.after / 100)}: {parts}"
    stood = f"from {point.before:+g} to {point.after:+g}"
    return f"{point.after - point.before:+g} {reasons.unit} against the best other seat, {stood}"
