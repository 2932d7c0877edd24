"""The board of Network: the map with what is built on it, then each company and each player on a line."""

from collections.abc import Sequence
from typing import Final

from engine.core import Seat
from engine.games.network import Position, scores
from engine.seats import places
from tournaments.film.boards.network import land, table
from tournaments.film.boards.network.land import MAP_BOTTOM, WIDTH
from tournaments.film.picture import Markup, Picture, clip, text
from tournaments.film.stories.story import listed

UNIT: Final = "dollars of net worth"
SAID: Final = 399  # characters of a picture in words
ENDS: Final = {
    "": "",
    "all_pass": "All have passed in a row",
    "sold_out": "The last turn is over",
    "cap": "The match is cut short",
}


def draw(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:  # noqa: ARG001 - nothing is secret
    """The same for everybody."""
    stands = worth(at)
    parts = {
        "turn": _turn(at),
        "asked": text(clip(asked(at, names), 60), 8, 44, "nw-asked"),
        "deal": table.deal(at, names),
        "land": land.land(at.board.layout),
        **land.hexes(at),
        **land.networks(at),
        **table.table(at, names, stands),
    }
    return Picture(WIDTH, MAP_BOTTOM + table.height(at.options.players), parts, _says(at, names, stands))


def worth(at: Position) -> list[float]:
    return [float(amount) for amount in scores(at)]


def asked(at: Position, names: Sequence[str]) -> str:
    """Who is to do what; at the end, who has won."""
    if at.ending:
        best = [clip(names[seat], 18) for seat, place in enumerate(places(scores(at))) if place == 1]
        return f"{ENDS[at.ending]}: {listed(best)} {'wins' if len(best) == 1 else 'share the win'}"
    if at.sale:
        return f"{clip(names[at.sale.bids.bidding[0]], 18)} may bid for a share of company {at.sale.company}"
    if at.expansion:
        return f"{clip(names[at.to_act], 18)} may build on for company {at.expansion.company}"
    return f"{clip(names[at.to_act], 18)} is to auction, act or pass"


def _turn(at: Position) -> Markup:
    left = f"{at.turns_left} turns left" if at.trigger is not None else ""
    passed = f"{at.passes} of {at.options.players} passed in a row" if at.passes else ""
    told = " · ".join(filter(None, (passed, left))) if not at.ending else "over"
    return text(f"Turn {at.turn}", 8, 20, "title") + text(told, 472, 20, "faint end")


def _says(at: Position, names: Sequence[str], stands: Sequence[float]) -> str:
    each = "; ".join(f"{clip(name, 18)} ${amount:g}" for name, amount in zip(names, stands, strict=True))
    shares = ", ".join(f"company {company} ${value}" for company, value in enumerate(at.share_value))
    return clip(f"Network, turn {at.turn}. {clip(asked(at, names), 100)}. Net worth: {each}. A share: {shares}.", SAID)
