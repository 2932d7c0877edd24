"""What lies round the map: the deal under way, and a line for each company and each player."""

from collections.abc import Sequence
from typing import Final

from engine.core import Seat
from engine.games.network import Expansion, Position, Sale
from engine.games.network.pieces import SHARES
from tournaments.viewer.boards.network.land import MAP_BOTTOM
from tournaments.viewer.svg import Markup, badge, group, rect, shorten, text

LINE: Final = 34
HEAD: Final = 26
FIRST_SHARE, SHARE = 116, 26
KINDS: Final = {"standard": "Standard hexes", "city": "Cities", "mountain": "Mountains", "start": "The start"}


def height(players: int) -> int:
    return HEAD + LINE * players + 24


def deal(at: Position, names: Sequence[str]) -> Markup:
    """The share under the hammer, or the company that is building."""
    if at.sale:
        return text(_sale(at, at.sale, names), 8, 66, "faint") + _bidders(at.sale)
    return text(_expansion(at, at.expansion), 8, 66, "faint") if at.expansion else ""


def _sale(at: Position, sale: Sale, names: Sequence[str]) -> str:
    bids = sale.bids
    source = "pool" if sale.source == "bank" else "hand"
    high = f"${bids.high} by {shorten(names, bids.leader, 14)}" if bids.leader is not None else "no bid yet"
    return f"From the {source}, for ${at.share_value[sale.company]} or more; {high}"


def _bidders(sale: Sale) -> Markup:
    """Who is still in, the next first."""
    count = len(sale.bids.bidding)
    badges = [badge(seat, 460 - 24 * (count - place - 1), 61) for place, seat in enumerate(sale.bids.bidding)]
    return group(*badges)


def _expansion(at: Position, expansion: Expansion) -> str:
    kind, treasury = KINDS[expansion.kind], at.treasury[expansion.company]
    return f"{kind} alone, {expansion.left} chips more at most; the treasury holds ${treasury}"


def table(at: Position, names: Sequence[str], stands: Sequence[float], to_answer: Seat | None) -> dict[str, Markup]:
    players = range(at.options.players)
    return {
        "table": _head(at.options.players),
        **{f"company-{company}": _company(at, company) for company in players},
        **{f"player-{seat}": _player(at, seat, shorten(names, seat, 14), stands[seat], to_answer) for seat in players},
    }


def _head(players: int) -> Markup:
    y = MAP_BOTTOM + 17
    words = {"value": 62, "treasury": 110, "cash": 424, "worth": 472}
    ends = "".join(text(word, x, y, "small faint end") for word, x in words.items())
    rest = text("shares", FIRST_SHARE, y, "small faint") + text("player", 264, y, "small faint")
    note = "A share: filled if owned, dashed in the hand, empty in the pool"
    return ends + rest + text(note, 8, MAP_BOTTOM + HEAD + LINE * players + 16, "faint")


def _company(at: Position, company: int) -> Markup:
    line = MAP_BOTTOM + HEAD + LINE * company
    cube = rect(4, 5, 22, 22, f"nw-cube seat-{company} outline", rx=3) + text(company, 15, 21, "middle nw-figure")
    money = text(f"${at.share_value[company]}", 62, 21, "end nw-figure") + text(
        f"${at.treasury[company]}", 110, 21, "end nw-sum"
    )
    dealt = at.sale or at.expansion
    back = rect(2, 1, 246, 31, "felt", rx=6) if dealt and dealt.company == company else ""
    return group(back, cube, money, _shares(at, company), at=(0, line))


def _shares(at: Position, company: int) -> Markup:
    """The owners' first, then those in the hand, then those in the pool."""
    owned = [seat for seat, shares in enumerate(at.owned) for _ in range(shares[company])]
    held = [_share(f"seat-{seat}", seat, "on-seat") for seat in owned]
    held += [_share(f"nw-hand seat-{company} outline", company, "faint middle")] * at.unauctioned[company]
    held += [_share("nw-pool", "", "faint")] * (SHARES - len(held))
    return "".join(group(share, at=(FIRST_SHARE + SHARE * place, 4)) for place, share in enumerate(held))


def _share(class_: str, words: object, ink: str) -> Markup:
    return rect(0, 0, 22, 24, class_, rx=3) + text(words, 11, 17, ink)


def _player(at: Position, seat: Seat, name: str, stands: float, to_answer: Seat | None) -> Markup:
    back = rect(253, 1, 225, 31, "felt chosen", rx=6) if seat == to_answer else ""
    money = text(f"${at.cash[seat]}", 424, 21, "end nw-sum") + text(f"${stands:g}", 472, 21, "end nw-figure")
    return group(back, badge(seat, 268, 16.5, 11), text(name, 284, 21), money, at=(0, MAP_BOTTOM + HEAD + LINE * seat))
