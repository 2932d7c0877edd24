"""Best-first minimax: the line of play that is best for all as far as one can see is looked at one answer further.

R. E. Korf and D. M. Chickering, "Best-First Minimax Search", Artificial Intelligence 84, 1996. Nothing is hidden or
drawn in Network, so a node is a position. At each the seat that is asked takes what puts it furthest ahead.
"""

from collections.abc import Sequence
from typing import Any, Final

from bots.games.network.rungs.worth import FINE, WEIGHTS, worths
from bots.games.network.samples import search
from bots.imagine import AnyMatch, Imagination
from bots.rungs.knowledge import lead_of
from engine.core import Event, Question, Seat
from engine.dice import QuickDice
from engine.games.network import NETWORK, Bid, ToBid, see
from engine.records import Record, canonical

WON: Final = 60 * FINE  # what it counts to be ahead when the match is over


class Node:
    """A position; the `leads` are by seat, and it is `done` when nothing below it is open."""

    __slots__ = ("answers", "done", "kids", "leads", "match", "seat")

    def __init__(self, match: AnyMatch, leads: list[int]) -> None:
        self.match, self.leads, self.done = match, leads, match.over
        self.seat: Seat = min(match.questions, default=-1)
        self.answers: list[Record] = []
        self.kids: list[Node] = []

    def best(self) -> Record:
        """The answer that leads furthest."""
        leads = [kid.leads[self.seat] for kid in self.kids]
        return self.answers[leads.index(max(leads))]

    def look_back(self) -> None:
        """Once more is known of what is below it."""
        self.leads = max(self.kids, key=lambda kid: kid.leads[self.seat]).leads
        self.done = all(kid.done for kid in self.kids)

    def next(self) -> "Node":
        """The best that is open."""
        return max([kid for kid in self.kids if not kid.done], key=lambda kid: kid.leads[self.seat])


class Minimax:
    """Looks at `playouts` positions. A `doubt` is by how many dollars each may be worth more or less than it seems: by
    lot, which is drawn from what it sees, so that two that search do not play the same match again on every map."""

    def __init__(self, playouts: float = 100, doubt: float = 0.3, weights: Sequence[int] = WEIGHTS) -> None:
        self.playouts, self.doubt, self.weights = int(playouts), round(doubt * FINE), weights
        self.mind = Imagination("network")

    def hear(self, events: Sequence[Event]) -> None:
        self.mind.hear(events)

    def choose(self, view: Any, _question: Any) -> Record:
        return self.searched(self.mind.imagine(view)).best()

    def searched(self, match: AnyMatch) -> Node:
        """Return the root of the tree, after the search from this position on."""
        root = Node(match, [])
        dice = QuickDice.of(f"doubt {canonical(see(match.at, root.seat))}")
        spent = self.expand(root, dice)
        root.look_back()
        while spent < self.playouts and not root.done and len(root.kids) > 1:
            path = [root]
            while path[-1].kids:
                path.append(path[-1].next())
            spent += self.expand(path[-1], dice)
            for node in reversed(path):
                node.look_back()
        return root

    def expand(self, node: Node, dice: QuickDice) -> int:
        """The number of new nodes."""
        node.answers = answers(node.match, node.seat, node.match.questions[node.seat])
        for answer in node.answers:
            ahead = node.match.copy()
            ahead.move({node.seat: answer})
            node.kids.append(Node(ahead, self.leads(ahead, dice)))
        return len(node.kids)

    def leads(self, match: AnyMatch, dice: QuickDice) -> list[int]:
        """Return by seat how far it is ahead of the best other one."""
        seats = range(match.at.options.players)
        if match.over:
            scores = NETWORK.scores(match.at)
            return [won(FINE * round(lead_of(scores, seat))) for seat in seats]
        seem = worths(match.at, self.weights)
        if self.doubt:
            seem = [worth + dice.below(2 * self.doubt + 1) - self.doubt for worth in seem]
        return [round(lead_of(seem, seat)) for seat in seats]


def won(lead: int) -> int:
    return lead + WON * ((lead > 0) - (lead < 0))


def answers(match: AnyMatch, seat: Seat, question: Question[Any]) -> list[Record]:
    """Return what is worth a try: of bids also one that nobody can raise."""
    candidates: list[Record] = search.candidates(see(match.at, seat), question)  # type: ignore[arg-type]
    if isinstance(question, ToBid) and match.at.sale:
        most = max([match.at.cash[other] for other in match.at.sale.bids.bidding if other != seat], default=0)
        candidates += [Bid(most)] * (question.low <= most <= question.high and Bid(most) not in candidates)
    return candidates
