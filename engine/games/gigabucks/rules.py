"""The rules of Corporate Gigabucks in the order of the rulebook: a step is a function, and its docstring is the rule.

A turn is a list of steps in the position. What a player lands on decides which steps follow.
"""

from collections.abc import Mapping
from typing import Final, Literal

from engine.core import Flow, Part, Seat, tell
from engine.dice import Dice
from engine.game import Rank
from engine.games.gigabucks.auctions import (
    call,
    charter,
    diversify,
    give,
    offer,
    pay,
    pay_each,
    reactivate,
    sell_one,
)
from engine.games.gigabucks.bidding import ask_unless_forced, hold_auction, used_up
from engine.games.gigabucks.events import (
    Bankrupt,
    Ended,
    Moved,
    Placed,
    Resigned,
    Royalty,
    Seated,
    Setup,
    Shared,
    TurnBegun,
)
from engine.games.gigabucks.position import Due, Exit, Options, Position, Step, corporations, from_left, players_in
from engine.games.gigabucks.questions import ToPlace
from engine.games.gigabucks.royalties import appraisal, parts_of
from engine.seats import clockwise, places

# --- preliminaries (sections 3 and 4) ------------------------------------------------------------------------------


def new(options: Options, dice: Dice) -> Position:
    """Everybody gets the same currency; there is no bank, and from here on it only passes between players."""
    players, spaces = options.players, options.spaces
    drawn = clockwise(0, players)
    dice.shuffle(drawn)  # drawn even when seats are fixed: what is rolled must not depend on it
    return Position(
        options,
        dice,
        order=clockwise(0, players) if options.seating == "fixed" else drawn,
        cash=[options.currency] * players,
        owner=[None] * spaces,
        lines=[0] * spaces,
        chartered=[False] * spaces,
        tokens=[None] * players,
        turns=[0] * players,
        leaving=[False] * players,
        said=[0] * players,
        kept=[0] * players,
    )


def rules(at: Position, steps: Mapping[Step, Part[Position]] | None = None) -> Flow[None]:
    """Turns follow each other, step by step, until the game is over. Who watches a step gives `steps` with its own."""
    steps = steps or STEPS
    while at.to_do:
        if asking := steps[at.to_do[0]](at):
            yield from asking
        del at.to_do[0]


def set_up(at: Position) -> None:
    """Seats and first player are drawn, fixed, or auctioned."""
    tell(at, Setup(at.options, at.order.copy()))
    at.to_do += ["seats", "turn"] if at.options.seating == "auction" else ["turn"]
    at.current = at.order[0]


def sell_seats(at: Position) -> Flow[None]:
    """Each place in the order of turns but the last is auctioned among those who have none; the winner pays each other.

    They bid in an order drawn by lot. If nobody bids, the first of them takes the place.
    """
    while at.seated < at.options.players:
        waiting = at.order[at.seated :]
        seat = waiting[0] if len(waiting) == 1 else (yield from sell_seat(at, waiting))
        waiting.remove(seat)
        at.order[at.seated :] = [seat, *waiting]
        at.seated += 1
        at.auction = None
        tell(at, Seated(seat, at.seated))
    at.current = at.order[0]


def sell_seat(at: Position, waiting: list[Seat]) -> Flow[Seat]:
    auction = at.auction or call(at, "seat", waiting, by=None)
    yield from hold_auction(at, auction)
    if auction.leader is None:
        return waiting[0]
    pay_each(at, auction.leader, auction.high, "seat")
    return auction.leader


# --- course of play (section 5) ------------------------------------------------------------------------------------


def begin_turn(at: Position) -> None:
    """In the first turn, or the first few, a player places the token; in all others it rolls the dice."""
    at.turn += 1
    at.turns[at.current] += 1
    at.winner = at.due = None
    at.to_do.append("place" if at.turns[at.current] <= at.options.flexible_rounds else "roll")
    tell(at, TurnBegun(at.turn, at.current))


def place_token(at: Position) -> Flow[None]:
    """Flexible placement: the player puts its token on any vacant space not yet chartered, so that it can be sold."""
    taken = {space for seat, space in enumerate(at.tokens) if seat != at.current}
    vacant = [space for space in range(at.options.spaces) if space not in taken]
    open_to = [space for space in vacant if not at.chartered[space]] or vacant
    space = (yield from ask_unless_forced(at, at.current, ToPlace(open_to))).space
    tell(at, Placed(at.current, space))
    land(at, space)


def roll(at: Position) -> None:
    """Inflexible placement: the dice decide where the token goes."""
    move(at, throw(at))


def throw(at: Position) -> list[int]:
    return [1 + at.dice.below(sides) for sides in at.options.dice]


def move(at: Position, dice: list[int]) -> None:
    """The token moves upwards by the dice, and on to the first space without another's token."""
    seat, size = at.current, at.options.spaces
    start = at.tokens[seat]
    assert start is not None
    taken = {space for other, space in enumerate(at.tokens) if other != seat}
    bumped = 0
    while (start + sum(dice) + bumped) % size in taken:
        bumped += 1
    space = (start + sum(dice) + bumped) % size
    tell(at, Moved(seat, dice, space, bumped))
    land(at, space)


def land(at: Position, space: int) -> None:
    """What happens on landing depends on the corporation there.

    - Not chartered: a charter auction.
    - Inactive, because its owner resigned: a reactivation auction.
    - Your own: a voluntary liquidation auction if you like, then a diversification auction.
    - An opponent's: pay the royalty, then the same; but if you have too little for it, only liquidate and pay.
    """
    at.tokens[at.current] = space
    owner = at.owner[space]
    if not at.chartered[space]:
        steps: list[Step] = ["charter"]
    elif owner is None:
        steps = ["reactivate"]
    elif owner == at.current:
        steps = ["offer", "diversify"]
    elif fix_royalty(at, owner, space) > at.cash[at.current]:
        steps = ["liquidate"]
    else:
        steps = ["pay", "offer", "diversify"] if at.options.diversify_on == "own_and_opponent" else ["pay", "offer"]
    at.to_do += [*steps, "end"]


# --- royalties (section 7) -----------------------------------------------------------------------------------------


def fix_royalty(at: Position, owner: Seat, space: int) -> int:
    """The royalty is fixed at the moment of landing: no later change in owners or lines affects it."""
    parts = parts_of(at.options, at.owner, at.lines, space)
    at.due = Due(owner, sum(parts.values()))
    tell(at, Royalty(at.current, owner, space, {str(other): part for other, part in parts.items()}, at.due.amount))
    return at.due.amount


def pay_due(at: Position) -> None:
    """Royalty is always paid; nobody can forgive it."""
    assert at.due
    pay_royalty(at, at.due)


def liquidate(at: Position) -> Flow[None]:
    """Short of currency, the player sells its corporations one by one until it can pay.

    If it has none left it pays what it has and is bankrupt; if nobody bids, the creditor takes all that it has.
    """
    assert at.due
    while at.cash[at.current] < at.due.amount and corporations(at, at.current):
        if not (yield from sell_one(at)):
            break
    if at.cash[at.current] >= at.due.amount:
        pay_royalty(at, at.due)
    else:
        go_bankrupt(at, at.due.to)


def pay_royalty(at: Position, due: Due) -> None:
    if due.amount:
        pay(at, at.current, [due.to], due.amount, "royalty")


def go_bankrupt(at: Position, creditor: Seat) -> None:
    """The creditor gets all that is left, and the player is out."""
    amount, at.cash[at.current] = at.cash[at.current], 0
    at.cash[creditor] += amount
    tell(at, Bankrupt(at.current, creditor, amount))
    give(at, corporations(at, at.current), creditor)
    leave(at, Exit(at.current, at.turn, "bankrupt"))
    share_escrow(at)


# --- resignation (section 8) and the end ---------------------------------------------------------------------------


def end_turn(at: Position) -> None:
    """Resignations take effect. The next player is at the left, unless the game is over."""
    resigning = [seat for seat in players_in(at) if at.leaving[seat]] if len(players_in(at)) > 1 else []
    for seat in resigning:
        resign(at, seat)
    if resigning:
        share_escrow(at)
    if reason := why_over(at):
        totals = [appraisal(at, seat) for seat in range(at.options.players)]
        tell(at, Ended(reason, totals, places(ranking(at))))
    else:
        winner = at.winner if at.options.next_player == "after_winner" else None
        at.current = from_left(at, at.current if winner is None else winner)[0]
        at.to_do.append("turn")


def resign(at: Position, seat: Seat) -> None:
    """The currency will be split among the others, and the corporations become inactive."""
    amount, at.cash[seat] = at.cash[seat], 0
    keeps = at.options.resigner_keeps_funds
    if keeps:
        at.kept[seat] = amount
    else:
        at.escrow += amount
    tell(at, Resigned(seat, amount, keeps))
    give(at, corporations(at, seat), None)
    leave(at, Exit(seat, at.turn, "resigned"))


def leave(at: Position, how: Exit) -> None:
    at.tokens[how.seat] = None
    at.exits.append(how)


def share_escrow(at: Position) -> None:
    """What resigners leave is split equally; a remainder waits until there is enough of it for all who are left."""
    players = players_in(at)
    each = at.escrow // len(players) if players else 0
    if each:
        at.escrow -= each * len(players)
        for seat in players:
            at.cash[seat] += each
        tell(at, Shared(each, at.escrow))


def why_over(at: Position) -> Literal["last", "resigned", "rounds", "decisions"] | None:
    """One player is left, or none; or the turns or decisions agreed on are used up."""
    if (left := len(players_in(at))) <= 1:
        return "last" if left else "resigned"
    if at.turn >= at.options.max_rounds * at.options.players:
        return "rounds"
    return "decisions" if used_up(at) else None


def scores(at: Position) -> list[int]:
    """A player's appraisal: nothing for those who left. Where resigners keep their funds, what each holds or kept."""
    seats = range(at.options.players)
    if at.options.resigner_keeps_funds:
        return [at.cash[seat] + at.kept[seat] for seat in seats]
    return [appraisal(at, seat) for seat in seats]


def ranking(at: Position) -> list[Rank]:
    """Players in the game rank by score. Behind them come those that left, the later the better."""
    ranks: list[Rank] = [(IN_GAME, points) for points in scores(at)]
    if not at.options.resigner_keeps_funds:
        for out in at.exits:
            ranks[out.seat] = (LEFT, outlasted(at, out))
    return ranks


def outlasted(at: Position, out: Exit) -> int:
    """How many left before. Who resigned at the end of a turn stayed longer than who went bankrupt in it."""
    moment = (out.turn, out.how == "resigned")
    return sum((other.turn, other.how == "resigned") < moment for other in at.exits)


LEFT, IN_GAME = 0, 1  # the first part of a rank


STEPS: Final[dict[Step, Part[Position]]] = {
    "setup": set_up,
    "seats": sell_seats,
    "turn": begin_turn,
    "place": place_token,
    "roll": roll,
    "charter": charter,
    "reactivate": reactivate,
    "pay": pay_due,
    "liquidate": liquidate,
    "offer": offer,
    "diversify": diversify,
    "end": end_turn,
}
