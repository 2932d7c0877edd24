"""Measures the field of a game and writes it into `field.json`:

    python3 -m bots.command.measure zaibatsu --rounds 60

The rungs are those of the game's `LADDER`. They meet as neighbours do in `boardroom league --format neighbours --seed
field`, on the same deals, but in this process: no process has to start for a match, and the answers are the same. With
a journal (`--journal FILE`) it goes on where it was stopped.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from bots.command.league_tables import sets_in, tables_of
from bots.command.outcomes import Outcome
from bots.field import FILE, FORMAT, Field, Rung, code_of, read_fields, source
from bots.paired_ratings import RatedSet, Rating, neighbour_steps, ratings
from bots.rungs import families_of, rung
from bots.rungs.players import Ladder
from engine.core import Seat
from engine.games import GAMES
from engine.records import from_plain, to_plain
from engine.referee import Prompt, Reply, run_match

SEED: Final = "field"
SEATS: Final = 2


class Seated:
    """Players at a table of this process."""

    def __init__(self, game: str, ladder: Ladder, seats: Sequence[int]) -> None:
        self.players = [rung(game, ladder[number][0], **ladder[number][1]) for number in seats]

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        return {seat: self.answer(seat, prompt) for seat, prompt in prompts.items()}

    def answer(self, seat: Seat, prompt: Prompt) -> Reply:
        self.players[seat].hear(prompt.events)
        return Reply(to_plain(self.players[seat].choose(prompt.view, prompt.question)))

    def dismiss(self, seat: Seat) -> None:
        raise AssertionError(f"seat {seat} answered illegally")


def ladder_of(game: str) -> Ladder:
    ladder: Ladder = families_of(game).LADDER
    return ladder


def usual_options(game: str) -> Any:
    """Return the options with which the game's field is measured."""
    return GAMES[game].read_options({**getattr(families_of(game), "OPTIONS", {}), "players": SEATS})


def taken(game: str, options: Any, pair: Ladder, deal: str) -> float:
    """Return what the first of two took from the second in a set: one deal from both seats, 1 for each match it won."""
    took = 0.0
    for seats in ((0, 1), (1, 0)):
        places = run_match(GAMES[game], options, deal, Seated(game, pair, seats)).result.places
        first, second = places[seats.index(0)], places[seats.index(1)]
        took += 0.5 + (first < second) / 2 - (first > second) / 2
    return took


def outcomes(game: str, ladder: Ladder, numbers: range, seed: str = SEED) -> Iterator[Outcome]:
    """Matches by number, numbered as those of a league are."""
    tables, options = tables_of(len(ladder), SEATS, "neighbours"), usual_options(game)
    for number in numbers:
        played, turn = divmod(number, SEATS)
        table = tables[played % len(tables)]
        seats, dealt = [*table[turn:], *table[:turn]], f"{seed}/{played}"
        match = run_match(GAMES[game], options, dealt, Seated(game, ladder, seats))
        answers = [sum(answer.seat == seat for answer in match.answers) for seat in range(SEATS)]
        yield Outcome(number, seats, dealt, match.result.places, match.result.scores, answers, [0.0] * SEATS)


def measured_field(game: str, ladder: Ladder, sets: Sequence[RatedSet], rounds: int) -> Field:
    order = range(len(ladder))
    rated, ahead = ratings(len(ladder), sets), [[], *map(rounded, neighbour_steps(len(ladder), sets))]
    rungs = [
        Rung(
            bot=f"rung{number + 1}",
            family=family,
            numbers=dict(numbers),
            bundle=sha256(source(game, family, numbers)).hexdigest(),
            elo=rounded(rated[number])[0],
            interval=rounded(rated[number])[1:],
            ahead=ahead[number],
            sets=sum(number in rated_set.bots for rated_set in sets),
        )
        for number, (family, numbers) in zip(order, ladder, strict=True)
    ]
    return Field(game, GAMES[game].version, to_plain(usual_options(game)), SEED, rounds, code_of(game), rungs)


def rounded(rating: Rating) -> list[float]:
    """Return the rating and its interval."""
    return [round(elo, 1) for elo in (rating.elo, rating.low, rating.high)]


def played_matches(game: str, ladder: Ladder, rounds: int, journal: Path | None) -> list[Outcome]:
    """Return the matches: with a journal those in it, then the others."""
    done = matches_in(journal) if journal else []
    most = rounds * len(tables_of(len(ladder), SEATS, "neighbours")) * SEATS
    for outcome in outcomes(game, ladder, range(len(done), most)):
        done.append(outcome)
        if journal:
            with journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps(to_plain(outcome)) + "\n")
    return done[:most]


def matches_in(journal: Path) -> list[Outcome]:
    """Return the matches in the journal. A last line that was cut short is taken out, to be played again."""
    text = journal.read_text("utf-8") if journal.exists() else ""
    complete = text[: text.rfind("\n") + 1]
    if complete != text:
        journal.write_text(complete, "utf-8")
    return [from_plain(Outcome, json.loads(line), "outcome") for line in complete.splitlines()]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python3 -m bots.command.measure", description="Measure the field of a game.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--rounds", type=int, default=60, help="a set of each two neighbours in each (default 60)")
    parser.add_argument("--journal", type=Path, help="keep each match there, and go on from it")
    options = parser.parse_args(arguments)
    ladder = ladder_of(options.game)
    sets = list(sets_in(played_matches(options.game, ladder, options.rounds, options.journal), SEATS))
    measured = {**read_fields(), options.game: measured_field(options.game, ladder, sets, options.rounds)}
    document = {"boardroom_field": FORMAT, "fields": [to_plain(measured[game]) for game in sorted(measured)]}
    FILE.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
