"""A question as a form for people: words, and ways to answer made of plain controls. No Django, no JavaScript.

What comes back is put together by the names of the controls alone: PATH:KIND, the path of a value in the answer and how
it is read. In a path "#0" is the first item of a list. Whether the answer is legal is the engine's to say.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bots.refusals import Refused

Values = Mapping[str, Sequence[str]]  # of a form sent, by the names of its controls
# number: a whole number. some: the same, left out if it is 0. one: the chosen value. item: likewise, one more for the
# list. list: all that are ticked. text: words, left out if there are none. key: what "@" after its path stands for.
Kind = Literal["number", "some", "one", "item", "list", "text", "key"]
BASE, NEEDS, WAY = "base", "needs", "way"
ALL: Final = "*"  # the path of the whole answer: an object is laid over it
PICKED: Final = ("one", "item", "list", "key")
LONGEST, DEEPEST = 64_000, 6


class FormError(Refused, ValueError):
    """What was sent is not one of our forms."""


@dataclass(frozen=True, slots=True)
class Choice:
    """`place` is the name of what it stands for on the board (`data-place`), if it is there; `least` the lowest number
    that goes with it, where a number is asked for too."""

    value: object
    label: str
    chosen: bool = False
    place: str = ""
    least: int = 0

    @property
    def key(self) -> str:
        """Return the value as it is sent; nothing is sent for ""."""
        return "" if self.value == "" else json.dumps(self.value)


@dataclass(frozen=True, slots=True)
class Control:
    """`choices` of what is picked, `low` to `high` of numbers; as a `list` all are ticked boxes, else `radio` buttons
    or a list to choose from. `of` is the money there, of which a bid leaves the rest."""

    path: str
    kind: Kind
    label: str
    choices: Sequence[Choice] = ()
    low: int = 0
    high: int = 0
    step: int = 1
    value: str = ""
    radio: bool = False
    hint: str = ""
    of: int = 0

    @property
    def name(self) -> str:
        return f"{self.path}:{self.kind}"

    @property
    def must_choose(self) -> bool:
        """Whether a choice has to be made: nothing is chosen yet, and none of the choices stands for nothing."""
        return (
            self.kind != "list"
            and bool(self.choices)
            and not any(choice.chosen or not choice.key for choice in self.choices)
        )

    def filled(self, given: Sequence[str]) -> "Control":
        """Return the control with what was sent. One of which a choice must be made stays as it is if what was sent
        answers another question."""
        if self.kind in PICKED:
            if self.kind != "list" and not any(choice.key in given for choice in self.choices):
                return self
            picked = [replace(choice, chosen=choice.key in given) for choice in self.choices]
            return replace(self, choices=picked)
        return replace(self, value=given[0][:LONGEST]) if given else self

    def says(self, given: Sequence[str]) -> str:
        """Return in words what was sent; nothing of what stands for nothing."""
        if self.kind in PICKED:
            picked = [choice.label for choice in self.choices if choice.key and choice.key in given]
            return f"{self.label}: {', '.join(picked)}" if picked else ""
        typed = given[-1].strip()[:LONGEST] if given else ""
        return f"{self.label}: {typed}" if typed and (self.kind, typed) != ("some", "0") else ""


@dataclass(frozen=True, slots=True)
class Button:
    """Sends the form, and with a path a value besides, which goes before that of a control of the same name; `place`
    as of a choice."""

    label: str
    path: str = ""
    value: object = None
    kind: Kind = "one"
    quiet: bool = False
    place: str = ""

    @property
    def name(self) -> str:
        return f"{self.path}:{self.kind}" if self.path else ""

    @property
    def key(self) -> str:
        return json.dumps(self.value)


@dataclass(frozen=True, slots=True)
class Group:
    """Controls that belong together, and may be left alone."""

    title: str
    controls: Sequence[Control]

    def says(self, sent: Values, needs: Sequence[str]) -> list[str]:
        """Return in words what was chosen and typed; nothing if what is needed was left out."""
        words = {control.path: control.says(sent.get(control.name, ())) for control in self.controls}
        return [] if any(not words.get(path, path) for path in needs) else list(words.values())


@dataclass(frozen=True, slots=True)
class Way:
    """One way to answer: a form of its own. `base` is the answer but for the controls; an item of a list that lacks one
    of the paths in `needs` is left out."""

    title: str
    base: Mapping[str, object]
    buttons: Sequence[Button]
    controls: Sequence[Control] = ()
    groups: Sequence[Group] = ()
    needs: Sequence[str] = ()

    @property
    def base_key(self) -> str:
        return json.dumps(self.base)

    @property
    def needs_key(self) -> str:
        return json.dumps(self.needs)

    def says(self, sent: Values) -> str:
        """Return in words what would be answered: the button that was pressed, and all that was chosen and typed."""
        pressed = next(
            (
                candidate
                for candidate in self.buttons
                if candidate.name and candidate.key in sent.get(candidate.name, ())
            ),
            None,
        )
        button = pressed or next((candidate for candidate in self.buttons if not candidate.name), self.buttons[0])
        parts = [control.says(sent.get(control.name, ())) for control in self.controls if control.name != button.name]
        parts += [words for group in self.groups for words in group.says(sent, self.needs)]
        return "; ".join(filter(None, (button.label, self.title, *parts)))

    def filled(self, sent: Values) -> "Way":
        return replace(
            self,
            controls=[control.filled(sent.get(control.name, ())) for control in self.controls],
            groups=[
                replace(group, controls=[control.filled(sent.get(control.name, ())) for control in group.controls])
                for group in self.groups
            ],
        )


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked, in a sentence or two, and the ways to answer."""

    words: str
    ways: Sequence[Way]

    def filled(self, sent: Values) -> "Form":
        """Return the form with what was typed, after it was refused."""
        chosen = sent.get(WAY, [""])[0]
        return replace(
            self,
            ways=[
                alternative.filled(sent) if str(number) == chosen else alternative
                for number, alternative in enumerate(self.ways)
            ],
        )


# --- what comes back -----------------------------------------------------------------------------------------------


def read_sent_answer(sent: Values) -> dict[str, Any]:
    """The answer, as plain data, that was put together. Raises FormError."""
    try:
        tree = _tree(json.loads(sent.get(BASE, [""])[0][:LONGEST]))
        needs = json.loads(sent.get(NEEDS, ["[]"])[0][:LONGEST])
        for name in sent:
            path, colon, kind = name.rpartition(":")
            if colon and kind != "key":
                _put(tree, _keyed(path, sent), _value(kind, sent[name]))
        for path in needs:
            _drop_without(tree, str(path).split("."))
        return _lists(tree)  # type: ignore[no-any-return]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        why = error.detail if isinstance(error, FormError) else error
        raise FormError("bad_form", "this is not a form of this page (%(why)s); load the page again", why=why) from None


def _tree(plain: object) -> dict[str, Any]:
    """Lists as objects whose keys begin with #, so that paths lead into them."""
    if not isinstance(plain, dict):
        raise FormError("bad_form", "the base of an answer is an object")
    return {key: _listed(value) for key, value in plain.items()}


def _listed(value: object) -> object:
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return {f"#{number}": _listed(item) for number, item in enumerate(value)}
    return _tree(value) if isinstance(value, dict) else value


def _keyed(path: str, sent: Values) -> str:
    """The path, with the key that was chosen."""
    before, marker, after = path.partition(".@")
    return f"{before}.{json.loads(sent[f'{before}:key'][-1])}{after}" if marker else path


def _value(kind: str, given: Sequence[str]) -> object:
    """Return what was typed or chosen as a value of that kind of control; None where nothing was typed."""
    texts = [text for text in given if text.strip()]
    if kind in ("list", "item"):
        return [json.loads(text) for text in texts]
    if not texts:
        return None
    if kind == "one":
        return json.loads(texts[-1])
    if kind in ("number", "some"):
        number = _whole(texts[-1].strip())
        return None if kind == "some" and number == 0 else number
    return texts[-1].strip()


def _whole(text: str) -> object:
    """The number, or the text itself, which the engine will refuse in its own words."""
    return int(text) if len(text) < 18 and text.lstrip("-").isdecimal() else text


def _put(tree: dict[str, Any], path: str, value: object) -> None:
    if value is None:
        return
    steps = path.split(".")
    if len(steps) > DEEPEST:
        raise FormError("bad_form", "a control's path is too long")
    if path == ALL:
        tree.update(_tree(value))
        return
    for step in steps[:-1]:
        if not isinstance(tree.get(step), dict):
            tree[step] = {}
        tree = tree[step]
    tree[steps[-1]] = value


def _drop_without(tree: dict[str, Any], path: Sequence[str]) -> None:
    """The item of a list that the path leads into goes, if there is nothing at its end."""
    item = next((number for number, step in enumerate(path) if step.startswith("#")), 0)
    if not item:
        raise FormError("bad_form", "what is needed is in an item of a list")
    holder: Any = tree
    for step in path[: item - 1]:
        holder = holder.get(step, {})
    items = holder.get(path[item - 1], {})
    value: Any = items
    for step in path[item:]:
        value = value.get(step) if isinstance(value, dict) else None
    if items and value in (None, [], ""):
        items.pop(path[item], None)
    holder[path[item - 1]] = items or []


def _lists(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    if tree and all(key.startswith("#") for key in tree):
        return [_lists(tree[key]) for key in sorted(tree, key=lambda key: int(key[1:]))]
    return {key: _lists(value) for key, value in tree.items()}
