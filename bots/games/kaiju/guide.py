"""How to read the table of Kaiju Incorporated, and where the points are that a player lacks."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bots.games.kaiju.board.words import CITIES
from bots.viewer.guides import Guide, Term, standings
from bots.viewer.language import say, say_number
from engine.core import Seat
from engine.games.kaiju import NAMES, Position, product_vp
from engine.games.kaiju.pieces import CITIES_VP, HANDBAGS, MAJORITY_VP, RESEARCH_SPACES
from engine.games.kaiju.rules import ranking
from engine.games.kaiju.scoring import all_vp, cities, in_city
from engine.sentences import Sentence

GUIDE: Final = Guide(
    pitch=Sentence("Build in cities that giant monsters keep visiting, and sell the world what it then wants."),
    goal=Sentence("Have the most victory points (VP) at the end."),
    turn=Sentence(
        "Each takes a card of the row in turn, and either pays for it and builds it or discards it for income of its"
        " suit, C, I or T, which others get too."
    ),
    end=Sentence("The turn in which the first Kaijuskin Handbag turns up is the last."),
    legend=(
        Term("seat", Sentence("a player; the number is the seat")),
        Term("money", Sentence("¥, to build with: a bank holds 11 at most")),
        Term("research", Sentence("research: its marker goes round the wheel; back at the blue, a New Product")),
        Term("kaiju", Sentence("Kaiju: its marker goes round the wheel; back at the red, an attack")),
        Term("-1", Sentence("the red wheel goes back by one step")),
        Term("C I T", Sentence("suits: Construction, Industrial, Technology")),
        Term("CY IY TY", Sentence("filled: pays when its owner takes income of the suit")),
        Term("CR IR TR", Sentence("hollow: pays when a rival takes income of the suit")),
        Term("TYO MOS HKG SYD SFO", Sentence("cities: Tokyo, Moscow, Hong Kong, Sydney, San Francisco")),
        Term("product", Sentence("a New Product: what it counts, and its points now")),
        Term("VP", Sentence("points of New Products, of the cities and the majority, added up")),
        Term("+5", Sentence("majority: most Buildings of all in one’s own city")),
        Term("K12", Sentence("a Kaiju: attacks whose red wheel comes round")),
    ),
    asks={
        "turn": Sentence("take a card: build it, or discard it for income"),
        "product": Sentence("take a New Product, to score with"),
        "sacrifice": Sentence("choose the Building that the Kaiju takes"),
        "prefab": Sentence("build one of the cards turned up, or none"),
        "insure": Sentence("give up a Building for its cost and 2¥, or none"),
        "suit": Sentence("choose the suit that pays"),
        "rival": Sentence("choose the rival that it is to hit"),
        "takeover": Sentence("choose a rival’s Building to take over"),
    },
)
NEAR_THE_CAP: Final = 10  # turns from the last one: before that a game ends by its Handbags
LETTERS: Final = 72  # that a line may have


class Way(NamedTuple):
    """How a seat comes to more points, and to how many at least."""

    points: int
    words: str


def needs(position: Position, names: Sequence[str]) -> list[str]:
    """Return by seat how far it leads or is behind, and until when or what brings it most: nothing is secret."""
    scores = all_vp(position.players, position.options.city_majority)
    stands = standings(scores, names)
    if position.ended:
        ranks = ranking(position)
        winner = ranks.index(max(ranks))
        if scores.count(scores[winner]) > 1:
            tied = [rank for seat, rank in enumerate(ranks) if rank[0] == scores[winner] and seat != winner]
            by_bank = ranks[winner][1] > max(tied)[1]
            why = say("has more in the bank") if by_bank else say("went later in the first turn")
            stands[winner] = f"{stands[winner]}; {why}"
        return stands
    best = max(scores)
    leads = [score == best and scores.count(best) == 1 for score in scores]
    return [
        f"{words}; {_until(position)}"
        if leads[seat]
        else lengthened(words, [f"{way.words} (+{way.points})" for way in ways_to_points(position, seat)])
        for seat, words in enumerate(stands)
    ]


def lengthened(stands: str, more: Sequence[str]) -> str:
    """Return the line with the first of these, and those after it that find room."""
    line = f"{stands}; {more[0]}" if more else stands
    for words in more[1:]:
        line = longer if len(longer := say("%(line)s, or %(words)s", line=line, words=words)) <= LETTERS else line
    return line


def _until(position: Position) -> str:
    """How long a lead must hold."""
    left = position.options.max_turns - position.turn
    if position.triggered or not left:
        return say("this turn is the last")
    if left <= NEAR_THE_CAP:
        last = "the game ends after %(number)s more turn at the latest"
        return say_number(last, "the game ends after %(number)s more turns at the latest", left)
    single = "the game ends once %(number)s more New Product is taken"
    several = "the game ends once %(number)s more New Products are taken"
    return say_number(single, several, products_to_come(position) + 1)


def products_to_come(position: Position) -> int:
    """How many New Products will be turned up before the first Handbag, which all lie at the bottom."""
    return sum(card not in HANDBAGS for card in position.product_deck)


def ways_to_points(position: Position, seat: Seat) -> list[Way]:
    """Return what brings the seat points, the most first."""
    found = [*_by_product(position, seat), *_by_building(position, seat)]
    return sorted([way for way in found if way.points], key=lambda way: -way.points)


def _by_product(position: Position, seat: Seat) -> Iterator[Way]:
    """The New Product on display that would count most for its Buildings of now."""
    me = position.players[seat]
    if position.display:
        worth = {card: product_vp(card, me.tableau) for card in position.display}
        card = max(worth, key=lambda card: worth[card])
        steps = RESEARCH_SPACES - me.research
        yield Way(worth[card], say("%(steps)s research for the %(card)s", steps=steps, card=NAMES[card]))


def _by_building(position: Position, seat: Seat) -> Iterator[Way]:
    """A majority in one's own city, if it is another's or nobody's, and a city that is new to it."""
    me = position.players[seat]
    rivals = [in_city(player.tableau, me.city) for other, player in enumerate(position.players) if other != seat]
    if (more := max(rivals) + 1 - in_city(me.tableau, me.city)) > 0:
        single, several = "%(number)s more Building in %(city)s", "%(number)s more Buildings in %(city)s"
        yield Way(MAJORITY_VP, say_number(single, several, more, city=CITIES[me.city]))
    if (towns := cities(me.tableau)) < len(CITIES):
        yield Way(CITIES_VP[towns + 1] - CITIES_VP[towns], say("a Building in a new city"))
