"""What one seat may know: everything but the order of the decks. And positions that fit it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.copies import carrier
from engine.core import Event, Seat
from engine.dice import Dice
from engine.games.kaiju.pieces import DECK, HANDBAGS, PRODUCT, THREAT
from engine.games.kaiju.position import Ending, Gain, Options, Owed, Phase, Player, Position, Step
from engine.games.kaiju.rules import PHASES, STEPS
from engine.games.kaiju.scoring import all_vp
from engine.records import Record

Doing = Literal["go", "special", "income", "sixth", "over"]


@dataclass(slots=True)
class DecksView(Record):
    """How many cards are left in each deck."""

    building: int
    product: int
    kaiju: int


@dataclass(slots=True)
class View(Record):
    """The position, but for the decks. `players` and `vp` (as if the game ended now) are by seat."""

    game: Literal["kaiju"]
    opts: Options
    seat: Seat
    turn: int
    start_player: Seat
    first_start: Seat  # the start player of the first turn
    doing: Doing
    goes: list[Seat]  # who has yet to take a card this turn, the one at it first
    row: list[str]
    sixth: str
    display: list[str]  # New Products face up
    kaiju: str  # the current threat
    struck: bool  # it will be replaced
    decks: DecksView
    building_discard: list[str]
    kaiju_discard: list[str]
    players: list[Player]
    vp: list[int]
    special: str  # the Special Action being carried out
    revealed: list[str]
    gains: list[Gain]  # who will get what next
    owed: Owed | None
    triggered: bool  # this is the last turn
    ended: Ending


_view_of, _position_of = carrier(Position, View), carrier(View, Position)


def see(position: Position, seat: Seat) -> View:
    """Return the view of `seat`: all that it may know."""
    return _view_of(
        position,
        game="kaiju",
        opts=position.options,
        seat=seat,
        doing=_doing(position),
        kaiju=position.threat,
        decks=DecksView(len(position.deck), len(position.product_deck), len(position.kaiju_deck)),
        building_discard=position.discard.copy(),
        vp=all_vp(position.players, position.options.city_majority),
    )


# The phase of the turn and the step of the go in which something is asked.
ASKED: Final[dict[Doing, tuple[Phase, Step]]] = {
    "go": ("goes", "choose"),
    "special": ("goes", "special"),
    "income": ("goes", "settle"),
    "sixth": ("settle", "choose"),  # between two goes
}
OVER: Final = (len(PHASES), 0)
STAGES: Final[dict[Doing, tuple[int, int]]] = {
    **{doing: (PHASES.index(phase), STEPS.index(step)) for doing, (phase, step) in ASKED.items()},
    "over": OVER,
}
DOING: Final = {stage: doing for doing, stage in STAGES.items()}


def _doing(position: Position) -> Doing:
    return DOING.get((position.phase, position.step), "over")


def redraw(position: Position, _seat: Seat, dice: Dice) -> Position:
    """Return a copy with other dice and the decks in another order; the Handbags stay at the bottom of theirs."""
    out = position.copy()
    out.dice = dice.fork()
    out.deck = _shuffled(out.deck, dice)
    out.kaiju_deck = _shuffled(out.kaiju_deck, dice)
    out.product_deck = _products(out.product_deck, dice)
    return out


def imagine(view: View, _heard: Sequence[Event], dice: Dice) -> Position:
    """Return a position that fits what a seat sees: the decks hold what is seen nowhere else."""
    seen = {*view.row, view.sixth, view.special, *view.revealed, *view.building_discard, *view.display}
    seen |= {card for player in view.players for card in (*player.tableau, *player.products)}
    seen |= {view.kaiju, *view.kaiju_discard}
    phase, step = STAGES[view.doing]
    return _position_of(
        view,
        options=view.opts,
        dice=dice.fork(),
        deck=_shuffled([card for card in DECK if card not in seen], dice),
        product_deck=_products([card for card in PRODUCT if card not in seen], dice),
        kaiju_deck=_shuffled([card for card in THREAT if card not in seen], dice),
        threat=view.kaiju,
        discard=view.building_discard.copy(),
        phase=phase,
        step=step,
    )


def _shuffled(cards: Sequence[str], dice: Dice) -> list[str]:
    out = sorted(cards)  # what is drawn must not depend on how the secret lies
    dice.shuffle(out)
    return out


def _products(cards: Sequence[str], dice: Dice) -> list[str]:
    products = [card for card in cards if card not in HANDBAGS]
    return _shuffled(products, dice) + _shuffled([card for card in cards if card in HANDBAGS], dice)
