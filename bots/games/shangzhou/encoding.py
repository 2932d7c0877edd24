"""Shangzhou-Gold: lists are put together one part at a time; a trade is one thing for one thing; bids are levels.

Tiles are used in windows. Gifts, words, and tiles that go with other answers are left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, Final

from bots.environments.actions import Actions, Again, Block, Single, amounts
from bots.environments.codecs import Codec, codes, counts, each, number, numbers, one_of, places
from bots.environments.encoding import Parts
from bots.environments.layout import layout, my_seat
from engine.games.shangzhou import (
    Accept,
    Apply,
    Ban,
    Bid,
    Bribe,
    Engage,
    Expand,
    Goods,
    Home,
    Offer,
    Offers,
    Options,
    Order,
    Pass,
    Position,
    ToAccept,
    ToAct,
    ToApply,
    ToBid,
    ToExpand,
    ToOffer,
    ToOrder,
    ToOversee,
    ToSettle,
    ToVeto,
    Use,
    Veto,
    View,
    Wait,
)
from engine.games.shangzhou.pieces import DISPLAYED, HOMES, MOST_PLACED, OFFERS, SECTORS, TILES
from engine.games.shangzhou.rules import PHASES
from engine.seats import clockwise

LEVELS: Final = 24  # of a bid
CLOUT: Final = range(1, 7)  # that may be offered or wanted in a trade
TEMPLATES: Final = ("C", "P", "U", "S", "R", "N")
TOOLS: Final = ("hacker", "virus")
BY_CLOUT: Final = tuple(f"{clout} clout" for clout in CLOUT)
THINGS: Final = (*BY_CLOUT, *TOOLS)
LEFT_OUT: Final = {
    "said": "there are no words",
    "to_settle": "who is asked says it",
    "exclusive": "it follows from the agents",
    "nodes": "it follows from the agents",
    "forecast": "it follows from the agents and zones",
    "ended": "nobody is asked after it",
    "winners": "nobody is asked after it",
}


def parts(options: Options) -> Parts:
    seats = range(options.players)
    actions = Actions.of(
        Block.listed("done"),
        Block.of(Home, sector=HOMES),
        Block.listed("use", tile=TOOLS, sector=SECTORS),
        Block.of(Bribe, amount=range(LEVELS)),
        Block.listed("trade", to=seats, give=(*THINGS, *TEMPLATES), want=("nothing", *THINGS)),
        Block.listed("accept", offer=range(OFFERS * options.players)),
        Block.listed("order", lambda seats: Order(list(seats)), seats=tuple(permutations(seats))),
        Block.of(Bid, lot=range(DISPLAYED), amount=range(LEVELS)),
        Block.of(Apply, template=TEMPLATES, sector=SECTORS),
        Block.listed("agent", sector=SECTORS),
        Block.of(Engage, sector=SECTORS, opponent=seats),
        Block.listed("ban", sector=SECTORS, seat=seats),
    )
    return Parts(
        layout(View, Position, placed(options.players), LEFT_OUT),
        actions,
        finds_by_question(actions, options),
        longest=200_000,
    )


def finds_by_question(actions: Actions, options: Options) -> dict[Any, Any]:
    block, done = actions.blocks, actions["done"].start
    use, trade, accept, ban = (block[name] for name in ("use", "trade", "accept", "ban"))
    return {
        ToSettle: Single(actions, lambda asked: [block["home"][place] for place in asked.places]),
        ToAct: Collected(
            done,
            find_uses(done, use),
            lambda action: Use(*use.value(action)),
            lambda collected: Wait(uses=collected),
            1,
        ),
        ToOversee: Levels(block["oversight"]),
        ToOffer: Collected(done, trades(done, trade), traded(trade), Offers, OFFERS),
        ToAccept: Collected(done, accepted(done, accept), accept.value, Accept, 2 * OFFERS * options.players),
        ToOrder: Single(actions, lambda asked: orders(block["order"], asked)),
        ToBid: Lots(block["bid"], done),
        ToApply: Single(actions, lambda asked: applied(block["apply"], asked)),
        ToExpand: Expanding(actions),
        ToVeto: Collected(done, bans(done, ban), lambda action: Ban(*ban.value(action)), Veto, len(SECTORS)),
    }


Find = Callable[[Any, Sequence[int]], Sequence[int]]  # `done` and what may be added, after these parts


@dataclass(frozen=True, slots=True)
class Collected:
    """A list of at most so many, one after the other until `done`. `part` is what an action adds to it."""

    done: int
    find: Find
    part: Callable[[int], Any]
    make: Callable[[list[Any]], Any]
    most: int

    def legal(self, asked: Any, parts: Sequence[int]) -> Sequence[int]:
        return self.find(asked, parts)

    def answer(self, asked: Any, parts: Sequence[int]) -> Any:
        is_done = parts[-1] == self.done
        if is_done or len(parts) == self.most or len(self.find(asked, parts)) == 1:
            return self.make([self.part(part) for part in (parts[:-1] if is_done else parts)])
        return None


def find_uses(done: int, block: Block) -> Find:
    def find(asked: ToAct, _parts: Sequence[int]) -> Sequence[int]:
        hacked = [block["hacker", sector] for sector in asked.hackable]
        return [done, *hacked, *[block["virus", sector] for sector in asked.infectable]]

    return find


def accepted(done: int, block: Block) -> Find:
    """Return the finder of offers by their numbers; what is accepted is in the order of these."""

    def find(asked: ToAccept, parts: Sequence[int]) -> Sequence[int]:
        last = max(parts, default=-1)
        return [done, *[action for offer in asked.offers if (action := block[offer.id]) > last]]

    return find


def bans(done: int, block: Block) -> Find:
    def find(asked: ToVeto, parts: Sequence[int]) -> Sequence[int]:
        actions = [block[ban.sector, ban.seat] for ban in asked.bans]
        return [done, *actions[actions.index(parts[-1]) + 1 if parts else 0 :]]

    return find


def trades(done: int, block: Block) -> Find:
    """Return the finder of trades: what the hand has, for anything that is not the same; Clout for Clout is no
    trade."""

    @lru_cache(maxsize=1 << 12)
    def found(to: tuple[int, ...], things: tuple[str, ...]) -> Again:
        wants = ("nothing", *THINGS)
        pairs = [(give, want) for give in things for want in wants if give[-5:] != want[-5:]]
        return Again((done, *(block[other, give, want] for other in to for give, want in pairs)))

    def find(asked: ToOffer, _parts: Sequence[int]) -> Sequence[int]:
        hand = asked.besides.hand
        tools = ("hacker",) * bool(hand.hackers) + ("virus",) * bool(hand.viruses)
        things = (*BY_CLOUT[: hand.clout], *tools, *sorted(set(hand.templates)))
        return found(tuple(asked.besides.to), things)

    return find


def traded(block: Block) -> Callable[[int], Offer]:
    def offer(action: int) -> Offer:
        to, give, want = block.value(action)
        return Offer(to, goods(give), goods(want))

    return offer


def goods(name: str) -> Goods:
    if name in TEMPLATES:
        return Goods(templates=[name])  # type: ignore[list-item]
    return Goods(
        clout=int(name[0]) if name.endswith(" clout") else 0,
        hackers=int(name == "hacker"),
        viruses=int(name == "virus"),
    )


def orders(block: Block, asked: ToOrder) -> list[int]:
    if asked.by_seat:
        return [block[tuple(clockwise(seat, len(asked.seats)))] for seat in asked.seats]
    return list(range(block.start, block.start + block.size))


def applied(block: Block, asked: ToApply) -> list[int]:
    return [
        block[template, sector] for template in sorted(set(asked.besides.hand.templates)) for sector in asked.sectors
    ]


@dataclass(frozen=True, slots=True)
class Levels:
    """A level of all that is from 0 to the Clout in hand."""

    block: Block

    def legal(self, asked: ToOversee, _parts: Sequence[int]) -> list[int]:
        return list(range(self.block.start, self.block.start + min(LEVELS, asked.besides.hand.clout + 1)))

    def answer(self, asked: ToOversee, parts: Sequence[int]) -> Bribe:
        return Bribe(amounts(0, asked.besides.hand.clout, LEVELS)[self.block.value(parts[0])])


@dataclass(frozen=True, slots=True)
class Lots:
    """A level of what can be put on a lot, from the least to all Clout in hand; `done` is to pass."""

    block: Block
    done: int

    def legal(self, asked: ToBid, _parts: Sequence[int]) -> list[int]:
        clout, actions = asked.besides.hand.clout, [self.done]
        for lot, least in enumerate(asked.least):
            start = self.block.start + lot * LEVELS
            actions += range(start, start + max(0, min(LEVELS, clout - least + 1)))
        return actions

    def answer(self, asked: ToBid, parts: Sequence[int]) -> Bid | Pass:
        if parts[0] == self.done:
            return Pass()
        lot, level = self.block.value(parts[0])
        return Bid(lot, amounts(asked.least[lot], asked.besides.hand.clout, LEVELS)[level])


@dataclass(frozen=True, slots=True)
class Expanding:
    """Agents one by one, up to three, until `done`; or a fight; or, at once, `done`, which is to pass."""

    actions: Actions

    def legal(self, asked: ToExpand, parts: Sequence[int]) -> list[int]:
        start = self.actions["agent"].start
        actions = [self.actions["done"].start, *(start + sector for sector in asked.valid)]
        return actions if parts else actions + [self.actions["engage"][fight] for fight in asked.fights]

    def answer(self, asked: ToExpand, parts: Sequence[int]) -> Pass | Engage | Expand | None:
        if parts[0] in self.actions["engage"]:
            fight: Engage = self.actions["engage"].answer(parts[0])
            return fight
        start, done = self.actions["agent"].start, self.actions["done"].start
        sectors = [part - start for part in parts if part != done]
        if parts[-1] == done:
            return Expand(sectors) if sectors else Pass()
        return Expand(sectors) if len(sectors) == min(MOST_PLACED, asked.besides.hand.clout) else None


def phase_of(position: Position, _seat: int) -> str:
    if position.ending:
        return "over"
    return PHASES[position.phase] if position.turn else "home"


def placed(seats: int) -> dict[str, Any]:
    seat, order, offers = one_of(range(seats)), places(seats), OFFERS * seats
    by_tile = tuple(TILES)
    return {
        "seat": (seat, my_seat),
        "turn": number(),
        "phase": (one_of((*PHASES, "home", "over")), phase_of),
        "zones": codes(len(SECTORS), ("", "home", *TEMPLATES), "by sector: 0 for nothing, home, then C, P, U, S, R, N"),
        "agents": each(seats, numbers(len(SECTORS)), "by sector"),
        "homes": numbers(seats, low=-1),
        "clout": numbers(seats),
        "hackers": numbers(seats),
        "viruses": numbers(seats),
        "templates": each(seats, counts(TEMPLATES, high=18)),
        "lots.tile": each(DISPLAYED, one_of(by_tile)),
        "lots.bids": each(DISPLAYED, numbers(seats)),
        "offers.by": each(offers, seat),
        "offers.to": each(offers, seat),
        **{
            f"offers.{side}.{what}": each(offers, number())
            for side in ("give", "want")
            for what in ("clout", "hackers", "viruses")
        },
        "offers.give.templates": each(offers, counts(TEMPLATES, high=18)),
        "priority": order,
        "overseer": seat,
        "order": order,
        "live": order,
        "acts": numbers(seats),
        "stack": (number(), lambda position, _seat: len(position.stack)),
        "gone": by_name(by_tile),
    }


def by_name(names: Sequence[str]) -> Codec:
    """The values of a dictionary; 0 for what is not in it."""
    return Codec((len(names),), lambda values: [values.get(name, 0) for name in names], about=", ".join(names))
