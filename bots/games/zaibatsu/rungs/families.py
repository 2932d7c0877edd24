"""The families of Zaibatsu."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bots.games.zaibatsu.samples import blend, marginal, random
from bots.games.zaibatsu.samples.blend import Taste
from bots.rungs.players import Ladder, Lesson, Player, Reflex
from engine.games.zaibatsu import Bid, Call, Place, View


def tasting(**numbers: float) -> Reflex:
    """The look to the end of the round with other numbers."""
    taste = Taste(**numbers)

    def choose(view: View, question: Any) -> Bid | Call | Place:
        return blend.choose(view, question, taste)

    return Reflex(choose)


FAMILIES: Final[dict[str, Callable[..., Player]]] = {
    "random": partial(Reflex, random.choose),
    "marginal": partial(Reflex, marginal.choose),
    "blend": tasting,
    "learnt": partial(
        tasting,
        now1=0.183,
        now2=0.362,
        now3=0.545,
        money1=0.477,
        money2=0.422,
        money3=3.56,
        share=0.22,
        hope=1.96,
        denial=0.458,
    ),
}
LEARNT: Final = Lesson(
    "blend",
    (
        "now1=0.0:0.3:1.0",
        "now2=0.0:0.4:1.0",
        "now3=0.0:0.6:1.0",
        "money1=0.0:2.0:5.0",
        "money2=0.0:2.0:5.0",
        "money3=0.0:1.5:4.0",
        "share=0.2:0.6:1.2",
        "hope=0.0:1.0:3.0",
        "denial=0.0:0.3:1.0",
    ),
    steps=150,
    sets=2,
)
LADDER: Final[Ladder] = (
    ("random", {}),
    ("marginal", {"noise": 0.85}),
    ("marginal", {"noise": 0.57}),
    ("marginal", {"noise": 0.42}),
    ("marginal", {"noise": 0.1}),
    ("blend", {"noise": 0.38}),
    ("blend", {"noise": 0.27}),
    ("blend", {"noise": 0.19}),
    ("blend", {"noise": 0.1}),
    ("blend", {"noise": 0.01}),
    ("learnt", {"noise": 0.06}),
    ("learnt", {}),
)
