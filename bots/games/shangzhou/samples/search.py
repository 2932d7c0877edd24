"""Shangzhou-Gold, by look-ahead: each promising answer is tried, and all go on greedily from there.

Every answer is tried on the same dice and the same stack, so that luck makes no difference between them.
"""

from collections.abc import Iterator
from typing import Any, Final

from bots.games.shangzhou.samples import greedy
from bots.imagine import AnyMatch, Imagination, rollout, step
from bots.sdk import play
from engine.core import Question, Seat
from engine.games.shangzhou import (
    Action,
    Apply,
    Bid,
    Bribe,
    Order,
    Pass,
    Position,
    ToAct,
    ToApply,
    ToBid,
    ToExpand,
    ToOrder,
    ToOversee,
    Use,
    View,
    Wait,
    standings,
)
from engine.records import Record

FUTURES: Final = 1
AHEAD: Final = 20  # answers to look ahead
WIDTH: Final = 5  # moves to try
BRIBES: Final = (0, 1, 2, 4)
WON: Final = 1000.0


def candidates(view: View, question: Question[Any]) -> Iterator[Action]:
    """The greedy answer first, then what else is worth a try."""
    seat = view.seat
    yield greedy.answer(view, seat, question)
    match question:
        case ToOversee():
            yield from (Bribe(amount) for amount in BRIBES if amount <= view.clout[seat])
        case ToOrder(seats=seats, by_seat=False):
            yield Order([*(other for other in seats if other != seat), seat])
        case ToBid(least=least):
            yield Pass()
            yield from (Bid(lot, amount) for lot, amount in enumerate(least) if amount <= view.clout[seat])
        case ToApply(sectors=sectors):
            reach = greedy.near(view, seat)
            for template in sorted(set(question.besides.hand.templates)):
                for sector in sorted(sectors, key=reach.__getitem__)[-2:]:
                    yield Apply(template, sector)
        case ToExpand():
            yield Pass()
            ranked = sorted(greedy.moves(view, seat, question), key=lambda move: -move[0])
            yield from (action for _, action in ranked[:WIDTH])
        case ToAct():
            yield Wait()
            worth = {sector: greedy.virus(view, seat, sector) for sector in question.infectable}
            yield from (Wait(uses=[Use("virus", sector)]) for sector in sorted(worth, key=worth.__getitem__)[-2:])
            worth = {sector: greedy.hacker(view, seat, sector) for sector in question.hackable}
            yield from (Wait(uses=[Use("hacker", sector)]) for sector in sorted(worth, key=worth.__getitem__)[-2:])


def policy(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
    return greedy.answer(match.at, seat, question)


def promise(position: Position, seat: Seat) -> float:
    """Return what the sectors and the Clout are worth to us, less what they are worth to the others on average."""
    if position.ending:
        return WON * (
            1 / len(position.winners)
            if seat in position.winners
            else -1.0
            if position.winners
            else standing(position, seat)
        )
    sectors = sum(
        greedy.worth(zone, greedy.agents_in(position, sector), seat) for sector, zone in enumerate(position.zones)
    )
    return sectors + (position.clout[seat] * len(position.clout) - sum(position.clout)) / (len(position.clout) - 1)


def standing(position: Position, seat: Seat) -> float:
    """Whether we are first at the cap."""
    ranked = standings(position)
    return 1.0 if ranked[seat] == max(ranked) else -1.0


class Bot:
    def __init__(self) -> None:
        self.mind = Imagination("shangzhou")

    def choose(self, view: View, question: Question[Any]) -> Action:
        answers = list({repr(answer): answer for answer in candidates(view, question)}.values())
        if len(answers) == 1:
            return answers[0]
        futures = [self.mind.imagine(view) for _ in range(FUTURES)]
        return max(answers, key=lambda answer: sum(self.worth(future, view.seat, answer) for future in futures))

    def worth(self, now: AnyMatch, seat: Seat, answer: Action) -> float:
        """How it looks for us a while after this answer."""
        ahead = now.copy()
        step(ahead, {seat: answer}, policy)
        rollout(ahead, policy, AHEAD)
        return promise(ahead.at, seat)


if __name__ == "__main__":
    bot = Bot()
    play(bot.choose)
