"""The rules of Shangzhou-Gold in the order of the rulebook: a phase is a function, and its docstring is the rule."""

from collections.abc import Sequence
from typing import Final

from engine.core import Flow, Part, Seat, tell
from engine.dice import Dice
from engine.games.shangzhou.actions import Engage, Expand
from engine.games.shangzhou.control import (
    all_agents,
    dispute,
    fights,
    holders,
    richest,
    shares,
    standings,
    valid,
    widest,
)
from engine.games.shangzhou.events import (
    Checked,
    Displayed,
    Ended,
    Engaged,
    Expanded,
    Income,
    Ordered,
    Overseen,
    Passed,
    Payout,
    Settled,
    Setup,
    TurnBegun,
)
from engine.games.shangzhou.extras import (
    answer_offers,
    ask_each,
    ask_one,
    extras_for,
    hackable,
    infectable,
    make_offers,
)
from engine.games.shangzhou.pieces import DIE, DISPLAYED, HOMES, OPPOSITE, PRODUCED, SECTORS, TILES, Tile
from engine.games.shangzhou.position import Lot, Options, Phase, Position, Ruled
from engine.games.shangzhou.questions import ToAct, ToExpand, ToOrder, ToOversee, ToSettle
from engine.games.shangzhou.scoring import ranking, scores
from engine.games.shangzhou.storage import veto_and_relinquish
from engine.games.shangzhou.templates import apply_templates, bid_for_templates
from engine.seats import places

# --- setup ---------------------------------------------------------------------------------------------------------


def new(options: Options, dice: Dice) -> Position:
    """Shuffle the tiles into a stack; nobody has Clout. Homes, if not to be chosen, and the priority list are drawn."""
    seats = range(options.players)
    stack: list[Tile] = [tile for tile, number in TILES.items() for _ in range(number)]
    priority = list(seats)
    dice.shuffle(stack)
    dice.shuffle(priority)
    drawn = draw_homes(options.players, dice)  # even when they are to be chosen: the rest must not depend on it
    chosen = options.home_layout == "choose"
    at = Position(
        options,
        dice,
        stack,
        priority,
        homes=[-1 for _ in seats],
        zones=["" for _ in SECTORS],
        agents=[[0 for _ in SECTORS] for _ in seats],
        clout=[0 for _ in seats],
        hackers=[0 for _ in seats],
        viruses=[0 for _ in seats],
        templates=[[] for _ in seats],
        to_settle=priority.copy() if chosen else [],
        order=priority.copy(),
        acts=[0 for _ in seats],
        said=[0 for _ in seats],
    )
    for seat in () if chosen else seats:
        put_home(at, seat, drawn[seat])
    return at


def draw_homes(players: int, dice: Dice) -> list[int]:
    """One step in from the corners: any of the four, but opposite ones for two players."""
    homes = list(dice.pick(OPPOSITE) if players == 2 else HOMES)
    dice.shuffle(homes)
    return homes[:players]


def put_home(at: Position, seat: Seat, sector: int) -> None:
    at.homes[seat] = sector
    at.zones[sector] = "home"


def rules(at: Position) -> Flow[None]:
    """Turn after turn of eight phases, until somebody has won or the last turn is over."""
    if at.turn == 0:
        yield from set_up(at)
    while not at.ending:
        if asking := TURN[PHASES[at.phase]](at):
            yield from asking
        if not at.ending:
            next_phase(at)
    if at.heard is not None:
        tell(at, Ended(at.ending, at.winners.copy(), scores(at), places(ranking(at))))


def set_up(at: Position) -> Flow[None]:
    """Where homes are to be chosen, the players choose in the order of the priority list."""
    players = at.options.players
    if len(at.to_settle) in (0, players):
        tell(at, Setup(at.options, at.homes.copy(), at.priority.copy()))
    while at.to_settle:
        seat, free = at.to_settle[0], [home for home in HOMES if home not in at.homes]
        auto = len(free) == 1
        sector = free[0] if auto else (yield from ask_one(at, seat, ToSettle(extras_for(at, seat), free))).sector
        del at.to_settle[0]
        put_home(at, seat, sector)
        tell(at, Settled(seat, sector, auto))
    begin_turn(at)


def begin_turn(at: Position) -> None:
    at.turn, at.phase = at.turn + 1, 0
    tell(at, TurnBegun(at.turn))


def next_phase(at: Position) -> None:
    """After the last phase of the last turn the match is cut short."""
    at.phase += 1
    if at.phase < len(PHASES):
        return
    if at.turn < at.options.max_turns:
        begin_turn(at)
    else:
        at.ending = "cap"


# --- windows for Hackers and Viruses -------------------------------------------------------------------------------


def open_turn(at: Position) -> Flow[None]:
    """Before income, whoever holds a Hacker or a Virus may use it."""
    while holding := holders_of_tools(at):
        if not (yield from hold_window(at, holding, at.priority)):
            break


def close_turn(at: Position) -> Flow[None]:
    """Before the check too; and whoever has Clout may give it away, unless it could only go to the one opponent."""
    giving = at.options.trading != "off" and at.options.players > 2
    while asked := holders_of_tools(at, giving=giving):
        if not (yield from hold_window(at, asked, at.order)) or not holders_of_tools(at):
            break


def holders_of_tools(at: Position, *, giving: bool = False) -> list[Seat]:
    """Who holds a Hacker or a Virus or, with `giving`, Clout."""
    return [
        seat
        for seat in range(at.options.players)
        if at.hackers[seat] or at.viruses[seat] or (giving and at.clout[seat])
    ]


def hold_window(at: Position, asked: Sequence[Seat], order: Sequence[Seat]) -> Flow[bool]:
    """All are asked at once, and uses are resolved in order. Whether a tile was used: then there is another window."""
    before = sum(at.hackers) + sum(at.viruses)
    to_hack = hackable(at) if any(at.hackers) else []
    to_infect = infectable(at) if any(at.viruses) else []
    questions = {
        seat: ToAct(extras_for(at, seat), to_hack if at.hackers[seat] else [], to_infect if at.viruses[seat] else [])
        for seat in asked
    }
    yield from ask_each(at, questions, order)
    return sum(at.hackers) + sum(at.viruses) < before


# --- 1 income ------------------------------------------------------------------------------------------------------


def collect_income(at: Position) -> None:
    """Four Clout for each player; three from each Production sector, and a die roll from each Commerce sector, to those
    with agents there."""
    paid = []
    for sector in SECTORS:
        zone = at.zones[sector]
        if zone == "P" or zone == "C":
            amount = PRODUCED if zone == "P" else 1 + at.dice.below(DIE)
            there = all_agents(at.agents, sector)
            if any(there):
                paid.append(Payout(sector, amount, list(shares(there, amount))))
    base = at.options.base_income
    at.clout = [clout + base + sum(payout.paid[seat] for payout in paid) for seat, clout in enumerate(at.clout)]
    tell(at, Income(base, paid, at.clout.copy()))


# --- 2 bidding for oversight ---------------------------------------------------------------------------------------


def bid_for_oversight(at: Position) -> Flow[None]:
    """Secret bids of zero or more, all at once; all are lost, and the highest determines the turn order this turn."""
    questions = {seat: ToOversee(extras_for(at, seat)) for seat in at.priority if at.clout[seat]}
    answers = yield from ask_each(at, questions, at.priority)
    bids = [answers[seat].amount if seat in answers else 0 for seat in range(at.options.players)]
    at.clout = [clout - bid for clout, bid in zip(at.clout, bids, strict=True)]
    at.overseer = overseer_of(at, bids)
    at.priority.remove(at.overseer)
    at.priority.append(at.overseer)
    tell(at, Overseen(bids, at.overseer, at.priority.copy()))


def overseer_of(at: Position, bids: Sequence[int]) -> Seat:
    """The highest bidder; of those tied, the first in the priority list, or one by lot."""
    tied = [seat for seat in at.priority if bids[seat] == max(bids)]
    return at.dice.pick(tied) if at.options.oversight_tie == "random" else tied[0]


# --- 3 display -----------------------------------------------------------------------------------------------------


def display_tiles(at: Position) -> None:
    """The top four tiles of the stack are up for bid this turn."""
    tiles, at.stack = at.stack[:DISPLAYED], at.stack[DISPLAYED:]
    at.lots = [Lot(tile, [0] * at.options.players) for tile in tiles]
    if tiles:
        tell(at, Displayed(tiles, len(at.stack)))


def first_offers(at: Position) -> Flow[None]:
    """The trade window."""
    if at.options.windows >= 1:
        yield from make_offers(at)


def second_offers(at: Position) -> Flow[None]:
    """A second trade window, if there is one."""
    if at.options.windows >= 2:
        yield from make_offers(at)


# --- the turn order ------------------------------------------------------------------------------------------------


def name_order(at: Position, phase: Ruled) -> Flow[None]:
    """The Overseer names the order of turns for a phase."""
    assert at.overseer is not None
    question = ToOrder(extras_for(at, at.overseer), at.priority.copy(), at.options.overseer_power == "start")
    at.order = (yield from ask_one(at, at.overseer, question)).seats
    begin_rounds(at)
    tell(at, Ordered(phase, at.order.copy()))


def begin_rounds(at: Position) -> None:
    at.live, at.acts = at.order.copy(), [0] * at.options.players


def order_bids(at: Position) -> Flow[None]:
    if at.lots:
        yield from name_order(at, "bid")


def order_applying(at: Position) -> Flow[None]:
    """Not if one player at most has templates: then it does not matter."""
    if sum(map(bool, at.templates)) > 1:
        yield from name_order(at, "apply")
    begin_rounds(at)


def order_expanding(at: Position) -> Flow[None]:
    yield from name_order(at, "expand")


# --- 6 expanding and disputing control -----------------------------------------------------------------------------


def expand(at: Position) -> Flow[None]:
    """In turn, place up to three Clout as agents, engage an opponent's agents in a sector, or pass and be out.

    Whoever can do neither, or has acted as often as a phase allows, passes without being asked.
    """
    while at.live:
        seat = at.live[0]
        can_place, can_engage = valid(at, seat) if at.clout[seat] else [], fights(at, seat)
        auto = at.acts[seat] >= at.options.max_expansions or not (can_place or can_engage)
        answer = None if auto else (yield from ask_one(at, seat, ToExpand(extras_for(at, seat), can_place, can_engage)))
        del at.live[0]
        match answer:
            case Expand(sectors):
                place(at, seat, sectors)
            case Engage(sector, opponent):
                engage(at, seat, opponent, sector)
            case _:
                tell(at, Passed("expand", seat, auto))


def place(at: Position, seat: Seat, sectors: Sequence[int]) -> None:
    """Each Clout placed becomes an agent."""
    for sector in sectors:
        at.agents[seat][sector] += 1
    at.clout[seat] -= len(sectors)
    count_action(at, seat)
    tell(at, Expanded(seat, list(sectors)))


def engage(at: Position, seat: Seat, opponent: Seat, sector: int) -> None:
    """Beginning with the opponent, both remove an agent in turn until one has none. A Virus may have left nobody."""
    own, theirs = at.agents[seat][sector], at.agents[opponent][sector]
    left = dispute(own, theirs) if own and theirs else (own, theirs)
    at.agents[seat][sector], at.agents[opponent][sector] = left
    count_action(at, seat)
    tell(at, Engaged(seat, opponent, sector, list(left)))


def count_action(at: Position, seat: Seat) -> None:
    at.acts[seat] += 1
    at.live.append(seat)


# --- 7 checking for control ----------------------------------------------------------------------------------------


def check_control(at: Position) -> None:
    """All four Critical Nodes win; else 33 exclusive sectors; else, with 25 Clout or more, the most Clout."""
    found = standings(at)
    tell(at, Checked([standing.sectors for standing in found], [standing.nodes for standing in found], at.clout.copy()))
    if winners := holders(at, found):
        at.ending = "critical"
    elif winners := widest(at, found):
        at.ending = "sectors"
    elif winners := richest(at, found):
        at.ending = "clout"
    at.winners = winners


TURN: Final[dict[Phase, Part[Position]]] = {
    "opening": open_turn,
    "income": collect_income,
    "oversight": bid_for_oversight,
    "display": display_tiles,
    "offers": first_offers,
    "answers": answer_offers,
    "order_bid": order_bids,
    "bid": bid_for_templates,
    "order_apply": order_applying,
    "apply": apply_templates,
    "offers_2": second_offers,
    "answers_2": answer_offers,
    "order_expand": order_expanding,
    "expand": expand,
    "closing": close_turn,
    "check": check_control,
    "relinquish": veto_and_relinquish,
}
PHASES: Final[tuple[Phase, ...]] = tuple(TURN)
