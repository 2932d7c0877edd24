"""The table in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bots.viewer.boards.zaibatsu.piles import cards_of
from bots.viewer.commentary.story import listed
from bots.viewer.language import kept, say, say_number
from engine.core import Seat
from engine.games.zaibatsu import CARDS, Pile, Position, best
from engine.games.zaibatsu.pieces import EITHER, ROUNDS

COLOURS: Final = {"R": "red", "Y": "yellow", "G": "green", "O": "orange", "K": "black", "W": "white", "B": "blue"}


def in_words(at: Position, names: Sequence[str], shown: frozenset[Seat]) -> dict[str, str]:
    return {
        say("Round"): _round(at),
        say("Auction"): _auction(at, names),
        **{say("Pile %(number)s", number=number): _pile(pile, names, shown) for number, pile in enumerate(at.piles, 1)},
        **{say("Seat %(seat)s", seat=seat): _seat(at, name, seat) for seat, name in enumerate(names)},
        **{
            say("Hand of seat %(seat)s", seat=seat): _hand(hand, open_=seat in shown)
            for seat, hand in enumerate(at.hands)
        },
    }


def _round(at: Position) -> str:
    of = say("%(round)s of %(rounds)s", round=at.round, rounds=ROUNDS)
    out = say(" Out of the game: %(cards)s.", cards=_names(at.discarded)) if at.discarded else ""
    when = of if at.round <= ROUNDS else say("after the last")
    return say("%(when)s; %(deck)s cards in the deck.%(out)s", when=when, deck=len(at.deck), out=out)


def _auction(at: Position, names: Sequence[str]) -> str:
    if not (it := at.auction):
        none = say("None under way. %(name)s is Commissioner.", name=names[at.commissioner])
        return none if at.round <= ROUNDS else say("All are over.")
    bid = "" if it.leader is None else say("T¥ %(money)s bid by %(name)s", money=it.high, name=names[it.leader])
    return say(
        "Pile %(pile)s: %(price)s. To bid, in this order: %(names)s.",
        pile=it.lot,
        price=bid or say("no bid yet"),
        names=listed([names[seat] for seat in it.to_bid]) or say("nobody"),
    )


def _pile(pile: Pile, names: Sequence[str], shown: frozenset[Seat]) -> str:
    """Of a card face down, who laid it; what it is only where that seat's secrets show."""
    cards = [
        company(card) if seat is None or seat in shown else say("a card face down of %(name)s", name=names[seat])
        for card, seat in cards_of(pile)
    ]
    return f"{'; '.join(cards) or say('empty')}{say(' (called already)') if pile.called else ''}."


def _seat(at: Position, name: str, seat: Seat) -> str:
    cash, (score, companies) = at.cash[seat], _companies(tuple(at.owned[seat]))
    told = "%(name)s: T¥ %(cash)s, and %(score)s for companies: %(all)s in all."
    return say(told, name=name, cash=cash, score=score, all=cash + score) + companies


@kept(256)
def _companies(owned: tuple[str, ...]) -> tuple[int, str]:
    """What they score, and which of them run."""
    run = best(owned)
    idle = [card for card in owned if card not in run.operating]
    runs = say(" Runs: %(cards)s.", cards=_names(run.operating)) if run.operating else ""
    return run.score, runs + (say(" Idle: %(cards)s.", cards=_names(idle)) if idle else "")


def _hand(hand: Sequence[str], *, open_: bool) -> str:
    if not hand or not open_:
        down = say_number("%(number)s card face down.", "%(number)s cards face down.", len(hand))
        return down if hand else say("0 cards.")
    return f"{'; '.join(map(company, hand))}."


def _names(cards: Sequence[str]) -> str:
    return listed([CARDS[card].name for card in cards])


@kept()
def company(card: str) -> str:
    """What it needs and makes, and its points."""
    it = CARDS[card]
    needs = [say("needs %(resources)s", resources=_resources(it.inputs))] if it.inputs else []
    makes = [say("makes %(resources)s", resources=_resources(it.outputs))] if it.outputs else []
    return f"{it.name} ({', '.join([*needs, *makes, say_number('%(number)s point', '%(number)s points', it.score)])})"


def _resources(symbols: str) -> str:
    return listed([f"{count} {_called(symbol)}" for symbol, count in Counter(symbols).items()])


def _called(symbol: str) -> str:
    return say(" or ").join(say(COLOURS[each]) for each in EITHER.get(symbol, symbol))
