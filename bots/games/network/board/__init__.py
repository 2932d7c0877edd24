"""The board of Network: the map with what is built on it, then each company and each player on a line."""

from collections.abc import Iterable, Sequence
from typing import Final

from bots.games.network.board import land, table
from bots.games.network.board.in_words import in_words
from bots.games.network.board.land import MAP_BOTTOM, MAP_TOP, WIDTH
from bots.games.network.commentary import CALLED
from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import decimal, say, say_number
from bots.viewer.lettering import squeeze
from bots.viewer.screens import WIDE, same_place
from bots.viewer.svg import Layout, Markup, Picture, Place, badge, clip, shorten, text
from engine.core import Seat
from engine.games.network import Position, scores
from engine.seats import places_by_score

UNIT: Final = "dollars of net worth"
MAP_SCALE: Final = 1.25  # on a wide screen
BESIDE: Final = 614  # where there begins what is beside the map
QUIET: Final = ("turn", "asked", "deal", "bidders", "land", "network-", "places")
LONGEST_TEXT: Final = 399  # characters of a picture in words
ENDS: Final = {
    "": "",
    "all_pass": "All have passed in a row",
    "sold_out": "The last turn is over",
    "cap": "The match is cut short",
}


def draw(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:  # noqa: ARG001 - nothing is secret
    """The same for everybody."""
    stands = worth(position)
    parts = {
        "turn": _turn(position),
        "asked": _question(position, names),
        "deal": table.deal_note(position, names),
        "bidders": table.bidders(position, names),
        "wide-bidders": table.bidders_head(position),
        "shapes": land.hex_shapes(position.board.layout),
        "land": land.landscape(position.board.layout),
        **land.hexes(position),
        **land.networks(position),
        "places": land.hex_areas(position.board.layout),
        **table.table_parts(position, names, stands, seat_to_answer(position)),
    }
    players = position.options.players
    slim = Layout(WIDTH, MAP_BOTTOM + table.tables_height(players), table.slim_tables(players))
    words = in_words(position, names, stands, turn_sentence(position, names))
    return Picture(*WIDE, parts, _says(position, names, stands), _wide(players, parts), slim, QUIET, words)


def _wide(players: int, parts: Iterable[str]) -> dict[str, Place]:
    """The map on the left, as high as the picture, and all else beside it."""
    on_map = same_place(parts, "land", "hex-", "network-", "places", place=Place(0, 6 - MAP_SCALE * MAP_TOP, MAP_SCALE))
    above = same_place(parts, "turn", "asked", "deal", place=Place(BESIDE - 6, 0))
    bidding = {"bidders": Place(WIDE[0] - 16, 90), "wide-bidders": Place(BESIDE - 6, 90)}
    return {**on_map, **above, **bidding, **table.wide_tables(players, BESIDE, 106)}


def worth(position: Position) -> list[float]:
    return [float(amount) for amount in scores(position)]


def seat_to_answer(position: Position) -> Seat | None:
    if position.ending:
        return None
    return position.sale.bids.bidding[0] if position.sale else position.to_act


def winners(position: Position) -> list[Seat]:
    return (
        [seat for seat, place in enumerate(places_by_score(scores(position))) if place == 1] if position.ending else []
    )


def turn_sentence(position: Position, names: Sequence[str]) -> str:
    """Return what is asked of whom; at the end, who has won."""
    if (seat := seat_to_answer(position)) is None:
        best = [shorten(names, seat, 15) for seat in winners(position)]
        single, more = "%(ending)s: %(names)s wins", "%(ending)s: %(names)s share the win"
        return say_number(single, more, len(best), ending=say(ENDS[position.ending]), names=join_with_and(best))
    if position.sale:
        may = say("may bid for a share of %(company)s", company=CALLED[position.sale.company])
    else:
        may = (
            say("may build on for %(company)s", company=CALLED[position.expansion.company])
            if position.expansion
            else say("is to auction, build or pass")
        )
    return f"{shorten(names, seat, 15)} {may}"


def _question(position: Position, names: Sequence[str]) -> Markup:
    seat = seat_to_answer(position)
    seats = winners(position) if seat is None else [seat]
    signs = "".join(badge(seat, 18 + 24 * place, 39, name=names[seat]) for place, seat in enumerate(seats))
    words, x = clip(turn_sentence(position, names), 60), 10 + 24 * len(seats)
    return signs + squeeze(words, x, 44, WIDE[0] - BESIDE - x, "nw-asked", 9.6)


def _turn(position: Position) -> Markup:
    left = (
        say_number("%(number)s turn left", "%(number)s turns left", position.turns_left)
        if position.trigger is not None
        else ""
    )
    passed = (
        say("%(passes)s of %(players)s passed in a row", passes=position.passes, players=position.options.players)
        if position.passes
        else ""
    )
    left_or_over = " · ".join(filter(None, (passed, left))) if not position.ending else say("over")
    return text(say("Turn %(turn)s", turn=position.turn), 8, 20, "title") + text(left_or_over, 96, 20, "faint")


def _says(position: Position, names: Sequence[str], stands: Sequence[float]) -> str:
    worths = "; ".join(
        say("seat %(seat)s, %(name)s, $%(amount)s", seat=seat, name=shorten(names, seat, 15), amount=decimal(amount))
        for seat, amount in enumerate(stands)
    )
    shares = ", ".join(f"${value}" for value in position.share_value)
    question = clip(turn_sentence(position, names), 90)
    return clip(
        say(
            "Network, turn %(turn)s. %(question)s. Net worth: %(each)s. Shares of companies 0 to %(last)s: %(shares)s.",
            turn=position.turn,
            question=question,
            each=worths,
            last=len(names) - 1,
            shares=shares,
        ),
        LONGEST_TEXT,
    )
