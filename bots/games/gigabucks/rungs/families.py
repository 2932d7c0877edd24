"""The families of Corporate Gigabucks."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bots.games.gigabucks.samples import greedy, random
from bots.games.gigabucks.samples.greedy import Taste
from bots.rungs.players import Ladder, Lesson, Player, Reflex
from engine.games.gigabucks import Action, View


def tasting(**numbers: float) -> Reflex:
    """The rules of thumb with other numbers: what things are worth is linear in them."""
    taste = Taste(**numbers)

    def choose(view: View, question: Any) -> Action:
        return greedy.choose(view, question, taste)

    return Reflex(choose)


FAMILIES: Final[dict[str, Callable[..., Player]]] = {
    "random": partial(Reflex, random.choose),
    "greedy": tasting,
    "linear": partial(tasting, landings=21, spend=0.518, charter=11.6, joined=4, denied=1.73),  # learnt, see below
}
LEARNT: Final = Lesson(
    "greedy",
    ["landings=5:15:45", "spend=0.1:0.4:1", "charter=0:4.5:12", "joined=0:3:9", "denied=0:0.7:3"],
    steps=80,
    sets=3,
)
LADDER: Final[Ladder] = (
    ("random", {}),
    ("greedy", {"noise": 0.55}),
    ("greedy", {"noise": 0.19}),
    ("greedy", {"noise": 0.14}),
    ("greedy", {"noise": 0.09}),
    ("greedy", {"noise": 0.05}),
    ("linear", {"noise": 0.135}),
    ("linear", {"noise": 0.1}),
    ("linear", {"noise": 0.068}),
    ("linear", {"noise": 0.041}),
    ("linear", {"noise": 0.022}),
    ("linear", {}),
)
