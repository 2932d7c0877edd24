"""The table in words, a line for each thing on it: what the picture shows, for those who hear it."""

from collections.abc import Sequence

from bots.games.zaibatsu.board.companies import company_words
from bots.games.zaibatsu.board.piles import cards_of
from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import cached_by_language, say, say_number
from engine.core import Seat
from engine.games.zaibatsu import CARDS, Pile, Position, best
from engine.games.zaibatsu.pieces import ROUNDS


def in_words(position: Position, names: Sequence[str], shown: frozenset[Seat]) -> dict[str, str]:
    return {
        say("Round"): _round(position),
        say("Auction"): _auction(position, names),
        **{
            say("Pile %(number)s", number=number): _pile(pile, names, shown)
            for number, pile in enumerate(position.piles, 1)
        },
        **{say("Seat %(seat)s", seat=seat): _seat(position, name, seat) for seat, name in enumerate(names)},
        **{
            say("Hand of seat %(seat)s", seat=seat): _hand(hand, open_=seat in shown)
            for seat, hand in enumerate(position.hands)
        },
    }


def _round(position: Position) -> str:
    of = say("%(round)s of %(rounds)s", round=position.round, rounds=ROUNDS)
    out = say(" Out of the game: %(cards)s.", cards=_names(position.discarded)) if position.discarded else ""
    when = of if position.round <= ROUNDS else say("after the last")
    return say("%(when)s. Cards in the deck: %(deck)s.%(out)s", when=when, deck=len(position.deck), out=out)


def _auction(position: Position, names: Sequence[str]) -> str:
    if not (auction := position.auction):
        nothing = say("None under way. %(name)s is Commissioner.", name=names[position.commissioner])
        return nothing if position.round <= ROUNDS else say("All are over.")
    bid = (
        ""
        if auction.leader is None
        else say("T¥ %(money)s bid by %(name)s", money=auction.high, name=names[auction.leader])
    )
    return say(
        "Pile %(pile)s: %(price)s. To bid, in this order: %(names)s.",
        pile=auction.lot,
        price=bid or say("no bid yet"),
        names=join_with_and([names[seat] for seat in auction.to_bid]) or say("nobody"),
    )


def _pile(pile: Pile, names: Sequence[str], shown: frozenset[Seat]) -> str:
    """Describe the cards of a pile; for one face down, who laid it, unless that seat's secrets show."""
    cards = [
        company_words(card) if seat is None or seat in shown else say("a card face down of %(name)s", name=names[seat])
        for card, seat in cards_of(pile)
    ]
    return f"{'; '.join(cards) or say('empty')}{say(' (called already)') if pile.called else ''}."


def _seat(position: Position, name: str, seat: Seat) -> str:
    cash, (score, companies) = position.cash[seat], _companies(tuple(position.owned[seat]))
    words = "%(name)s: T¥ %(cash)s, and %(score)s for companies: %(all)s in all."
    return say(words, name=name, cash=cash, score=score, all=cash + score) + companies


@cached_by_language(256)
def _companies(owned: tuple[str, ...]) -> tuple[int, str]:
    """Return the score of the companies, and which of them run, in words."""
    run = best(owned)
    idle = [card for card in owned if card not in run.operating]
    runs = say(" Runs: %(cards)s.", cards=_names(run.operating)) if run.operating else ""
    return run.score, runs + (say(" Idle: %(cards)s.", cards=_names(idle)) if idle else "")


def _hand(hand: Sequence[str], *, open_: bool) -> str:
    if not hand or not open_:
        down = say_number("%(number)s card face down.", "%(number)s cards face down.", len(hand))
        return down if hand else say("0 cards.")
    return f"{'; '.join(map(company_words, hand))}."


def _names(cards: Sequence[str]) -> str:
    return join_with_and([CARDS[card].name for card in cards])
