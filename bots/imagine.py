"""For bots that look ahead: whole positions that are possible, and how they could go on.

    mind = Imagination("zaibatsu")

    def choose(view, question):
        match = mind.imagine(view)          # all that you cannot know is drawn
        ahead = match.copy()
        step(ahead, {view.seat: answer}, drawn(mind.dice))
        rollout(ahead, drawn(mind.dice))    # to the end
        scores = mind.scores(ahead)

    play(choose, mind.hear)

A match has the open `questions`, goes on by `apply`, and is copied by `copy` in microseconds.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.core import Event, Match, Question, Seat
from engine.dice import Dice, QuickDice
from engine.games import GAMES
from engine.records import Record

AnyMatch = Match[Any]
Policy = Callable[[AnyMatch, Seat, Question[Any]], Record]  # how a seat answers in what is imagined


class Imagination:
    """The events that a seat has seen, and the dice that draw what it cannot know. The same `seed` draws the same.

    They are quick dice, and so are those of all matches that are imagined.
    """

    def __init__(self, game: str, seed: str = "imagination") -> None:
        self.game, self.dice = GAMES[game], QuickDice.of(seed)
        self.heard: list[Event] = []

    def hear(self, events: Sequence[Event]) -> None:
        """Pass this to `bots.sdk.play`."""
        self.heard += events

    def imagine(self, view: Any) -> AnyMatch:
        """A match in which the seat has exactly this `view` and the same question."""
        return Match(self.game.rules, self.game.imagine(view, self.heard, self.dice))

    def scores(self, match: AnyMatch) -> list[int]:
        """Return the scores by seat, as if the match ended now."""
        return self.game.scores(match.at)


def drawn(dice: Dice) -> Policy:
    """Return a policy that may give every legal answer."""
    return lambda _match, _seat, question: question.draw(dice)


def step(match: AnyMatch, answers: Mapping[Seat, Record], policy: Policy) -> None:
    """Apply these answers, and the policy's for other seats that are asked at the same time."""
    match.apply(
        {seat: answers.get(seat) or policy(match, seat, question) for seat, question in match.questions.items()}
    )


def rollout(match: AnyMatch, policy: Policy, most: int | None = None) -> None:
    """Let the policy play for all seats, to the end or for `most` steps."""
    while not match.over and most != 0:
        step(match, {}, policy)
        most = most and most - 1
