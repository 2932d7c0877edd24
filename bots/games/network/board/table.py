"""What lies round the map: the deal under way, and a line for each company and each player."""

from collections.abc import Sequence
from typing import Final

from bots.games.network.board import land
from bots.games.network.board.land import MAP_BOTTOM
from bots.games.network.commentary import CALLED, company_hue, company_letter
from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import decimal, say, say_number
from bots.viewer.lettering import squeeze
from bots.viewer.screens import WIDE, rows
from bots.viewer.svg import Markup, Place, badge, element, group, rect, shorten, text, tooltip
from engine.core import Seat
from engine.games.network import Expansion, Position, Sale
from engine.games.network.pieces import SHARES

LINE: Final = 33
HEAD: Final = 26
DEAL: Final = 372  # how wide what is dealt is told
PLAYERS: Final = 253  # where the lines of players begin on a phone
FIRST_SHARE, SHARE = 139, 22
VALUE, FUNDS = 97, 135  # where sums end
BIDDERS: Final = "Still bidding, the next first"
UNSOLD: Final = "not sold yet: only seat %(seat)s may auction it, and pays $1 for it when acting"
KINDS: Final = {"standard": "Standard hexes", "city": "Cities", "mountain": "Mountains", "start": "The start"}


def tables_height(players: int) -> int:
    return HEAD + LINE * players + 24


def slim_tables(players: int) -> dict[str, Place]:
    """Below the map, companies and players beside each other."""
    top, first = MAP_BOTTOM, MAP_BOTTOM + HEAD
    return {
        "bidders": Place(460, 16),
        "companies": Place(0, top),
        "players": Place(PLAYERS, top),
        **rows("company", players, Place(0, first), LINE),
        **rows("player", players, Place(PLAYERS, first), LINE),
        "note": Place(0, first + LINE * players),
    }


def wide_tables(players: int, left: float, top: float) -> dict[str, Place]:
    """Companies above players, as large as there is room."""
    scale = min(1.5, (WIDE[1] - top - 22) / (2 * HEAD + 2 * LINE * players))
    middle = top + scale * (HEAD + LINE * players)
    return {
        "companies": Place(left, top, scale),
        **rows("company", players, Place(left, top + scale * HEAD, scale), LINE * scale),
        "players": Place(left, middle, scale),
        **rows("player", players, Place(left, middle + scale * HEAD, scale), LINE * scale),
        "note": Place(left - 6, WIDE[1] - 22),
    }


def deal_note(position: Position, names: Sequence[str]) -> Markup:
    return squeeze(words, 8, 66, DEAL, "faint", 8) if (words := dealt(position, names)) else ""


def dealt(position: Position, names: Sequence[str]) -> str:
    """The share under the hammer, or the company that is building."""
    if position.sale:
        return _sale(position, position.sale, names)
    return _expansion(position, position.expansion) if position.expansion else ""


def _sale(position: Position, sale: Sale, names: Sequence[str]) -> str:
    bids = sale.bids
    hand = say("unsold shares of %(name)s", name=shorten(names, sale.company, 10))
    source = say("pool") if sale.source == "bank" else hand
    high = (
        say("$%(money)s by %(name)s", money=bids.high, name=shorten(names, bids.leader, 14))
        if bids.leader is not None
        else say("no bid yet")
    )
    return say(
        "From the %(source)s, for $%(least)s or more; %(high)s",
        source=source,
        least=position.share_value[sale.company],
        high=high,
    )


def bidders(position: Position, names: Sequence[str]) -> Markup:
    """Draw who is still in, the next first; the row ends where the part lies."""
    seats = position.sale.bids.bidding if position.sale else []
    first = -24 * (len(seats) - 1)
    signs = "".join(badge(seat, first + 24 * place, 0, name=names[seat]) for place, seat in enumerate(seats))
    return element("title", say(BIDDERS)) + signs if seats else ""


def bidders_head(position: Position) -> Markup:
    return squeeze(say(BIDDERS), 8, 5, 210, "faint", 7) if position.sale else ""


def _expansion(position: Position, expansion: Expansion) -> str:
    kind, treasury = say(KINDS[expansion.kind]), position.treasury[expansion.company]
    return say_number(
        "%(kind)s alone, %(number)s chip at most; the treasury holds $%(treasury)s",
        "%(kind)s alone, %(number)s chips at most; the treasury holds $%(treasury)s",
        expansion.left,
        kind=kind,
        treasury=treasury,
    )


def table_parts(
    position: Position, names: Sequence[str], stands: Sequence[float], to_answer: Seat | None
) -> dict[str, Markup]:
    players = range(position.options.players)
    return {
        "companies": _head((say("a share"), VALUE - 9), (say("funds"), FUNDS), (say("shares"), FIRST_SHARE + 5)),
        "players": _head((say("cash"), 171), (say("worth"), 219), (say("player"), 11)),
        "note": squeeze(say("Shares: filled owned, dashed unsold, empty in the pool"), 8, 16, DEAL - 6, "faint"),
        **{f"company-{company}": _company(position, company) for company in players},
        **{
            f"player-{seat}": _player(position, seat, shorten(names, seat, 14), stands[seat], to_answer)
            for seat in players
        },
    }


def _head(*words: tuple[str, int]) -> Markup:
    """Over sums, which end there; the last word over what begins there."""
    *ends, (word, x) = words
    return "".join(text(name, end, 17, "faint end") for name, end in ends) + text(word, x, 17, "faint")


def _company(position: Position, company: int) -> Markup:
    value, funds = f"${position.share_value[company]}", f"${position.treasury[company]}"
    money = text(value, VALUE, 21, "end nw-figure") + text(funds, FUNDS, 21, "end nw-sum")
    dealt = position.sale or position.expansion
    back = rect(2, 1, 246, 31, "felt", rx=6) if dealt and dealt.company == company else ""
    hit = rect(2, 0, 246, LINE, "hit")
    says = say("a share is worth %(value)s; the company has %(funds)s to build with", value=value, funds=funds)
    inner = (element("title", says), back, _sign(position, company), money, _shares(position, company), hit)
    return group(*inner, data_place=f"company:{company}")


def _sign(position: Position, company: int) -> Markup:
    """Draw the company's cube and name. Pointing at it, tapping it or reaching it by Tab shows its routes alone."""
    cube = rect(4, 5, 22, 22, f"nw-cube {company_hue(company)} outline", rx=3)
    cube += text(company_letter(company), 15, 21, "middle nw-figure")
    name, built = text(CALLED[company], 30, 21), land.hexes_of(position, company)
    says = say(
        "%(name)s, company %(number)s: %(built)s",
        name=CALLED[company],
        number=company,
        built=join_with_and(built) if built else say("the start alone"),
    )
    return group(cube, name, data_follow=company, tabindex=0, role="group", aria_label=says)


def _shares(position: Position, company: int) -> Markup:
    """The owners' first, then those in the hand, then those in the pool."""
    owned = [seat for seat, shares in enumerate(position.owned) for _ in range(shares[company])]
    held = [_share(f"seat-{seat}", seat, "on-seat", say("owned by seat %(seat)s", seat=seat)) for seat in owned]
    hand = _share(
        f"nw-hand {company_hue(company)} outline", company_letter(company), "faint middle", say(UNSOLD, seat=company)
    )
    held += [hand] * position.unauctioned[company]
    held += [_share("nw-pool", "", "faint", say("in the pool: nobody’s"))] * (SHARES - len(held))
    return "".join(group(share, at=(FIRST_SHARE + SHARE * place, 4)) for place, share in enumerate(held))


def _share(class_: str, words: object, ink: str, title: str) -> Markup:
    return element("title", title) + rect(0, 0, 20, 24, class_, rx=3) + text(words, 10, 17, ink)


def _player(position: Position, seat: Seat, name: str, stands: float, to_answer: Seat | None) -> Markup:
    back = rect(0, 1, 225, 31, "felt chosen", rx=6) if seat == to_answer else ""
    money = text(f"${position.cash[seat]}", 171, 21, "end nw-sum") + text(
        f"${decimal(stands)}", 219, 21, "end nw-figure"
    )
    has = say("$%(cash)s in cash; $%(worth)s with its shares", cash=position.cash[seat], worth=decimal(stands))
    return group(tooltip(has), back, badge(seat, 15, 16.5, 11, name), text(name, 31, 21), money)
