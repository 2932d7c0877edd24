"""A game from outside whose package draws nothing: views as tables, events as they are, answers to choose from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bots.viewer.answer_forms.form import ALL, Button, Choice, Control, Form, Way
from bots.viewer.commentary.story import Line
from bots.viewer.language import say
from bots.viewer.svg import Markup, Picture, badge, clip, group, rect, text
from engine.core import Event, Question, Seat
from engine.dice import Dice
from engine.game import AnyGame
from engine.records import canonical, to_plain

WIDTH, HEAD, ROW, VALUE_X = 720, 30, 18, 130
LONGEST_VALUE, LONGEST_NAME, LONGEST_LINE = 88, 30, 300  # characters
OWN: Final = ("game", "opts", "seat")  # of a view: the same in every one of a match
LONGEST_WORDS: Final = 2000
DRAWN: Final = 12  # answers that a form offers besides the default


@dataclass(slots=True)
class PlainBoard:
    """Of each seat shown its view, a row a field. What all know is told by no function of a game, so that of the other
    seats nothing is shown, and nobody is said to lead."""

    game: AnyGame
    UNIT: str = "points"

    def draw(self, position: Any, names: Sequence[str], shown: frozenset[Seat]) -> Picture:
        fields = [name for name in self.game.view.__dataclass_fields__ if name not in OWN]  # type: ignore[attr-defined]
        height = HEAD + ROW * len(fields) + 10
        parts, words = {"table": text(self.game.title, 0, 20, "title")}, dict[str, str]()
        for seat, name in enumerate(names):
            plain = to_plain(self.game.see(position, seat)) if seat in shown else {}
            rows = [_row(field, plain, HEAD + ROW * number) for number, field in enumerate(fields)]
            drawn = [rect(0, 0, WIDTH, height - 8, "felt", rx=6), _head(seat, name, seat in shown), *rows]
            parts[f"seat-{seat}"] = group(*drawn, at=(0, HEAD + seat * height))
            hidden = say("not shown from here")
            words[say("Seat %(seat)s", seat=seat)] = f"{name}: {_in_words(plain) or hidden}."
        sentence = "%(title)s, seat by seat. This game has no board: what a seat knows is a table."
        says = say(sentence, title=self.game.title)
        return Picture(WIDTH, HEAD + len(names) * height, parts, says, words=words)

    def worth(self, position: Any) -> list[float]:
        return [0.0] * len(self.game.scores(position))


def _head(seat: Seat, name: str, shown: bool) -> Markup:
    head = badge(seat, 16, 15, name=name) + text(clip(name, LONGEST_NAME), 32, 20, "strong")
    return head if shown else head + text(say("not shown from here"), WIDTH - 10, 20, "faint end")


def _in_words(plain: dict[str, Any]) -> str:
    facts = [f"{field.replace('_', ' ')} {canonical(value)}" for field, value in plain.items() if field not in OWN]
    return clip("; ".join(facts), LONGEST_WORDS)


def _row(field: str, plain: dict[str, Any], y: float) -> Markup:
    if field not in plain:
        return ""
    value = clip(canonical(plain[field]), LONGEST_VALUE)
    return text(clip(field.replace("_", " "), 18), 10, y + 14, "small faint") + text(value, VALUE_X, y + 14, "small")


def tell(event: Event, names: Sequence[str]) -> Line:
    """The event's name and its fields."""
    plain = {name: value for name, value in to_plain(event).items() if name != "t"}
    if plain.get("seat") in range(len(names)):
        plain["seat"] = names[plain["seat"]]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(event).__name__).capitalize()
    fields = ", ".join(f"{name.replace('_', ' ')} {_spelt(value)}" for name, value in plain.items())
    return Line(clip(f"{words}: {fields}." if fields else f"{words}.", LONGEST_LINE))


def ask(question: Question[Any], view: Any, names: Sequence[str]) -> Form:  # noqa: ARG001 - a form is made of all three
    """The default and some answers that the question draws: enough to play a game to its end, not to play it well."""
    dice = Dice.of(canonical(question))
    answers = [to_plain(answer) for answer in (question.default(), *(question.draw(dice) for _ in range(DRAWN)))]
    distinct = list({canonical(answer): answer for answer in answers}.values())
    choices = [Choice(answer, clip(canonical(answer), LONGEST_VALUE), answer == distinct[0]) for answer in distinct]
    words = f"{type(question).__name__}: {clip(canonical(question), LONGEST_LINE)}"
    return Form(
        words, [Way("", {}, [Button(say("Answer"))], [Control(ALL, "one", say("Answer"), choices, radio=True)])]
    )


def _spelt(value: object) -> str:
    return value if isinstance(value, str) else canonical(value)
