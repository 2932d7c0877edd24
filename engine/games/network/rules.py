"""The rules of Network in the order of the rulebook: a function is a paragraph, and its docstring is the rule."""

from engine.auctions import Ascending, ToBid, ascending
from engine.core import Flow, Seat, ask, tell
from engine.dice import Dice
from engine.games.network.events import (
    Built,
    Ended,
    Opened,
    PaidOut,
    Setup,
    Sold,
    Triggered,
    TurnTaken,
    Unsold,
    UpkeepPaid,
)
from engine.games.network.pieces import (
    CASH,
    CHIP,
    LARGE,
    MAPS,
    SHARES,
    SMALL,
    START_VALUE,
    TREASURY,
    Layout,
    disc,
    generate,
)
from engine.games.network.position import (
    Act,
    Auction,
    Build,
    Expansion,
    Offer,
    Options,
    Position,
    Sale,
    Source,
    ToBuild,
    ToTurn,
)
from engine.games.network.routes import land_of, sites
from engine.games.network.sites import Site, Sites, site_named, sites_for
from engine.seats import clockwise, places

NAMES = {SMALL: "small", LARGE: "large"}


def new(options: Options, dice: Dice) -> Position:
    """Lay out the map; each player has a company: four shares unauctioned, one auctioned, $25; its treasury has $5."""
    drawn = dice.below(options.players)  # drawn even when the option names a seat: the map must not depend on it
    first = drawn if options.first == "random" else options.first
    layout = _layout(options, dice)
    players, hexes = options.players, len(disc(layout.radius))
    return Position(
        options,
        dice,
        first,
        list(layout.mountains),
        list(layout.cities),
        owner=[-1] * hexes,
        value=[0] * hexes,
        cash=[CASH] * players,
        treasury=[TREASURY] * players,
        share_value=[START_VALUE] * players,
        unauctioned=[SHARES - 1] * players,
        pool=[0] * players,
        owned=[[int(company == seat) for company in range(players)] for seat in range(players)],
        to_act=first,
    )


def _layout(options: Options, dice: Dice) -> Layout:
    return generate(options.radius, dice) if options.map == "generated" else MAPS[NAMES[options.radius]]


def rules(at: Position) -> Flow[None]:
    """Turn after turn, clockwise, each an auction, an act for a company or a pass, until the end was triggered."""
    if at.turn == 0:
        tell(at, Setup(at.options, at.first, at.options.radius, at.mountains, at.cities))
        at.turn = 1
    while not at.ending:
        yield from take_turn(at)
        end_turn(at)
    if at.heard is not None:
        worth = scores(at)
        tell(at, Ended(at.ending, worth, places(worth)))


def take_turn(at: Position) -> Flow[None]:
    """One of three: auction a share, act for a company, or pass."""
    if not at.sale and not at.expansion:
        yield from choose(at)
    if at.sale:
        yield from hold_auction(at, at.sale)
    elif at.expansion:
        yield from act(at, at.expansion)


def choose(at: Position) -> Flow[None]:
    """Who can do nothing but pass is not asked."""
    seat = at.to_act
    offers, can_build = offers_of(at, seat), sites_of(at, seat)
    if not offers and not can_build:
        at.passes += 1
        tell(at, TurnTaken(seat, at.turn, "pass", auto=True))
        return
    answer = yield from ask(seat, ToTurn(at.cash[seat], offers, can_build, at.treasury.copy()))
    match answer:
        case Auction(company, source, bid):
            tell(at, TurnTaken(seat, at.turn, "auction"))
            call(at, company, source, bid)
        case Act():
            tell(at, TurnTaken(seat, at.turn, "act"))
            begin_act(at, answer, can_build)
        case _:
            at.passes += 1
            tell(at, TurnTaken(seat, at.turn, "pass"))


# --- auction -------------------------------------------------------------------------------------------------------


def offers_of(at: Position, seat: Seat) -> list[Offer]:
    """An unauctioned share that the player controls, or any in the bank's pool."""
    hand = [Offer(seat, "hand", at.share_value[seat])] * bool(at.unauctioned[seat])
    return hand + [Offer(company, "bank", at.share_value[company]) for company, many in enumerate(at.pool) if many]


def call(at: Position, company: int, source: Source, bid: int) -> None:
    """The turn player may open with the share value or more. Not to open is no pass: it is asked again, as the last."""
    seat = at.to_act
    order = clockwise(seat + 1, at.options.players)
    at.sale = Sale(company, source, seat, Ascending(order, bid, seat if bid else None))
    tell(at, Opened(seat, company, source, at.share_value[company], bid))


def hold_auction(at: Position, sale: Sale) -> Flow[None]:
    """Clockwise, each bids the share value at least and more than the highest, no more than its cash, or is out."""
    yield from ascending(at, sale.bids, at.share_value[sale.company], at.cash.__getitem__, bid)
    at.sale = None
    if sale.bids.leader is None:
        keep_unsold(at, sale)
    else:
        sell(at, sale, sale.bids.leader, sale.bids.high)


def bid(seat: Seat, low: int, high: int) -> Flow[int]:
    return (yield from ask(seat, ToBid(low, high))).amount


def keep_unsold(at: Position, sale: Sale) -> None:
    """Without a bid the share goes to the pool, and if it came from a player the bank pays the company for it.

    A share of the pool stays there, and the turn counts as a pass.
    """
    company, paid = sale.company, 0
    if sale.source == "hand":
        at.unauctioned[company] -= 1
        at.pool[company] += 1
        paid = at.share_value[company] if at.options.bank_buys_unsold else 0
        at.treasury[company] += paid
    at.passes = 0 if sale.source == "hand" else at.passes + 1
    tell(at, Unsold(company, sale.source, paid))


def sell(at: Position, sale: Sale, winner: Seat, price: int) -> None:
    """The winner owns the share, auctioned now, and pays the company's treasury, or for a pooled share the bank."""
    company, to_bank = sale.company, sale.source == "bank"
    at.cash[winner] -= price
    at.owned[winner][company] += 1
    if to_bank:
        at.pool[company] -= 1
    else:
        at.unauctioned[company] -= 1
        at.treasury[company] += price
    at.passes = 0
    tell(at, Sold(company, winner, price, "bank" if to_bank else "treasury"))
    if at.trigger is None and at.auctioned(company) == SHARES:
        trigger(at, company)


# --- act -----------------------------------------------------------------------------------------------------------


def sites_of(at: Position, seat: Seat) -> Sites:
    """Where the player can build, for every company of which it controls a share.

    A company may build no more value in a turn than it has auctioned shares.
    """
    terms = {
        company: (at.treasury[company], at.auctioned(company))
        for company, shares in enumerate(at.owned[seat])
        if shares or (company == seat and at.unauctioned[seat])
    }
    return land_of(at).sites_of(terms)


def begin_act(at: Position, told: Act, can_build: Sites) -> None:
    """One company in a turn, and all that it builds is of one kind."""
    site = site_named(sites_for(can_build, told.company), told.hex)
    at.passes = 0
    at.expansion = Expansion(told.company, at.auctioned(told.company), site.kind)
    expand(at, at.expansion, site, told.value, told.route)


def act(at: Position, expansion: Expansion) -> Flow[None]:
    """Expand as long as the limit, the treasury and the player want; then upkeep."""
    while can_build := sites(at, expansion.company, expansion.left, expansion.kind):
        answer = yield from ask(at.to_act, ToBuild(can_build, at.treasury[expansion.company]))
        if not isinstance(answer, Build):
            break
        expand(at, expansion, site_named(can_build, answer.hex), answer.value, answer.route)
    at.expansion = None
    pay_upkeep(at, at.to_act)


def expand(at: Position, expansion: Expansion, site: Site, value: int, chosen: int) -> None:
    """The treasury pays $5 for each chip and for the leased hexes their value, all to the bank."""
    company, number = expansion.company, at.board.number[site.hex]
    route = site.routes[chosen] if site.routes else None
    lease = route.cost if route else 0
    at.treasury[company] -= CHIP * value + lease
    at.land = land_of(at).with_built(number, company, value)
    at.owner[number], at.value[number] = company, value
    at.share_value[company] += value
    expansion.left -= value
    path = route.path if route else []
    tell(at, Built(at.to_act, company, site.hex, value, CHIP * value, lease, path))
    for leased, due in route.pays.items() if route else ():
        pay_out(at, "lease", int(leased), due)
    if site.kind == "city":
        pay_out(at, "city", company, value)


def pay_out(at: Position, reason: str, company: int, per_share: int) -> None:
    """The bank pays the owners of the company's auctioned shares: a city its value, a lease the value leased."""
    amounts = [shares[company] * per_share for shares in at.owned]
    at.cash = [cash + amount for cash, amount in zip(at.cash, amounts, strict=True)]
    tell(at, PaidOut("city" if reason == "city" else "lease", company, per_share, amounts))


def pay_upkeep(at: Position, seat: Seat) -> None:
    """$1 for each unauctioned share, to its company's treasury.

    As long as that is too much, a share goes to the pool, and the bank pays its share value into the treasury.
    """
    pooled = max(0, at.unauctioned[seat] - at.cash[seat])
    at.unauctioned[seat] -= pooled
    at.pool[seat] += pooled
    paid = at.unauctioned[seat]
    at.cash[seat] -= paid
    at.treasury[seat] += paid + pooled * at.share_value[seat]
    tell(at, UpkeepPaid(seat, paid, pooled, at.share_value[seat]))


# --- the end -------------------------------------------------------------------------------------------------------


def trigger(at: Position, company: int) -> None:
    """All other players get one more turn, and then all get one, beginning with the player who triggered the end."""
    at.trigger, at.turns_left = at.to_act, 2 * at.options.players
    tell(at, Triggered(at.to_act, company, at.turns_left - 1))


def end_turn(at: Position) -> None:
    """The match ends when all have passed in a row, or the last turn after the trigger is done."""
    if at.trigger is not None:
        at.turns_left -= 1
    if at.passes >= at.options.players:
        at.ending = "all_pass"
    elif at.trigger is not None and at.turns_left == 0:
        at.ending = "sold_out"
    elif at.turn >= at.options.max_turns:
        at.ending = "cap"
    else:
        at.turn += 1
        at.to_act = (at.to_act + 1) % at.options.players


def scores(at: Position) -> list[int]:
    """Net worth: cash, and the share value of every owned share."""
    return [
        cash + sum(many * value for many, value in zip(shares, at.share_value, strict=True))
        for cash, shares in zip(at.cash, at.owned, strict=True)
    ]
