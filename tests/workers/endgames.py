"""Last decisions of matches with a known best answer, by exhaustive search: `python3 -m tests.workers.endgames`.

Each seat takes what gives it the largest share of the win, then the furthest lead (max^n). Where that leaves others a
choice, it is made once for and once against the seat that is asked: what is best in both is known to be best, and a
decision counts if some answer is not. Matches are of rungs drawn by lot, and so is the decision of each.
"""

import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from bots.command.measure import Seated, ladder_of, usual_options
from bots.environments.encoding import encoding_of
from bots.imagine import AnyMatch
from bots.viewer.chances import at_the_end
from engine.core import Seat
from engine.game import AnyGame
from engine.games import GAMES
from engine.records import Record, canonical, to_plain
from engine.referee import Conduct, run_match
from engine.replay import Player, Replay, record
from workers.suggestions import Asked, asked_at, suggest

LATEST: Final = 4  # answers before the end, of which one is looked at
MOST: Final = 4000  # positions of one search
Worth = tuple[tuple[float, float], ...]  # by seat: its share of the win, and its lead


class TooMany(Exception):
    """The rest of the match has more positions than are searched."""


@dataclass(slots=True)
class Search:
    """`friendly`: whether choices that are left to others are made for the seat that is asked, or against it."""

    game: AnyGame
    options: dict[str, object]
    conduct: Conduct
    seat: Seat
    friendly: bool
    looked_at: int = 0

    def worths(self, match: AnyMatch, seat: Seat) -> dict[str, Worth]:
        return {canonical(answer): self.worth(after(match, seat, answer)) for answer in self.answers(match, seat)}

    def worth(self, match: AnyMatch) -> Worth:
        self.looked_at += 1
        if self.looked_at > MOST or len(match.questions) > 1:
            raise TooMany
        if match.over:
            return self.at_the_end(match)
        seat = min(match.questions)
        sign = 1 if self.friendly else -1
        return max(
            (self.worth(after(match, seat, answer)) for answer in self.answers(match, seat)),
            key=lambda worth: (worth[seat], sign * worth[self.seat][0]),
        )

    def at_the_end(self, match: AnyMatch) -> Worth:
        shares = at_the_end(self.conduct.result(self.game, match.at).places)
        scores = self.game.scores(match.at)
        leads = [score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)]
        return tuple(zip(shares, leads, strict=True))

    def answers(self, match: AnyMatch, seat: Seat) -> Iterator[Record]:
        """Yield the legal answers."""
        question = match.questions[seat]
        encoding = encoding_of(self.game.name, self.options).ways[type(question)]
        open_parts = [[first] for first in encoding.legal(question, [])]
        while open_parts:
            parts = open_parts.pop()
            answer = encoding.answer(question, parts)
            if answer is None:
                open_parts += [[*parts, part] for part in encoding.legal(question, parts)]
            else:
                yield answer


def after(match: AnyMatch, seat: Seat, answer: Record) -> AnyMatch:
    ahead = match.copy()
    ahead.apply({seat: answer})
    return ahead


def known_best(asked: Asked) -> set[str] | None:
    """The answers that are best, if that is known and not all are; nothing of the position may be hidden."""
    match = asked.mind.imagine(asked.view)
    best_by_attitude = []
    for friendly in (True, False):
        search = Search(asked.game, asked.encoded, asked.conduct, asked.seat, friendly)
        try:
            shares = {name: worth[asked.seat][0] for name, worth in search.worths(match, asked.seat).items()}
        except TooMany:
            return None
        best_by_attitude.append({name for name, share in shares.items() if share == max(shares.values())})
    best, best_against_rivals = best_by_attitude
    return best if best == best_against_rivals and len(best) < len(shares) else None


def a_match(game_name: str, draw: random.Random) -> Replay:
    game, ladder = GAMES[game_name], ladder_of(game_name)
    players = draw.choice([count for count in game.players if count < 5])
    options = game.read_options({**to_plain(usual_options(game_name)), "players": players})
    seed = f"endgame {draw.random()}"
    numbers = [draw.randrange(3, len(ladder) - 2) for _ in range(players)]
    played = run_match(game, options, seed, Seated(game_name, ladder, numbers))
    return record(game, options, seed, [Player(f"bot {seat}") for seat in range(players)], played)


def decision(game: str, number: int) -> tuple[Asked, set[str]] | None:
    """The decision of that number, with its best answers, if they are known and not all."""
    draw = random.Random(f"{game} {number}")
    replay = a_match(game, draw)
    moment = len(replay.answers) - draw.randint(1, LATEST)
    asked = asked_at(replay, max(0, moment))
    best = known_best(asked)
    return (asked, best) if best else None


def named(asked: Asked, playouts: int) -> tuple[str, bool]:
    """The best-named answer, the given one if no other has a better chance; and whether it is claimed to be better."""
    (given, *alternatives), _ = suggest(asked, playouts, 1000.0)
    top = max([given, *alternatives], key=lambda suggestion: suggestion.chance)
    return canonical(top.answer), top.chance - given.chance > top.margin


def figures(game: str, numbers: Iterable[int], count: int, playouts: int) -> dict[str, Any]:
    """How often, of so many decisions, the best-named answer is best, the given one was, and a claim was wrong."""
    used: list[int] = []
    right = given = claimed = wrong = 0
    for number in numbers:
        if len(used) < count and (solved := decision(game, number)):
            asked, best = solved
            answer, is_claimed = named(asked, playouts)
            used.append(number)
            right, given = right + (answer in best), given + (canonical(asked.given) in best)
            claimed, wrong = claimed + is_claimed, wrong + (is_claimed and answer not in best)
    return {"decisions": used, "named best": right, "given best": given, "claimed": claimed, "wrongly": wrong}


if __name__ == "__main__":
    decisions = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for name in sys.argv[2:] or ("zaibatsu", "network"):
        print(name, figures(name, range(100 * decisions), decisions, 4000), flush=True)
