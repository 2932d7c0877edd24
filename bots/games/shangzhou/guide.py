"""How to read the board of Shangzhou-Gold, and what each player lacks for a victory."""

from collections.abc import Iterator, Sequence
from typing import Final

from bots.games.shangzhou.board.table import bid_by, victory_progress
from bots.viewer.commentary.story import join_with_and
from bots.viewer.guides import Guide, Term
from bots.viewer.language import say, say_number
from engine.core import Seat
from engine.games.shangzhou import Position, Standing
from engine.games.shangzhou.control import holders, richest, standings, widest
from engine.games.shangzhou.pieces import CLOUT_GOAL, NODES, SECTOR_GOAL
from engine.sentences import Sentence

GUIDE: Final = Guide(
    pitch=Sentence(
        "Corporations buy up a new city of 64 sectors, and whoever overreaches has no money left to win with."
    ),
    goal=Sentence(
        "Keep %(clout_goal)s Clout unspent, or hold %(sector_goal)s sectors or all four Critical Nodes alone.",
        clout_goal=CLOUT_GOAL,
        sector_goal=SECTOR_GOAL,
    ),
    turn=Sentence(
        "All get Clout, bid it for tiles, put those on the board and turn Clout into agents there; what is left is lost"
        " when the turn ends."
    ),
    end=Sentence("The first to have one of them at a turn’s check wins; nobody does if the turns run out."),
    legend=(
        Term("seat", Sentence("a player; the number is the seat")),
        Term("Clout", Sentence("money of one turn: for bids and agents, or kept to win")),
        Term("2", Sentence("on a seat’s colour: its agents there, or Clout bid")),
        Term("33", Sentence("sectors: only those count where nobody else has agents")),
        Term("C", Sentence("Commerce: yields a die’s roll of Clout each turn")),
        Term("P", Sentence("Production: yields 3 Clout each turn")),
        Term("U", Sentence("Public: yields nothing")),
        Term("S", Sentence("Storage: an agent there keeps 1 Clout for the next turn")),
        Term("R", Sentence("Restricted: no agent may be placed there")),
        Term("N", Sentence("Critical Node: whoever holds all four alone wins")),
        Term("H", Sentence("Hacker, the lightning: takes a tile off the board")),
        Term("V", Sentence("Virus: removes all agents of a sector")),
        Term("Overseer", Sentence("bid most in secret, and names the order of turns")),
        Term("%", Sentence("of a victory, on a seat’s best way; Clout that it bids still counts")),
    ),
    asks={
        "home": Sentence("choose where to begin"),
        "window": Sentence("use a Hacker or Virus, give something, or wait"),
        "oversight": Sentence("bid Clout in secret, to name the order of turns"),
        "offers": Sentence("offer others a trade, or not"),
        "accept": Sentence("accept the offers, or not"),
        "order": Sentence("name the order of turns"),
        "bid": Sentence("bid more Clout for a tile, or pass"),
        "apply": Sentence("put a tile on the board"),
        "expand": Sentence("turn Clout into agents, fight, or pass and keep it"),
        "veto": Sentence("say who may not keep Clout in Storage"),
    },
)
WON: Final = {
    "critical": "won with all four Critical Nodes",
    "sectors": "won with %(sectors)s sectors",
    "clout": "won with %(clout)s Clout",
}
MOST_WAYS: Final = 2


def needs(position: Position, names: Sequence[str]) -> list[str]:
    """Return by seat what it lacks at the check, on the two ways that it is farthest on: all of it is public."""
    if position.ending:
        return _at_the_end(position)
    measured = standings(position)
    winning = holders(position, measured) or widest(position, measured) or richest(position, measured)
    return [_line(position, measured, seat, winning, names) for seat in range(len(names))]


def _line(
    position: Position, measured: Sequence[Standing], seat: Seat, winning: Sequence[Seat], names: Sequence[str]
) -> str:
    if seat in winning:
        return say("would win if the check came now")
    if winning:
        return say(
            "must stop %(names)s, ahead at a check now", names=join_with_and([names[other] for other in winning])
        )
    lacks = sorted(_lacks(position, measured, seat))[:MOST_WAYS]
    return say("needs %(ways)s", ways=say(", or ").join(words for _, words in lacks))


def _lacks(position: Position, measured: Sequence[Standing], seat: Seat) -> Iterator[tuple[float, str]]:
    """Yield what is lacking on each way to a victory, as a part and in words. Tiles out of play close one."""
    clout, sectors, nodes = victory_progress(position, seat, measured[seat])
    others = [standing for other, standing in enumerate(measured) if other != seat]
    lacking = _short(clout, max(other.clout for other in others))
    bid = bid_by(position, seat)
    words = say("%(number)s more Clout (%(bid)s bid)", number=lacking, bid=bid)
    yield lacking / clout[1], words if bid else say("%(number)s more Clout", number=lacking)
    lacking = _short(sectors, max(other.sectors for other in others))
    single, more = "%(number)s more sector alone", "%(number)s more sectors alone"
    yield lacking / sectors[1], say_number(single, more, lacking)
    if nodes[0] < NODES and not position.gone.get("N"):
        lacking = NODES - nodes[0]
        node, several = "%(number)s more Critical Node", "%(number)s more Critical Nodes"
        yield lacking / NODES, say_number(node, several, lacking)


def _short(progress: tuple[int, int], most: int) -> int:
    """How much more takes a seat to the goal, and beyond the most that another has."""
    has, goal = progress
    return max(goal, most + 1) - has


def _at_the_end(position: Position) -> list[str]:
    """Return by what the winners have won, and what the others have."""
    measured = standings(position)
    if not position.winners:
        return [say("nobody won; held %(sectors)s sectors", sectors=standing.sectors) for standing in measured]
    return [
        say(WON[position.ending], sectors=standing.sectors, clout=standing.clout)
        if seat in position.winners
        else say("held %(sectors)s sectors and %(clout)s Clout", sectors=standing.sectors, clout=standing.clout)
        for seat, standing in enumerate(measured)
    ]
