"""The board of Network: the map with what is built on it, then each company and each player on a line."""

from collections.abc import Iterable, Sequence
from typing import Final

from bots.viewer.boards.lettering import squeeze
from bots.viewer.boards.network import land, table
from bots.viewer.boards.network.in_words import in_words
from bots.viewer.boards.network.land import MAP_BOTTOM, MAP_TOP, WIDTH
from bots.viewer.boards.screens import WIDE, together
from bots.viewer.commentary.story import listed
from bots.viewer.language import decimal, say, say_number
from bots.viewer.svg import Layout, Markup, Picture, Place, badge, clip, shorten, text
from engine.core import Seat
from engine.games.network import Position, scores
from engine.seats import places

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


def draw(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> Picture:  # noqa: ARG001 - nothing is secret
    """The same for everybody."""
    stands = worth(at)
    parts = {
        "turn": _turn(at),
        "asked": _question(at, names),
        "deal": table.deal(at, names),
        "bidders": table.bidders(at),
        "shapes": land.shapes(at.board.layout),
        "land": land.land(at.board.layout),
        **land.hexes(at),
        **land.networks(at),
        "places": land.places(at.board.layout),
        **table.table(at, names, stands, to_answer(at)),
    }
    players = at.options.players
    slim = Layout(WIDTH, MAP_BOTTOM + table.height(players), table.slim(players))
    words = in_words(at, names, stands, sentence(at, names))
    return Picture(*WIDE, parts, _says(at, names, stands), _wide(players, parts), slim, QUIET, words)


def _wide(players: int, parts: Iterable[str]) -> dict[str, Place]:
    """The map on the left, as high as the picture, and all else beside it."""
    on_map = together(parts, "land", "hex-", "network-", "places", at=Place(0, 6 - MAP_SCALE * MAP_TOP, MAP_SCALE))
    above = together(parts, "turn", "asked", "deal", at=Place(BESIDE - 6, 0))
    return {**on_map, **above, "bidders": Place(WIDE[0] - 16, 90), **table.wide(players, BESIDE, 106)}


def worth(at: Position) -> list[float]:
    return [float(amount) for amount in scores(at)]


def to_answer(at: Position) -> Seat | None:
    if at.ending:
        return None
    return at.sale.bids.bidding[0] if at.sale else at.to_act


def winners(at: Position) -> list[Seat]:
    return [seat for seat, place in enumerate(places(scores(at))) if place == 1] if at.ending else []


def sentence(at: Position, names: Sequence[str]) -> str:
    """What is asked of whom; at the end, who has won."""
    if (seat := to_answer(at)) is None:
        best = [shorten(names, seat, 15) for seat in winners(at)]
        one, more = "%(ending)s: %(names)s wins", "%(ending)s: %(names)s share the win"
        return say_number(one, more, len(best), ending=say(ENDS[at.ending]), names=listed(best))
    if at.sale:
        may = say("may bid for a share of company %(company)s", company=at.sale.company)
    else:
        may = (
            say("may build on for company %(company)s", company=at.expansion.company)
            if at.expansion
            else say("is to auction, act or pass")
        )
    return f"{shorten(names, seat, 15)} {may}"


def _question(at: Position, names: Sequence[str]) -> Markup:
    seat = to_answer(at)
    seats = winners(at) if seat is None else [seat]
    signs = "".join(badge(seat, 18 + 24 * place, 39) for place, seat in enumerate(seats))
    words, x = clip(sentence(at, names), 60), 10 + 24 * len(seats)
    return signs + squeeze(words, x, 44, WIDE[0] - BESIDE - x, "nw-asked", 9.6)


def _turn(at: Position) -> Markup:
    left = say_number("%(number)s turn left", "%(number)s turns left", at.turns_left) if at.trigger is not None else ""
    passed = (
        say("%(passes)s of %(players)s passed in a row", passes=at.passes, players=at.options.players)
        if at.passes
        else ""
    )
    left_or_over = " · ".join(filter(None, (passed, left))) if not at.ending else say("over")
    return text(say("Turn %(turn)s", turn=at.turn), 8, 20, "title") + text(left_or_over, 96, 20, "faint")


def _says(at: Position, names: Sequence[str], stands: Sequence[float]) -> str:
    each = "; ".join(
        say("seat %(seat)s, %(name)s, $%(amount)s", seat=seat, name=shorten(names, seat, 15), amount=decimal(amount))
        for seat, amount in enumerate(stands)
    )
    shares = ", ".join(f"${value}" for value in at.share_value)
    question = clip(sentence(at, names), 90)
    return clip(
        say(
            "Network, turn %(turn)s. %(question)s. Net worth: %(each)s. Shares of companies 0 to %(last)s: %(shares)s.",
            turn=at.turn,
            question=question,
            each=each,
            last=len(names) - 1,
            shares=shares,
        ),
        LONGEST_TEXT,
    )
