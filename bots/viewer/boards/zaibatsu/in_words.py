"""The table in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from bots.viewer.boards.zaibatsu.piles import cards_of
from bots.viewer.commentary.story import listed
from engine.core import Seat
from engine.games.zaibatsu import CARDS, Pile, Position, best
from engine.games.zaibatsu.pieces import EITHER, ROUNDS

COLOURS: Final = {"R": "red", "Y": "yellow", "G": "green", "O": "orange", "K": "black", "W": "white", "B": "blue"}


def in_words(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> dict[str, str]:
    return {
        "Round": _round(at),
        "Auction": _auction(at, names),
        **{f"Pile {number}": _pile(pile, names, shown) for number, pile in enumerate(at.piles, 1)},
        **{f"Seat {seat}": _seat(at, name, seat) for seat, name in enumerate(names)},
        **{f"Hand of seat {seat}": _hand(hand, open_=seat in shown) for seat, hand in enumerate(at.hands)},
    }


def _round(at: Position) -> str:
    when = f"{at.round} of {ROUNDS}" if at.round <= ROUNDS else "after the last"
    out = f" Out of the game: {_names(at.discarded)}." if at.discarded else ""
    return f"{when}; {len(at.deck)} cards in the deck.{out}"


def _auction(at: Position, names: Sequence[str]) -> str:
    if not (it := at.auction):
        return f"None under way. {names[at.commissioner]} is Commissioner." if at.round <= ROUNDS else "All are over."
    price = "no bid yet" if it.leader is None else f"T¥ {it.high} bid by {names[it.leader]}"
    return f"Pile {it.lot}: {price}. To bid, in this order: {listed([names[seat] for seat in it.to_bid]) or 'nobody'}."


def _pile(pile: Pile, names: Sequence[str], shown: frozenset[Seat]) -> str:
    """Of a card face down, who laid it; what it is only where that seat's secrets show."""
    cards = [
        company(card) if seat is None or seat in shown else f"a card face down of {names[seat]}"
        for card, seat in cards_of(pile)
    ]
    return f"{'; '.join(cards) or 'empty'}{' (called already)' if pile.called else ''}."


def _seat(at: Position, name: str, seat: Seat) -> str:
    cash, (score, companies) = at.cash[seat], _companies(tuple(at.owned[seat]))
    return f"{name}: T¥ {cash}, and {score} for companies: {cash + score} in all.{companies}"


@lru_cache(maxsize=256)
def _companies(owned: tuple[str, ...]) -> tuple[int, str]:
    """What they score, and which of them run."""
    run = best(owned)
    idle = [card for card in owned if card not in run.operating]
    return run.score, _owned(" Runs", run.operating) + _owned(" Idle", idle)


def _hand(hand: Sequence[str], *, open_: bool) -> str:
    if not hand or not open_:
        return f"{len(hand)} card{'s' * (len(hand) != 1)}{' face down' * bool(hand)}."
    return f"{'; '.join(map(company, hand))}."


def _owned(what: str, cards: Sequence[str]) -> str:
    return f"{what}: {_names(cards)}." if cards else ""


def _names(cards: Sequence[str]) -> str:
    return listed([CARDS[card].name for card in cards])


@cache
def company(card: str) -> str:
    """What it needs and makes, and its points."""
    it = CARDS[card]
    needs = [f"needs {_resources(it.inputs)}"] if it.inputs else []
    makes = [f"makes {_resources(it.outputs)}"] if it.outputs else []
    return f"{it.name} ({', '.join([*needs, *makes, f'{it.score} points'])})"


def _resources(symbols: str) -> str:
    return listed([f"{count} {_called(symbol)}" for symbol, count in Counter(symbols).items()])


def _called(symbol: str) -> str:
    return " or ".join(COLOURS[each] for each in EITHER.get(symbol, symbol))
