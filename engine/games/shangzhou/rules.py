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
from engine.seats import places_by_score

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
    position = Position(
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
        put_home(position, seat, drawn[seat])
    return position


def draw_homes(players: int, dice: Dice) -> list[int]:
    """Draw sectors one step in from the corners: any of the four, but opposite ones for two players."""
    homes = list(dice.pick(OPPOSITE) if players == 2 else HOMES)
    dice.shuffle(homes)
    return homes[:players]


def put_home(position: Position, seat: Seat, sector: int) -> None:
    position.homes[seat] = sector
    position.zones[sector] = "home"


def rules(position: Position) -> Flow[None]:
    """Turn after turn of eight phases, until somebody has won or the last turn is over."""
    if position.turn == 0:
        yield from choose_homes(position)
    while not position.ending:
        if asking := TURN[PHASES[position.phase]](position):
            yield from asking
        if not position.ending:
            next_phase(position)
    if position.heard is not None:
        tell(
            position,
            Ended(position.ending, position.winners.copy(), scores(position), places_by_score(ranking(position))),
        )


def choose_homes(position: Position) -> Flow[None]:
    """The players choose their homes in the order of the priority list, where homes are to be chosen."""
    players = position.options.players
    if len(position.to_settle) in (0, players):
        tell(position, Setup(position.options, position.homes.copy(), position.priority.copy()))
    while position.to_settle:
        seat, free = position.to_settle[0], [home for home in HOMES if home not in position.homes]
        auto = len(free) == 1
        sector = (
            free[0] if auto else (yield from ask_one(position, seat, ToSettle(extras_for(position, seat), free))).sector
        )
        del position.to_settle[0]
        put_home(position, seat, sector)
        tell(position, Settled(seat, sector, auto))
    begin_turn(position)


def begin_turn(position: Position) -> None:
    position.turn, position.phase = position.turn + 1, 0
    tell(position, TurnBegun(position.turn))


def next_phase(position: Position) -> None:
    """Begin the next phase, or the next turn. The last turn over, the match is cut short."""
    position.phase += 1
    if position.phase < len(PHASES):
        return
    if position.turn < position.options.max_turns:
        begin_turn(position)
    else:
        position.ending = "cap"


# --- windows for Hackers and Viruses -------------------------------------------------------------------------------


def open_turn(position: Position) -> Flow[None]:
    """Players who hold a Hacker or a Virus may use it before income."""
    while holding := holders_of_tools(position):
        if not (yield from hold_window(position, holding, position.priority)):
            break


def close_turn(position: Position) -> Flow[None]:
    """The same before the check; and whoever has Clout may give it away, unless only the one opponent could get it."""
    giving = position.options.trading != "off" and position.options.players > 2
    while asked := holders_of_tools(position, giving=giving):
        if not (yield from hold_window(position, asked, position.order)) or not holders_of_tools(position):
            break


def holders_of_tools(position: Position, *, giving: bool = False) -> list[Seat]:
    """Return seats that hold a Hacker or a Virus or, with `giving`, Clout."""
    return [
        seat
        for seat in range(position.options.players)
        if position.hackers[seat] or position.viruses[seat] or (giving and position.clout[seat])
    ]


def hold_window(position: Position, asked: Sequence[Seat], order: Sequence[Seat]) -> Flow[bool]:
    """Ask all at once and resolve uses in order. Returns whether a tile was used: then there is another window."""
    before = sum(position.hackers) + sum(position.viruses)
    to_hack = hackable(position) if any(position.hackers) else []
    to_infect = infectable(position) if any(position.viruses) else []
    questions = {
        seat: ToAct(
            extras_for(position, seat),
            to_hack if position.hackers[seat] else [],
            to_infect if position.viruses[seat] else [],
        )
        for seat in asked
    }
    yield from ask_each(position, questions, order)
    return sum(position.hackers) + sum(position.viruses) < before


# --- 1 income ------------------------------------------------------------------------------------------------------


def collect_income(position: Position) -> None:
    """Four Clout for each player; three from each Production sector, and a die roll from each Commerce sector, to those
    with agents there."""
    paid = []
    for sector in SECTORS:
        zone = position.zones[sector]
        if zone == "P" or zone == "C":
            amount = PRODUCED if zone == "P" else 1 + position.dice.below(DIE)
            counts = all_agents(position.agents, sector)
            if any(counts):
                paid.append(Payout(sector, amount, list(shares(counts, amount))))
    base = position.options.base_income
    position.clout = [
        clout + base + sum(payout.paid[seat] for payout in paid) for seat, clout in enumerate(position.clout)
    ]
    tell(position, Income(base, paid, position.clout.copy()))


# --- 2 bidding for oversight ---------------------------------------------------------------------------------------


def bid_for_oversight(position: Position) -> Flow[None]:
    """Secret bids of zero or more, all at once; all are lost, and the highest determines the turn order this turn."""
    questions = {seat: ToOversee(extras_for(position, seat)) for seat in position.priority if position.clout[seat]}
    answers = yield from ask_each(position, questions, position.priority)
    bids = [answers[seat].amount if seat in answers else 0 for seat in range(position.options.players)]
    position.clout = [clout - bid for clout, bid in zip(position.clout, bids, strict=True)]
    position.overseer = overseer_of(position, bids)
    position.priority.remove(position.overseer)
    position.priority.append(position.overseer)
    tell(position, Overseen(bids, position.overseer, position.priority.copy()))


def overseer_of(position: Position, bids: Sequence[int]) -> Seat:
    """Return the highest bidder; of those tied, the first in the priority list, or one by lot."""
    tied = [seat for seat in position.priority if bids[seat] == max(bids)]
    return position.dice.pick(tied) if position.options.oversight_tie == "random" else tied[0]


# --- 3 display -----------------------------------------------------------------------------------------------------


def display_tiles(position: Position) -> None:
    """The top four tiles of the stack are up for bid this turn."""
    tiles, position.stack = position.stack[:DISPLAYED], position.stack[DISPLAYED:]
    position.lots = [Lot(tile, [0] * position.options.players) for tile in tiles]
    if tiles:
        tell(position, Displayed(tiles, len(position.stack)))


def first_offers(position: Position) -> Flow[None]:
    """The trade window."""
    if position.options.windows >= 1:
        yield from make_offers(position)


def second_offers(position: Position) -> Flow[None]:
    """A second trade window, if there is one."""
    if position.options.windows >= 2:
        yield from make_offers(position)


# --- the turn order ------------------------------------------------------------------------------------------------


def name_order(position: Position, phase: Ruled) -> Flow[None]:
    """The Overseer names the order of turns for a phase."""
    assert position.overseer is not None
    question = ToOrder(
        extras_for(position, position.overseer), position.priority.copy(), position.options.overseer_power == "start"
    )
    position.order = (yield from ask_one(position, position.overseer, question)).seats
    begin_rounds(position)
    tell(position, Ordered(phase, position.order.copy()))


def begin_rounds(position: Position) -> None:
    position.live, position.acts = position.order.copy(), [0] * position.options.players


def order_bids(position: Position) -> Flow[None]:
    if position.lots:
        yield from name_order(position, "bid")


def order_applying(position: Position) -> Flow[None]:
    """The Overseer names the order if more than one player has templates: else it does not matter."""
    if sum(map(bool, position.templates)) > 1:
        yield from name_order(position, "apply")
    begin_rounds(position)


def order_expanding(position: Position) -> Flow[None]:
    yield from name_order(position, "expand")


# --- 6 expanding and disputing control -----------------------------------------------------------------------------


def place_and_engage(position: Position) -> Flow[None]:
    """Players in turn place up to three Clout as agents, engage an opponent's agents in a sector, or pass and are out.

    Whoever can do neither, or has acted as often as a phase allows, passes without being asked.
    """
    while position.live:
        seat = position.live[0]
        can_place, can_engage = valid(position, seat) if position.clout[seat] else [], fights(position, seat)
        auto = position.acts[seat] >= position.options.max_expansions or not (can_place or can_engage)
        answer = (
            None
            if auto
            else (yield from ask_one(position, seat, ToExpand(extras_for(position, seat), can_place, can_engage)))
        )
        del position.live[0]
        match answer:
            case Expand(sectors):
                place(position, seat, sectors)
            case Engage(sector, opponent):
                engage(position, seat, opponent, sector)
            case _:
                tell(position, Passed("expand", seat, auto))


def place(position: Position, seat: Seat, sectors: Sequence[int]) -> None:
    """Turn each Clout placed into an agent."""
    for sector in sectors:
        position.agents[seat][sector] += 1
    position.clout[seat] -= len(sectors)
    count_action(position, seat)
    tell(position, Expanded(seat, list(sectors)))


def engage(position: Position, seat: Seat, opponent: Seat, sector: int) -> None:
    """Beginning with the opponent, both remove an agent in turn until one has none. A Virus may have left nobody."""
    attackers, defenders = position.agents[seat][sector], position.agents[opponent][sector]
    left = dispute(attackers, defenders) if attackers and defenders else (attackers, defenders)
    position.agents[seat][sector], position.agents[opponent][sector] = left
    count_action(position, seat)
    tell(position, Engaged(seat, opponent, sector, list(left)))


def count_action(position: Position, seat: Seat) -> None:
    position.acts[seat] += 1
    position.live.append(seat)


# --- 7 checking for control ----------------------------------------------------------------------------------------


def check_control(position: Position) -> None:
    """Four Critical Nodes win; else 33 exclusive sectors; else, with 25 Clout or more, the most Clout."""
    measured = standings(position)
    tell(
        position,
        Checked(
            [standing.sectors for standing in measured],
            [standing.nodes for standing in measured],
            position.clout.copy(),
        ),
    )
    if winners := holders(position, measured):
        position.ending = "critical"
    elif winners := widest(position, measured):
        position.ending = "sectors"
    elif winners := richest(position, measured):
        position.ending = "clout"
    position.winners = winners


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
    "expand": place_and_engage,
    "closing": close_turn,
    "check": check_control,
    "relinquish": veto_and_relinquish,
}
PHASES: Final[tuple[Phase, ...]] = tuple(TURN)
