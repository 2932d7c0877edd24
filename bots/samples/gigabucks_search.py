"""Corporate Gigabucks, played on in the head: what is bid and bought more or less, and all go on greedily from there.

Every answer is tried on the same throws of the dice, so that luck does not tell them apart.
"""

from collections.abc import Iterator
from typing import Any

from bots.imagine import AnyMatch, Imagination, rollout, step
from bots.samples import gigabucks_greedy as greedy
from bots.sdk import play
from engine.core import Seat
from engine.games.gigabucks import Action, Bid, Lines, ToBid, ToBuyLines, View, see

FUTURES = 2  # throws of dice that each answer is tried on
AHEAD = 16  # answers to look ahead
BIDS = (0.0, 0.6, 1.0, 1.5)  # times the greedy one
LINES = (0.5, 1.0, 1.5)


def candidates(view: View, question: Any) -> Iterator[Action]:
    """The greedy answer first; a bid or a purchase also higher and lower."""
    first = greedy.choose(view, question)
    yield first
    match question, first:
        case ToBid(), Bid():
            base = first.amount or question.low
            for times in BIDS:
                amount = min(question.high, int(base * times)) // question.step * question.step
                yield Bid(amount if amount >= question.low else 0)
        case ToBuyLines(), Lines():
            for times in LINES:
                lines = {corp: max(1, int(number * times)) for corp, number in first.add.items()}
                if question.error(Lines(lines)) is None:
                    yield Lines(lines)


def policy(match: AnyMatch, seat: Seat, question: Any) -> Action:
    return greedy.choose(see(match.at, seat), question)


class Bot:
    def __init__(self) -> None:
        self.mind = Imagination("gigabucks")
        self.hear = self.mind.hear

    def choose(self, view: View, question: Any) -> Action:
        answers = list({repr(answer): answer for answer in candidates(view, question)}.values())
        if len(answers) == 1:
            return answers[0]
        futures = [self.mind.imagine(view) for _ in range(FUTURES)]
        return max(answers, key=lambda answer: sum(self.worth(future, view.seat, answer) for future in futures))

    def worth(self, now: AnyMatch, seat: Seat, answer: Action) -> float:
        """Our part of all that the players are worth, a while after this answer."""
        ahead = now.copy()
        step(ahead, {seat: answer}, policy)
        rollout(ahead, policy, AHEAD)
        worth = self.mind.scores(ahead)
        return worth[seat] / max(1.0, sum(worth))


if __name__ == "__main__":
    bot = Bot()
    play(bot.choose, bot.hear)
