"""Texts of the cards, and a position in words."""

from collections.abc import Sequence
from typing import Final

from bots.viewer.commentary.story import join_with_and
from bots.viewer.language import cached_by_language, decimal, say
from bots.viewer.svg import clip
from engine.core import Seat
from engine.games.kaiju import BUILDING, NAMES, PRODUCT, SUIT, Position, vp

CITIES: Final = {"TYO": "Tokyo", "MOS": "Moscow", "HKG": "Hong Kong", "SYD": "Sydney", "SFO": "San Francisco"}
SUITS: Final = {"C": "Construction", "I": "Industrial", "T": "Technology"}
EFFECT: Final = {
    "K01": "lose a Your Turn Construction Building",
    "K02": "lose a Rival's Turn Construction Building",
    "K03": "lose a Your Turn Industrial Building",
    "K04": "lose a Rival's Turn Industrial Building",
    "K05": "lose a Your Turn Technology Building",
    "K06": "lose a Rival's Turn Technology Building",
    "K07": "lose 4¥, or what there is",
    "K08": "research goes back to Eureka",
    "K09": "lose a Building of your home city",
    "K10": "lose one of your dearest Buildings",
    "K11": "lose half the bank, rounded up",
    "K12": "lose a Building outside your home city",
}
SPECIALLY: Final = {  # on the card, and in full
    "S01": ("gain 4¥", "gain 4¥"),
    "S02": ("build at 3¥ less", "turn up 3 cards, build one Building of them at 3¥ less"),
    "S03": ("Kaiju wheel to 0", "the own Kaiju marker goes back to its start"),
    "S04": ("sell a Building", "discard a Building for its cost and 2¥"),
    "S05": ("income alone", "Your Turn income of a suit; the others get none"),
    "S06": ("rivals: Kaiju +2", "each rival's Kaiju marker moves 2 spaces"),
    "S07": ("take a Building", "take over a rival's Building of 7¥ or less"),
    "S08": ("1¥ for each I", "gain 1¥ for each Industrial Building, 6¥ at most"),
    "S09": ("3 research", "3 steps of research"),
    "S10": ("attack a rival", "a rival suffers the current Kaiju card"),
    "S11": ("research for T", "a step of research for each Technology Building, 4 at most"),
    "S12": ("steal research", "up to 2 steps of research move here from a rival"),
}
CHOICES: Final = {
    "S02": "may build one of the cards turned up",
    "S04": "may discard a Building for its cost and 2¥",
    "S05": "names a suit",
    "S07": "picks a Building to take over",
    "S10": "picks a rival",
    "S12": "picks a rival",
}
TAKES: Final = "takes a card of the row"
# How a New Product counts: VP for each of what, `of` being a suit or a city.
COUNTING: Final = {
    "suit": "1 for each %(of)s",
    "paying": "2 for each %(of)s",
    "city": "1½ for each in %(of)s",
    "set": "3 for each C + I + T",
    "cities": "1 for each city",
    "dear": "2 for each of 7¥ or more",
    "fixed": "2, whatever is built",
}


def in_full(card: str) -> str:
    """A card in full, for those who point at it."""
    if card in PRODUCT:
        what, most = counted_cards(card), PRODUCT[card].most
        return say("%(name)s: VP %(counts)s, %(most)s at most", name=NAMES[card], counts=what, most=most)
    return f"{NAMES[card]}: {say(SPECIALLY[card][1])}" if card in SPECIALLY else building_words(card)


@cached_by_language()
def building_words(card: str) -> str:
    """A card of the row: what it brings, when, and what it costs."""
    if card not in BUILDING:
        return f"{in_full(card)} ({SUITS[SUIT[card]]})" if card in SUIT and card not in PRODUCT else in_full(card)
    cost = say("costs %(cost)s¥", cost=BUILDING[card].cost)
    return f"{BUILDING[card].name} ({_facts(card)}; {cost})"


@cached_by_language()
def built_words(card: str) -> str:
    return f"{BUILDING[card].name} ({_facts(card)})"


def _facts(card: str) -> str:
    house = BUILDING[card]
    brings = [f"{house.money}¥"] * bool(house.money)
    brings += [say("%(number)s research", number=house.research)] * bool(house.research)
    brings += [f"{decimal(f'{house.kaiju:+}')} Kaiju"] * bool(house.kaiju)
    yours, rivals = "%(suit)s in %(city)s; in own turns %(brings)s", "%(suit)s in %(city)s; in rivals’ turns %(brings)s"
    return say(
        yours if house.timing == "Y" else rivals,
        suit=SUITS[house.suit],
        city=CITIES[house.city],
        brings=join_with_and(brings),
    )


def counted_cards(card: str) -> str:
    product = PRODUCT[card]
    of = product.of
    if product.kind == "paying":
        of = say("Your Turn %(suit)s" if of[1] == "Y" else "Rival’s Turn %(suit)s", suit=SUITS[of[0]])
    return say(COUNTING[product.kind], of=SUITS.get(of) or CITIES.get(of, of))


def actor(position: Position) -> Seat | None:
    """The seat whose answer is due."""
    if position.ended:
        return None
    return position.owed.seat if position.owed else position.goes[0] if position.goes else None


def task(position: Position) -> str:
    """Return what the actor is to do, as a phrase after its name."""
    if position.owed and position.owed.products:
        return say("takes a New Product")
    if position.owed:
        return say("loses a Building to %(threat)s", threat=NAMES[position.threat])
    return say(CHOICES.get(position.special, TAKES))


def says(position: Position, names: Sequence[str]) -> str:
    """The position in words."""
    seat = actor(position)
    doing = say("The game is over") if seat is None else f"{names[seat]} {task(position)}"
    standing = ", ".join(
        f"{name[:24]} {vp(position.players, other, position.options.city_majority)}" for other, name in enumerate(names)
    )
    return clip(
        say(
            "Turn %(turn)s. %(doing)s. %(threat)s threatens. Victory points: %(standing)s.",
            turn=position.turn,
            doing=doing,
            threat=NAMES[position.threat],
            standing=standing,
        ),
        399,
    )
