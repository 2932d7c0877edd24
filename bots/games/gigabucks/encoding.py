"""Corporate Gigabucks: bids and prices are levels; what is bought or offered is put together one part at a time.

Nobody resigns and nobody talks: these may go with any answer, and are left out.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from bots.environments.actions import Actions, Bids, Block, Single, Way, amounts
from bots.environments.codecs import counts, each, number, number_or, numbers, one_of, places, planes
from bots.environments.encoding import Parts
from bots.environments.layout import layout, my_seat
from engine.games.gigabucks import (
    Bid,
    Bundle,
    Choose,
    Cut,
    Lines,
    Offer,
    Options,
    Pick,
    Place,
    Position,
    ToBid,
    ToBuyLines,
    ToChoose,
    ToCut,
    ToOffer,
    ToPick,
    ToPlace,
    View,
)
from engine.games.gigabucks.pieces import BUNDLES, KINDS
from engine.games.gigabucks.position import Step

LEVELS: Final = 64  # of a bid
MANY: Final = 8  # levels of how many lines are bought, and of a minimum
MENU: Final = 4  # most bundles that are offered
SHOWN: Final = 8  # bundles of a menu that are observed
LEFT_OUT: Final = {
    "phase": "it is the first step that is to do",
    "said": "there is no talk",
    "resigning": "nobody resigns",
}


def parts(options: Options) -> Parts:
    spaces = range(options.spaces)
    actions = Actions.of(
        Block.of(Place, space=spaces),
        Bids.levels(Bid, LEVELS),
        Block.listed("lines", corp=spaces, many=range(MANY)),
        Block.listed("bundle", corp=spaces),
        Block.listed("minimum", level=range(MANY)),
        Block.of(Cut, by=("pass", *range(MANY))),
        Block.of(Pick, corp=spaces),
        Block.of(Choose, bundle=range(BUNDLES)),
        Block.listed("done"),
    )
    place, pick, choose = actions["place"].index, actions["pick"].index, actions["choose"].index
    by_question: dict[Any, Way] = {
        ToPlace: Single(actions, lambda asked: [place[space] for space in asked.spaces]),
        ToBid: Bids(actions["bid"]),
        ToBuyLines: Buying(actions),
        ToOffer: Offering(actions, options.currency),
        ToCut: Cutting(actions["cut"]),
        ToPick: Single(actions, lambda asked: [pick[corp] for corp in asked.corps]),
        ToChoose: Single(actions, lambda asked: [choose[bundle] for bundle in asked.bundles]),
    }
    return Parts(layout(View, Position, placed(options), LEFT_OUT), actions, by_question, longest=500_000)


@dataclass(frozen=True, slots=True)
class Buying:
    """So many lines for a corporation, a level from 1 to what can be paid; then more for another, or `done`."""

    actions: Actions

    def legal(self, asked: ToBuyLines, parts: Sequence[int]) -> list[int]:
        block, bought = self.actions["lines"], self.bought(asked, parts)
        left, free = asked.most - sum(bought.values()), [corp for corp in asked.corps if corp not in bought]
        levels = range(min(left, MANY))
        lines = [block[corp, level] for corp in free for level in levels]
        return [*lines, self.actions["done"].start] if parts else lines

    def answer(self, asked: ToBuyLines, parts: Sequence[int]) -> Lines | None:
        done = self.actions["done"].start
        bought = self.bought(asked, [part for part in parts if part != done])
        if parts[-1] == done or sum(bought.values()) == asked.most or len(bought) == len(asked.corps):
            return Lines({str(corp): number for corp, number in bought.items()})
        return None

    def bought(self, asked: ToBuyLines, parts: Sequence[int]) -> Counter[int]:
        bought = Counter[int]()
        for part in parts:
            corp, level = self.actions["lines"].value(part)
            bought[corp] += amounts(1, asked.most - sum(bought.values()), MANY)[level]
        return bought


@dataclass(frozen=True, slots=True)
class Offering:
    """Corporations of a bundle one by one, then its minimum; then another bundle, or `done`, which may be at once."""

    actions: Actions
    currency: int

    def legal(self, asked: ToOffer, parts: Sequence[int]) -> list[int]:
        block, (_, open_now) = self.actions["bundle"], self.menu(parts)
        corps = [block[corp] for corp in asked.corps if corp not in open_now]
        if open_now:
            prices = self.actions["minimum"]
            return [*corps, *range(prices.start, prices.start + min(MANY, self.currency))]
        return [*corps, self.actions["done"].start]

    def answer(self, _asked: ToOffer, parts: Sequence[int]) -> Offer | None:
        done = self.actions["done"].start
        menu, _ = self.menu([part for part in parts if part != done])
        return Offer(menu) if parts[-1] == done or len(menu) == MENU else None

    def menu(self, parts: Sequence[int]) -> tuple[list[Bundle], list[int]]:
        """The bundles so far, and what is in the next."""
        menu, corps = list[Bundle](), list[int]()
        for part in parts:
            if part in self.actions["bundle"]:
                corps.append(self.actions["bundle"].value(part))
            else:
                level = self.actions["minimum"].value(part)
                menu.append(Bundle(corps, amounts(1, self.currency, MANY)[level]))
                corps = []
        return menu, corps


@dataclass(frozen=True, slots=True)
class Cutting:
    """By how much, as a level of the range, or not."""

    block: Block

    def legal(self, asked: ToCut, _parts: Sequence[int]) -> list[int]:
        return list(range(self.block.start, self.block.start + 1 + min(MANY, asked.high - asked.low + 1)))

    def answer(self, asked: ToCut, parts: Sequence[int]) -> Cut:
        level = self.block.value(parts[0])
        return Cut(0 if level == "pass" else amounts(asked.low, asked.high, MANY)[level])


def placed(options: Options) -> dict[str, Any]:
    seats, spaces = options.players, options.spaces
    seat, order = one_of(range(seats)), places(seats)
    corps = counts(range(spaces), about="by space")
    return {
        "seat": (seat, my_seat),
        "turn": number(),
        "current": seat,
        "to_do": counts(get_args(Step), high=12),
        "order": order,
        "cash": numbers(seats),
        "tokens": each(seats, number_or(-1), "space; -1 for none"),
        "owner": planes(seats, spaces, "by space"),
        "lines": numbers(spaces),
        "chartered": numbers(spaces, high=1),
        "due.to": seat,
        "due.amount": number(),
        "auction.bidding": (order, "auction.bidding"),
        "auction.high": (number(), "auction.high"),
        "auction.leader": (seat, "auction.leader"),
        "auction.kind": (one_of(KINDS), "auction.kind"),
        "auction.by": (seat, "auction.by"),
        "auction.space": (one_of(range(spaces)), "auction.space"),
        "auction.least": (number(), "auction.least"),
        "auction.menu.corps": (each(SHOWN, corps), "auction.menu.corps"),
        "auction.menu.least": (each(SHOWN, number()), "auction.menu.least"),
        "winner": seat,
        "escrow": number(),
        "kept": numbers(seats),
        "exits.seat": counts(range(seats)),
        "turns": numbers(seats),
        "seated": number(),
        "decisions": number(),
    }
