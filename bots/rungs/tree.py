"""Monte Carlo tree search over information sets, with one tree for the seat that is asked (SO-ISMCTS).

P. I. Cowling, E. J. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4(2), 2012. Each play-out draws anew what the seat cannot know. A node is
what was answered so far; of its branches those count that are possible in what was drawn, and a branch is tried the
sooner the more it has won and the less often it was taken when it could be.
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import Any

from bots.imagine import AnyMatch, Imagination, rollout, step
from bots.rungs.knowledge import Knowledge
from engine.core import Event, Seat
from engine.records import Record


class Node:
    """An answer: how often it was taken, how often it could have been, and what its seat won."""

    __slots__ = ("branches", "possible", "visits", "won")

    def __init__(self) -> None:
        self.branches: dict[str, Node] = {}
        self.visits, self.possible, self.won = 0, 0, 0.0

    def promise(self, curiosity: float) -> float:
        if not self.visits:
            return float("inf")
        return self.won / self.visits + curiosity * sqrt(log(self.possible) / self.visits)


class Tree:
    """`playouts` for each answer, `ahead` answers long (0: to the end), of the first `width` answers at each node."""

    def __init__(
        self, knows: Knowledge, playouts: float = 50, ahead: float = 0, width: float = 99, curiosity: float = 0.4
    ) -> None:
        self.knows, self.mind = knows, Imagination(knows.game)
        self.playouts, self.ahead, self.width, self.curiosity = int(playouts), int(ahead), int(width), curiosity

    def hear(self, events: Sequence[Event]) -> None:
        self.mind.hear(events)

    def choose(self, view: Any, _question: Any) -> Record:
        now, root = self.mind.imagine(view), Node()
        answers = self.named(now, view.seat)
        if len(answers) > 1:
            for _ in range(self.playouts):
                self.play_out(self.mind.imagine(view), root, view.seat)
        return max(answers.items(), key=lambda pair: self.visits(root, pair[0]))[1]

    def visits(self, root: Node, name: str) -> tuple[int, float]:
        node = root.branches.get(name)
        return (node.visits, node.won) if node else (0, 0.0)

    def named(self, match: AnyMatch, seat: Seat) -> dict[str, Record]:
        answers = self.knows.answers(match, seat, match.questions[seat])
        return dict(list({repr(answer): answer for answer in answers}.items())[: self.width])

    def play_out(self, match: AnyMatch, node: Node, us: Seat) -> None:
        """Down the tree to a new branch, on by the policy, and back with what each seat won."""
        path, is_new = list[tuple[Seat, Node]](), False
        while not (match.over or is_new):
            seat = us if us in match.questions else min(match.questions)
            answers = self.named(match, seat)
            name, node = self.branch(node, answers)
            is_new = not node.visits
            path.append((seat, node))
            step(match, {seat: answers[name]}, self.knows.policy)
        rollout(match, self.knows.policy, self.ahead or None)
        for seat, taken in path:
            taken.visits += 1
            taken.won += self.knows.share(match, seat)

    def branch(self, node: Node, answers: dict[str, Record]) -> tuple[str, Node]:
        """Return the most promising branch; of those never taken the likely best."""
        branches = {name: node.branches.setdefault(name, Node()) for name in answers}
        for pair in branches.values():
            pair.possible += 1
        return max(branches.items(), key=lambda pair: pair[1].promise(self.curiosity))
