"""The Building deck: drawing from it, and making it anew."""

from engine.core import tell
from engine.games.kaiju.events import Reshuffled
from engine.games.kaiju.position import Position


def draw(at: Position, number: int) -> list[str]:
    """So many cards from the top, or all there are. If the deck has too few, the discard pile is reshuffled first."""
    if len(at.deck) < number and at.discard:
        reshuffle(at)
    drawn = at.deck[:number]
    del at.deck[:number]
    return drawn


def reshuffle(at: Position) -> None:
    """The cards left in the deck are dealt before the shuffled discard pile; with "all" they are shuffled together."""
    kept = at.deck if at.options.reshuffle == "keep_top" else []
    rest = at.discard if kept else at.deck + at.discard
    at.dice.shuffle(rest)
    at.deck, at.discard = kept + rest, []
    tell(at, Reshuffled("building", len(at.deck)))
