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
    offer_bundles,
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
from engine.seats import clockwise, places_by_score

# --- preliminaries (sections 3 and 4) ------------------------------------------------------------------------------


def new(options: Options, dice: Dice) -> Position:
    """Players get the same currency each; there is no bank, and from here on it only passes between them."""
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


def rules(position: Position, steps: Mapping[Step, Part[Position]] | None = None) -> Flow[None]:
    """Turns follow each other, step by step, until the game is over. Who watches a step gives `steps` with its own."""
    steps = steps or STEPS
    while position.to_do:
        if asking := steps[position.to_do[0]](position):
            yield from asking
        del position.to_do[0]


def set_up_seats(position: Position) -> None:
    """Seats and first player are drawn, fixed, or auctioned."""
    tell(position, Setup(position.options, position.order.copy()))
    position.to_do += ["seats", "turn"] if position.options.seating == "auction" else ["turn"]
    position.current = position.order[0]


def sell_seats(position: Position) -> Flow[None]:
    """Auction each place in the order of turns but the last among those who have none; the winner pays each other.

    They bid in an order drawn by lot. If nobody bids, the first of them takes the place.
    """
    while position.seated < position.options.players:
        waiting = position.order[position.seated :]
        seat = waiting[0] if len(waiting) == 1 else (yield from sell_seat(position, waiting))
        waiting.remove(seat)
        position.order[position.seated :] = [seat, *waiting]
        position.seated += 1
        position.auction = None
        tell(position, Seated(seat, position.seated))
    position.current = position.order[0]


def sell_seat(position: Position, waiting: list[Seat]) -> Flow[Seat]:
    auction = position.auction or call(position, "seat", waiting, by=None)
    yield from hold_auction(position, auction)
    if auction.leader is None:
        return waiting[0]
    pay_each(position, auction.leader, auction.high, "seat")
    return auction.leader


# --- course of play (section 5) ------------------------------------------------------------------------------------


def begin_player_turn(position: Position) -> None:
    """A player places the token in its first turn, or first few; in all later ones it rolls the dice."""
    position.turn += 1
    position.turns[position.current] += 1
    position.winner = position.due = None
    position.to_do.append("place" if position.turns[position.current] <= position.options.flexible_rounds else "roll")
    tell(position, TurnBegun(position.turn, position.current))


def place_token(position: Position) -> Flow[None]:
    """Flexible placement: the player puts its token on any vacant space not yet chartered, so that it can be sold."""
    taken = {space for seat, space in enumerate(position.tokens) if seat != position.current}
    vacant = [space for space in range(position.options.spaces) if space not in taken]
    open_to = [space for space in vacant if not position.chartered[space]] or vacant
    space = (yield from ask_unless_forced(position, position.current, ToPlace(open_to))).space
    tell(position, Placed(position.current, space))
    land_on(position, space)


def roll(position: Position) -> None:
    """Inflexible placement: the dice decide where the token goes."""
    move_token(position, throw(position))


def throw(position: Position) -> list[int]:
    return [1 + position.dice.below(sides) for sides in position.options.dice]


def move_token(position: Position, dice: list[int]) -> None:
    """The token moves upwards by the dice, and on to the first space without another's token."""
    seat, size = position.current, position.options.spaces
    start = position.tokens[seat]
    assert start is not None
    taken = {space for other, space in enumerate(position.tokens) if other != seat}
    bumped = 0
    while (start + sum(dice) + bumped) % size in taken:
        bumped += 1
    space = (start + sum(dice) + bumped) % size
    tell(position, Moved(seat, dice, space, bumped))
    land_on(position, space)


def land_on(position: Position, space: int) -> None:
    """The corporation on the space decides what happens on landing.

    - Not chartered: a charter auction.
    - Inactive, because its owner resigned: a reactivation auction.
    - Your own: a voluntary liquidation auction if you like, then a diversification auction.
    - An opponent's: pay the royalty, then the same; but if you have too little for it, only liquidate and pay.
    """
    position.tokens[position.current] = space
    owner = position.owner[space]
    if not position.chartered[space]:
        steps: list[Step] = ["charter"]
    elif owner is None:
        steps = ["reactivate"]
    elif owner == position.current:
        steps = ["offer", "diversify"]
    elif fix_royalty(position, owner, space) > position.cash[position.current]:
        steps = ["liquidate"]
    else:
        steps = (
            ["pay", "offer", "diversify"] if position.options.diversify_on == "own_and_opponent" else ["pay", "offer"]
        )
    position.to_do += [*steps, "end"]


# --- royalties (section 7) -----------------------------------------------------------------------------------------


def fix_royalty(position: Position, owner: Seat, space: int) -> int:
    """The royalty is fixed at the moment of landing: no later change in owners or lines affects it."""
    parts = parts_of(position.options, position.owner, position.lines, space)
    position.due = Due(owner, sum(parts.values()))
    tell(
        position,
        Royalty(
            position.current, owner, space, {str(other): part for other, part in parts.items()}, position.due.amount
        ),
    )
    return position.due.amount


def pay_due(position: Position) -> None:
    """Royalty is always paid; nobody can forgive it."""
    assert position.due
    pay_royalty(position, position.due)


def liquidate(position: Position) -> Flow[None]:
    """Short of currency, the player sells its corporations one by one until it can pay.

    If it has none left it pays what it has and is bankrupt; if nobody bids, the creditor takes all that it has.
    """
    assert position.due
    while position.cash[position.current] < position.due.amount and corporations(position, position.current):
        if not (yield from sell_one(position)):
            break
    if position.cash[position.current] >= position.due.amount:
        pay_royalty(position, position.due)
    else:
        go_bankrupt(position, position.due.to)


def pay_royalty(position: Position, due: Due) -> None:
    if due.amount:
        pay(position, position.current, [due.to], due.amount, "royalty")


def go_bankrupt(position: Position, creditor: Seat) -> None:
    """The creditor gets all that is left, and the player is out."""
    amount, position.cash[position.current] = position.cash[position.current], 0
    position.cash[creditor] += amount
    tell(position, Bankrupt(position.current, creditor, amount))
    give(position, corporations(position, position.current), creditor)
    leave_table(position, Exit(position.current, position.turn, "bankrupt"))
    share_escrow(position)


# --- resignation (section 8) and the end ---------------------------------------------------------------------------


def end_player_turn(position: Position) -> None:
    """Resignations take effect. The next player is at the left, unless the game is over."""
    resigning = (
        [seat for seat in players_in(position) if position.leaving[seat]] if len(players_in(position)) > 1 else []
    )
    for seat in resigning:
        resign(position, seat)
    if resigning:
        share_escrow(position)
    if reason := why_over(position):
        totals = [appraisal(position, seat) for seat in range(position.options.players)]
        tell(position, Ended(reason, totals, places_by_score(ranking(position))))
    else:
        winner = position.winner if position.options.next_player == "after_winner" else None
        position.current = from_left(position, position.current if winner is None else winner)[0]
        position.to_do.append("turn")


def resign(position: Position, seat: Seat) -> None:
    """The currency will be split among the others, and the corporations become inactive."""
    amount, position.cash[seat] = position.cash[seat], 0
    keeps = position.options.resigner_keeps_funds
    if keeps:
        position.kept[seat] = amount
    else:
        position.escrow += amount
    tell(position, Resigned(seat, amount, keeps))
    give(position, corporations(position, seat), None)
    leave_table(position, Exit(seat, position.turn, "resigned"))


def leave_table(position: Position, how: Exit) -> None:
    position.tokens[how.seat] = None
    position.exits.append(how)


def share_escrow(position: Position) -> None:
    """Split what resigners leave equally; a remainder waits until there is enough of it for all who are left."""
    players = players_in(position)
    part = position.escrow // len(players) if players else 0
    if part:
        position.escrow -= part * len(players)
        for seat in players:
            position.cash[seat] += part
        tell(position, Shared(part, position.escrow))


def why_over(position: Position) -> Literal["last", "resigned", "rounds", "decisions"] | None:
    """Return why it is over: one player is left, or none, or the turns or decisions agreed on are used up; or None."""
    if (left := len(players_in(position))) <= 1:
        return "last" if left else "resigned"
    if position.turn >= position.options.max_rounds * position.options.players:
        return "rounds"
    return "decisions" if used_up(position) else None


def scores(position: Position) -> list[int]:
    """Return appraisals by seat, 0 for those who left. Where resigners keep their funds, what each holds or kept."""
    seats = range(position.options.players)
    if position.options.resigner_keeps_funds:
        return [position.cash[seat] + position.kept[seat] for seat in seats]
    return [appraisal(position, seat) for seat in seats]


def ranking(position: Position) -> list[Rank]:
    """Return ranks by seat: players in the game by score, behind them those that left, the later the better."""
    ranks: list[Rank] = [(IN_GAME, points) for points in scores(position)]
    if not position.options.resigner_keeps_funds:
        for out in position.exits:
            ranks[out.seat] = (LEFT, outlasted(position, out))
    return ranks


def outlasted(position: Position, out: Exit) -> int:
    """Return how many left before. Who resigned at the end of a turn stayed longer than who went bankrupt in it."""
    moment = (out.turn, out.how == "resigned")
    return sum((other.turn, other.how == "resigned") < moment for other in position.exits)


LEFT, IN_GAME = 0, 1  # the first part of a rank


STEPS: Final[dict[Step, Part[Position]]] = {
    "setup": set_up_seats,
    "seats": sell_seats,
    "turn": begin_player_turn,
    "place": place_token,
    "roll": roll,
    "charter": charter,
    "reactivate": reactivate,
    "pay": pay_due,
    "liquidate": liquidate,
    "offer": offer_bundles,
    "diversify": diversify,
    "end": end_player_turn,
}
