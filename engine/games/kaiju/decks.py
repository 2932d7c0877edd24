"""The Building deck: drawing from it, and making it anew."""

from engine.core import tell
from engine.games.kaiju.events import Reshuffled
from engine.games.kaiju.position import Position


def draw_cards(position: Position, number: int) -> list[str]:
    """Draw the top `number` cards, or all there are. If the deck has too few, the discard pile is reshuffled first."""
    if len(position.deck) < number and position.discard:
        reshuffle(position)
    drawn = position.deck[:number]
    del position.deck[:number]
    return drawn


def reshuffle(position: Position) -> None:
    """The cards left in the deck are dealt before the shuffled discard pile; with "all" they are shuffled together."""
    kept = position.deck if position.options.reshuffle == "keep_top" else []
    cards = position.discard if kept else position.deck + position.discard
    position.dice.shuffle(cards)
    position.deck, position.discard = kept + cards, []
    tell(position, Reshuffled("building", len(position.deck)))
