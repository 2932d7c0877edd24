"""How to read the ring of Corporate Gigabucks, who is ahead, and whom a landing would ruin."""

from collections.abc import Sequence
from typing import Final

from bots.games.gigabucks.commentary import margin
from bots.viewer.guides import Guide, Term, standings
from bots.viewer.language import say
from engine.core import Seat
from engine.games.gigabucks import Position, corporations, royalty
from engine.games.gigabucks.position import players_in
from engine.games.gigabucks.rules import scores
from engine.sentences import Sentence

GUIDE: Final = Guide(
    pitch=Sentence("Buy spaces of a ring by auction and charge whoever lands there, until the others are bankrupt."),
    goal=Sentence("Be the last one left, or be worth most when it ends."),
    turn=Sentence(
        "Roll and move: a free space is auctioned; another’s costs a royalty; then all may bid for product lines, which"
        " make their spaces dearer."
    ),
    end=Sentence("It ends when one is left, or after the agreed rounds."),
    legend=(
        Term("seat", Sentence("a player; the number is the seat")),
        Term("12", Sentence("grey, at the ring: the number of a space")),
        Term("corporation", Sentence("the company on a space, owned by the colour on it")),
        Term("lines", Sentence("a bar outside, with its number: product lines there")),
        Term("◆", Sentence("a sign inside the ring: where that player stands")),
        Term("$4", Sentence("a bid: to each opponent, or the seller; for each product line")),
        Term("=\N{NO-BREAK SPACE}$86", Sentence("worth: its money, and one landing on each of its spaces")),
        Term("owes", Sentence("royalty: the fewest lines on the way to each of its spaces")),
        Term("bankrupt", Sentence("could not pay a royalty, not even by selling all its spaces")),
        Term("Inactive", Sentence("a dashed space: its owner resigned")),
    ),
    asks={
        "place": Sentence("choose the space to begin on, which is auctioned"),
        "bid": Sentence("bid more, or pass"),
        "lines": Sentence("say how many product lines to buy, and where"),
        "offer": Sentence("offer own spaces for sale, or none"),
        "cut": Sentence("lower the price that nobody met, or let it be"),
        "pick": Sentence("take one space of the debtor"),
        "choose": Sentence("take one of the offers that the bid pays for"),
    },
)


def needs(position: Position, names: Sequence[str]) -> list[str]:
    """Return by seat how far it leads or is behind, and its dearest space and whom that would ruin: who is left last
    wins. Nothing of that is secret."""
    playing, seats = players_in(position), range(len(names))
    counted = [seat for seat in seats if seat in playing or position.options.resigner_keeps_funds]
    if not position.to_do:  # it is over: who has left has nothing, or what it kept
        counted = [*seats]
    points = scores(position)
    of_counted = standings([points[seat] for seat in counted], [names[seat] for seat in counted], margin)
    stands = dict(zip(counted, of_counted, strict=True))
    gone = {out.seat: out for out in position.exits if playing and not position.options.resigner_keeps_funds}
    return [
        say(OUT[gone[seat].how], turn=gone[seat].turn)
        if seat in gone
        else _playing(position, stands[seat], seat, names)
        if seat in playing and position.to_do
        else stands[seat]
        for seat in seats
    ]


OUT: Final = {"bankrupt": "out: bankrupt in turn %(turn)s", "resigned": "out: resigned in turn %(turn)s"}


def _playing(position: Position, stands: str, seat: Seat, names: Sequence[str]) -> str:
    """How a player stands, and what the dearest landing on its spaces costs those who cannot pay it with cash."""
    costs = {space: royalty(position, space) for space in corporations(position, seat)}
    if not any(costs.values()):
        if costs:
            return say("%(stands)s; its spaces charge nothing before product lines", stands=stands)
        return say("%(stands)s; owns no space, so charges nobody", stands=stands)
    space = max(costs, key=lambda space: costs[space])
    poor = [names[other] for other in players_in(position) if other != seat and position.cash[other] < costs[space]]
    if not poor:
        return say("%(stands)s; space %(space)s costs others $%(cost)s", stands=stands, space=space, cost=costs[space])
    filled = {"stands": stands, "space": space, "cost": costs[space]}
    if len(poor) == 1:
        return say(
            "%(stands)s; space %(space)s costs $%(cost)s, more than %(name)s has in cash", name=poor[0], **filled
        )
    sentence = "%(stands)s; space %(space)s costs $%(cost)s, more cash than %(number)s others have"
    return say(sentence, number=len(poor), **filled)
