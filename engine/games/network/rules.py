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
from engine.games.network.sites import Site, Sites, legal_site, sites_for
from engine.seats import clockwise, places_by_score

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


def rules(position: Position) -> Flow[None]:
    """Turn after turn, clockwise, each an auction, an act for a company or a pass, until the end was triggered."""
    if position.turn == 0:
        tell(
            position,
            Setup(position.options, position.first, position.options.radius, position.mountains, position.cities),
        )
        position.turn = 1
    while not position.ending:
        yield from take_turn(position)
        end_turn(position)
    if position.heard is not None:
        worth = scores(position)
        tell(position, Ended(position.ending, worth, places_by_score(worth)))


def take_turn(position: Position) -> Flow[None]:
    """One of three: auction a share, act for a company, or pass."""
    if not position.sale and not position.expansion:
        yield from choose_action(position)
    if position.sale:
        yield from auction_share(position, position.sale)
    elif position.expansion:
        yield from act(position, position.expansion)


def choose_action(position: Position) -> Flow[None]:
    """Ask the player, unless it can do nothing but pass."""
    seat = position.to_act
    offers, can_build = offers_of(position, seat), sites_of(position, seat)
    if not offers and not can_build:
        position.passes += 1
        tell(position, TurnTaken(seat, position.turn, "pass", auto=True))
        return
    answer = yield from ask(seat, ToTurn(position.cash[seat], offers, can_build, position.treasury.copy()))
    match answer:
        case Auction(company, source, bid):
            tell(position, TurnTaken(seat, position.turn, "auction"))
            call(position, company, source, bid)
        case Act():
            tell(position, TurnTaken(seat, position.turn, "act"))
            begin_act(position, answer, can_build)
        case _:
            position.passes += 1
            tell(position, TurnTaken(seat, position.turn, "pass"))


# --- auction -------------------------------------------------------------------------------------------------------


def offers_of(position: Position, seat: Seat) -> list[Offer]:
    """Return an unauctioned share that the player controls, or any in the bank's pool."""
    hand = [Offer(seat, "hand", position.share_value[seat])] * bool(position.unauctioned[seat])
    return hand + [
        Offer(company, "bank", position.share_value[company]) for company, shares in enumerate(position.pool) if shares
    ]


def call(position: Position, company: int, source: Source, bid: int) -> None:
    """The turn player may open with the share value or more. Not to open is no pass: it is asked again, as the last."""
    seat = position.to_act
    order = clockwise(seat + 1, position.options.players)
    position.sale = Sale(company, source, seat, Ascending(order, bid, seat if bid else None))
    tell(position, Opened(seat, company, source, position.share_value[company], bid))


def auction_share(position: Position, sale: Sale) -> Flow[None]:
    """Clockwise, each bids the share value at least and more than the highest, no more than its cash, or is out."""
    yield from ascending(position, sale.bids, position.share_value[sale.company], position.cash.__getitem__, bid)
    position.sale = None
    if sale.bids.leader is None:
        keep_unsold(position, sale)
    else:
        sell(position, sale, sale.bids.leader, sale.bids.high)


def bid(seat: Seat, low: int, high: int) -> Flow[int]:
    return (yield from ask(seat, ToBid(low, high))).amount


def keep_unsold(position: Position, sale: Sale) -> None:
    """A share without a bid goes to the pool, and if it came from a player the bank pays the company for it.

    A share of the pool stays there, and the turn counts as a pass.
    """
    company, paid = sale.company, 0
    if sale.source == "hand":
        position.unauctioned[company] -= 1
        position.pool[company] += 1
        paid = position.share_value[company] if position.options.bank_buys_unsold else 0
        position.treasury[company] += paid
    position.passes = 0 if sale.source == "hand" else position.passes + 1
    tell(position, Unsold(company, sale.source, paid))


def sell(position: Position, sale: Sale, winner: Seat, price: int) -> None:
    """The winner owns the share, auctioned now, and pays the company's treasury, or for a pooled share the bank."""
    company, to_bank = sale.company, sale.source == "bank"
    position.cash[winner] -= price
    position.owned[winner][company] += 1
    if to_bank:
        position.pool[company] -= 1
    else:
        position.unauctioned[company] -= 1
        position.treasury[company] += price
    position.passes = 0
    tell(position, Sold(company, winner, price, "bank" if to_bank else "treasury"))
    if position.trigger is None and position.auctioned(company) == SHARES:
        trigger(position, company)


# --- act -----------------------------------------------------------------------------------------------------------


def sites_of(position: Position, seat: Seat) -> Sites:
    """Return sites on which the player can build, for every company of which it controls a share.

    A company may build no more value in a turn than it has auctioned shares.
    """
    terms = {
        company: (position.treasury[company], position.auctioned(company))
        for company, shares in enumerate(position.owned[seat])
        if shares or (company == seat and position.unauctioned[seat])
    }
    return land_of(position).sites_of(terms)


def begin_act(position: Position, answer: Act, can_build: Sites) -> None:
    """One company in a turn, and all that it builds is of one kind."""
    site = legal_site(sites_for(can_build, answer.company), answer.hex)
    position.passes = 0
    position.expansion = Expansion(answer.company, position.auctioned(answer.company), site.kind)
    expand_network(position, position.expansion, site, answer.value, answer.route)


def act(position: Position, expansion: Expansion) -> Flow[None]:
    """Expand as long as the limit, the treasury and the player want; then upkeep."""
    while can_build := sites(position, expansion.company, expansion.left, expansion.kind):
        answer = yield from ask(position.to_act, ToBuild(can_build, position.treasury[expansion.company]))
        if not isinstance(answer, Build):
            break
        expand_network(position, expansion, legal_site(can_build, answer.hex), answer.value, answer.route)
    position.expansion = None
    pay_upkeep(position, position.to_act)


def expand_network(position: Position, expansion: Expansion, site: Site, value: int, chosen: int) -> None:
    """The treasury pays $5 for each chip and for the leased hexes their value, all to the bank."""
    company, number = expansion.company, position.board.number[site.hex]
    route = site.routes[chosen] if site.routes else None
    lease = route.cost if route else 0
    position.treasury[company] -= CHIP * value + lease
    position.land = land_of(position).with_built(number, company, value)
    position.owner[number], position.value[number] = company, value
    position.share_value[company] += value
    expansion.left -= value
    path = route.path if route else []
    tell(position, Built(position.to_act, company, site.hex, value, CHIP * value, lease, path))
    for leased, due in route.pays.items() if route else ():
        pay_out(position, "lease", int(leased), due)
    if site.kind == "city":
        pay_out(position, "city", company, value)


def pay_out(position: Position, reason: str, company: int, per_share: int) -> None:
    """The bank pays the owners of the company's auctioned shares: a city its value, a lease the value leased."""
    amounts = [shares[company] * per_share for shares in position.owned]
    position.cash = [cash + amount for cash, amount in zip(position.cash, amounts, strict=True)]
    tell(position, PaidOut("city" if reason == "city" else "lease", company, per_share, amounts))


def pay_upkeep(position: Position, seat: Seat) -> None:
    """$1 for each unauctioned share, to its company's treasury.

    As long as that is too much, a share goes to the pool, and the bank pays its share value into the treasury.
    """
    pooled = max(0, position.unauctioned[seat] - position.cash[seat])
    position.unauctioned[seat] -= pooled
    position.pool[seat] += pooled
    paid = position.unauctioned[seat]
    position.cash[seat] -= paid
    position.treasury[seat] += paid + pooled * position.share_value[seat]
    tell(position, UpkeepPaid(seat, paid, pooled, position.share_value[seat]))


# --- the end -------------------------------------------------------------------------------------------------------


def trigger(position: Position, company: int) -> None:
    """Grant the other players one more turn, and then all one, beginning with the player who triggered the end."""
    position.trigger, position.turns_left = position.to_act, 2 * position.options.players
    tell(position, Triggered(position.to_act, company, position.turns_left - 1))


def end_turn(position: Position) -> None:
    """The match ends when all have passed in a row, or the last turn after the trigger is done."""
    if position.trigger is not None:
        position.turns_left -= 1
    if position.passes >= position.options.players:
        position.ending = "all_pass"
    elif position.trigger is not None and position.turns_left == 0:
        position.ending = "sold_out"
    elif position.turn >= position.options.max_turns:
        position.ending = "cap"
    else:
        position.turn += 1
        position.to_act = (position.to_act + 1) % position.options.players


def scores(position: Position) -> list[int]:
    """Return net worths by seat: cash, and the share value of every owned share."""
    return [
        cash + sum(owned * value for owned, value in zip(shares, position.share_value, strict=True))
        for cash, shares in zip(position.cash, position.owned, strict=True)
    ]
