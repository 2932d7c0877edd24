"""Network, by look-ahead: each promising answer is tried, and all go on greedily from there.

Nothing is hidden or left to chance, so one line of play for each answer shows the outcome if all are greedy.
"""

from typing import Any

from bots.games.network.samples import greedy
from bots.imagine import AnyMatch, Imagination, rollout, step
from bots.sdk import play
from engine.core import Question, Seat
from engine.games.network import Act, Auction, Bid, Build, Pass, Stop, ToBid, ToBuild, ToTurn, View, see
from engine.records import Record

AHEAD = 60  # answers to look ahead
WIDTH = 6  # builds to try


def candidates(view: View, question: ToTurn | ToBid | ToBuild) -> list[Record]:
    """Return what is worth a try, the greedy answer among it."""
    match question:
        case ToTurn():
            ranked = sorted(greedy.builds(view, question.sites), key=lambda build: -build[0])[:WIDTH]
            acts = [Act(site.company, site.hex, value) for _, site, value in ranked]
            open_with = [(offer, bid) for offer in question.offers for bid in (0, offer.least) if bid <= question.cash]
            return [Pass(), *acts, *(Auction(offer.company, offer.source, bid) for offer, bid in open_with)]
        case ToBid(low, high):
            return [Bid(0), *(Bid(low + more) for more in (0, 2, 5) if low + more <= high)]
        case ToBuild(sites):
            ranked = sorted(greedy.builds(view, sites), key=lambda build: -build[0])[:WIDTH]
            return [Stop(), *(Build(site.hex, value) for _, site, value in ranked)]


def policy(match: AnyMatch, seat: Seat, question: Question[Any]) -> Record:
    return greedy.choose(see(match.at, seat), question)  # type: ignore[arg-type]


class Bot:
    def __init__(self) -> None:
        self.mind = Imagination("network")
        self.hear = self.mind.hear

    def choose(self, view: View, question: ToTurn | ToBid | ToBuild) -> Record:
        now = self.mind.imagine(view)
        return max(candidates(view, question), key=lambda answer: self.worth(now, view.seat, answer))

    def worth(self, now: AnyMatch, seat: Seat, answer: Record) -> float:
        """Our net worth beside that of the best rival, a while after this answer."""
        ahead = now.copy()
        step(ahead, {seat: answer}, policy)
        rollout(ahead, policy, AHEAD)
        scores = self.mind.scores(ahead)
        return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


if __name__ == "__main__":
    bot = Bot()
    play(bot.choose, bot.hear)
