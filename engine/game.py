"""The interface of a game: its name, its rules version, and the functions that make it playable."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine.core import Event, Flow, Match, P, Position, Question, Seat
from engine.dice import Dice
from engine.luck_value import LuckValue
from engine.records import Record, RecordError, from_plain
from engine.sentences import Sentence

Rank = tuple[int, ...]  # what a seat is ranked by, the first part first; of two the higher is better
Opt = TypeVar("Opt", bound="Options")
Features = list[list[int]]  # by seat, whole numbers that describe a position


class Options(Record):
    """How a game is set up. Every game's options have `players`, and say why a choice is invalid."""

    __slots__ = ()
    players: int

    def error(self) -> Sentence | None:
        """Return why these options cannot be played, in a sentence, or None."""
        raise NotImplementedError

    def outside(self, name: str, least: int, most: int) -> Sentence | None:
        """Return that a number is not in its range, in a sentence, or None."""
        if least <= (given := getattr(self, name)) <= most:
            return None
        sentence = "options.%(name)s must be %(least)s to %(most)s, not %(given)s"
        return Sentence(sentence, name=name, least=least, most=most, given=given)

    def no_seat(self, name: str) -> Sentence | None:
        """Return that it is neither "random" nor a seat, in a sentence, or None."""
        if (given := getattr(self, name)) == "random" or 0 <= given < self.players:
            return None
        sentence = 'options.%(name)s must be "random" or a seat from 0 to %(last)s, not %(given)s'
        return Sentence(sentence, name=name, last=self.players - 1, given=given)


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll: what came, and all that could have come, each with the number of ways in which it comes about."""

    seat: Seat
    dice: list[int]
    playing: list[Seat]  # before it
    came: Features
    could: list[tuple[int, Features]]


@dataclass(frozen=True, slots=True)
class Luck(Generic[P]):
    """How a game tells luck: what a roll makes of a position, before anybody decides anything (`engine.luck`)."""

    features: tuple[str, ...]
    ways: Callable[[Any], int]  # of one roll, by the options
    watched: Callable[[P, Callable[[P], None]], Flow[None]]  # the rules, with a look at the position before each roll
    throw: Callable[[P], Throw]  # of a position before a roll, which stays as it is
    values: tuple[LuckValue, ...]  # that are fixed


@dataclass(frozen=True, slots=True)
class Game(Generic[Opt, P]):
    """One game. All functions are pure but for `rules`, which moves its position."""

    name: str  # in addresses and files: "zaibatsu"
    title: str  # for people: "Zaibatsu"
    version: int  # of the rules; raised whenever the same answers could end otherwise
    players: range  # how many may play
    options: type[Opt]
    questions: tuple[type[Question[Any]], ...]
    events: tuple[type[Event], ...]
    new: Callable[[Opt, Dice], P]  # the position before the first question
    position: type[P]
    rules: Callable[[P], Flow[None]]
    view: type[Record]
    see: Callable[[P, Seat], Record]  # what a seat may know, as a `view`
    scores: Callable[[P], list[int]]  # by seat, higher is better; final when the match is over
    redraw: Callable[[P, Seat, Dice], P]  # a copy in which all that the seat may not know is drawn afresh
    imagine: Callable[[Any, Sequence[Event], Dice], P]  # a position that fits the view of a seat that is asked, and all
    # that it has heard since the match began, oldest first; what the seat cannot know is drawn
    ranking: Callable[[P], list[Rank]] | None = None  # by seat, where the rules tell equal scores apart
    luck: Luck[P] | None = None  # where rolls can be told from what is made of them

    def read_options(self, data: object) -> Opt:
        """Return options from plain data. Raises RecordError with the reason."""
        options = from_plain(self.options, data, "options")
        if reason := options.error():
            raise RecordError(reason)
        return options  # type: ignore[no-any-return]

    def start(self, options: Opt, seed: str, *, listen: bool = True, dice: type[Dice] = Dice) -> Match[P]:
        """Return a match at its first question. With `listen`, its events are kept for `Match.hear`.

        Play-outs that nobody records may have `QuickDice`.
        """
        position = self.new(options, dice.of(seed))
        position.heard = [] if listen else None
        return Match(self.rules, position)

    def read_question(self, data: object) -> Question[Any]:
        return from_plain(_union(self.questions), data, "question")  # type: ignore[no-any-return]

    def read_event(self, data: object) -> Event:
        return from_plain(_union(self.events), data, "event")  # type: ignore[no-any-return]

    def read_view(self, data: object) -> Record:
        return from_plain(self.view, data, "view")  # type: ignore[no-any-return]

    def read_position(self, data: object) -> P:
        return from_plain(self.position, data, "position")  # type: ignore[no-any-return]


AnyGame = Game[Any, Any]
__all__ = ["AnyGame", "Features", "Game", "Luck", "Options", "Position", "Throw"]


def _union(kinds: tuple[Any, ...]) -> Any:
    union = kinds[0]
    for kind in kinds[1:]:
        union = union | kind
    return union
