"""Network for people who have never seen it, and what each seat needs to win from here."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bots.games.network.commentary import CALLED, margin
from bots.viewer.guides import Guide, Term, standings
from bots.viewer.language import say
from engine.core import Seat
from engine.games.network import Position, scores
from engine.games.network.pieces import CHIP
from engine.sentences import Sentence

GUIDE: Final = Guide(
    pitch=Sentence("Companies build networks from one start, and players buy shares of all of them."),
    goal=Sentence("The most money wins: cash, and what the shares one owns are worth."),
    turn=Sentence(
        "In a turn a player auctions a share, or lets a company build with the company’s own money, or passes."
    ),
    end=Sentence("It ends two rounds after all shares of a company are sold, or when all pass in a row."),
    legend=(
        Term("seat", Sentence("a player; the number is the seat")),
        Term("company-0", Sentence("a company, by its first letter: Arc, Bay, Cape, Dale, Elm, Fen")),
        Term("chip", Sentence("chips on a hex: so many dollars more for each share")),
        Term("line", Sentence("joins the hexes of one company’s network")),
        Term("start", Sentence("where all networks begin; 5 for each company’s share")),
        Term("city", Sentence("when built, pays each share of its company a dollar a chip")),
        Term("mountain", Sentence("nobody builds there")),
        Term("share", Sentence("a filled box: a share and the seat that owns it")),
        Term("hand", Sentence("dashed: not sold yet; costs its player $1 when acting")),
        Term("pool", Sentence("empty: nobody’s yet; anyone may put it up for auction")),
        Term("a\N{NO-BREAK SPACE}share", Sentence("what one share of the company is worth now")),
        Term("funds", Sentence("the company’s own money: a chip costs it $5")),
        Term("cash", Sentence("the player’s money, for buying shares")),
        Term("worth", Sentence("the player’s cash and shares together: what counts")),
    ),
    asks={
        "turn": Sentence("auction, build or pass"),
        "bid": Sentence("bid more or pass"),
        "build": Sentence("build more or stop"),
    },
)


class Rise(NamedTuple):
    """By how many dollars a share of a company has to gain for a seat to be ahead of all others."""

    dollars: int
    company: int


def needs(position: Position, names: Sequence[str]) -> list[str]:
    """How far each is behind, and what would close the gap if nothing else changed; for the leader, who is next to
    pass it so."""
    worth = scores(position)
    lines = standings(worth, names, margin)
    if position.ending:
        return lines
    rises = [min(_rises(position, worth, seat), default=None) for seat in range(len(worth))]
    chasers = [(rise, seat) for seat, rise in enumerate(rises) if rise and worth[seat] < max(worth)]
    return [
        _behind(line, rise) if worth[seat] < max(worth) else _ahead(line, min(chasers, default=None), names)
        for seat, (line, rise) in enumerate(zip(lines, rises, strict=True))
    ]


def _behind(line: str, rise: Rise | None) -> str:
    if rise is None:
        return line
    sentence = "%(line)s; would lead if a share of %(company)s were worth $%(dollars)s more"
    return say(sentence, line=line, company=CALLED[rise.company], dollars=rise.dollars)


def _ahead(line: str, next_: tuple[Rise, Seat] | None, names: Sequence[str]) -> str:
    if next_ is None:
        return line
    (dollars, company), seat = next_
    sentence = "%(line)s; %(name)s would lead if a share of %(company)s were worth $%(dollars)s more"
    return say(sentence, line=line, name=names[seat], company=CALLED[company], dollars=dollars)


def _rises(position: Position, worth: Sequence[int], seat: Seat) -> Iterator[Rise]:
    """Yield for each company how much would do, if its treasury pays for that now."""
    own = position.owned[seat]
    for company, treasury in enumerate(position.treasury):
        faster = [
            (other_worth - worth[seat], own[company] - position.owned[other][company])
            for other, other_worth in enumerate(worth)
            if other != seat
        ]
        least = max([gap // more + 1 for gap, more in faster if more > 0 and gap >= 0], default=1)
        if 1 <= least <= treasury // CHIP and all(more * least > gap for gap, more in faster):
            yield Rise(least, company)
