"""What a board is drawn with: an SVG made of named parts, so that frames hold only those that change.

Boards style nothing in place: a part's elements have classes, and `boards.css` gives those their colours in light and
dark. Whatever a person or a bot has written goes through `text`.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import accumulate
from typing import Final
from unicodedata import east_asian_width

from bots.viewer.language import say

SEATED: Final = " (seat %(seat)s)"  # after names that several have
Markup = str  # SVG elements, whole
SHAPES: Final = "shapes"  # the part that others refer to: it is in the page once
WIDE_ONLY: Final = "wide-"  # how the names of parts begin that the slim layout does not have
SEATS: Final = (  # the shapes of their signs, about 20 wide and high, round their middle
    "M-10.5 0A10.5 10.5 0 0 1 10.5 0A10.5 10.5 0 0 1-10.5 0Z",
    "M-9.5-9.5H9.5V9.5H-9.5Z",
    "M0-12.5L12.5 0L0 12.5L-12.5 0Z",
    "M-10-10H10V1.5L0 11.5L-10 1.5Z",
    "M-5.5-10H5.5L11.5 0L5.5 10H-5.5L-11.5 0Z",
    "M0-11.5L10.5-3.5V10H-10.5V-3.5Z",
    "M-5.5-11H5.5V-5.5H11V5.5H5.5V11H-5.5V5.5H-11V-5.5H-5.5Z",
    "M0-14L13 9.5H-13Z",
)
PLACED: Final = re.compile(r' (?:transform|x|y|cx|cy|d|width|height)="[^"]*"')
SLIM_ONLY: Final = "slim-"  # of those that only it has: `slim-x` is there in the place of `x`


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part lies, and how much larger than it was drawn."""

    x: float
    y: float
    scale: float = 1

    @property
    def transform(self) -> Markup:
        scale = f" scale({self.scale:.4g})" if self.scale != 1 else ""
        return f' transform="translate({self.x:g} {self.y:g}){scale}"'


@dataclass(frozen=True, slots=True)
class Layout:
    """The units of a view box, and where parts lie in it; those that are not told have their places in themselves."""

    width: int
    height: int
    places: Mapping[str, Place] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """A board at one moment. The names and the order of `parts` and their places are the same all match long.

    `width` and `height` are the units of the view box, `places` those of the parts in it; `slim` lays the same parts
    out for a place that is higher than wide, such as a phone. `says` is the picture in a sentence or two, `words` all
    that is on it, by what each line is about: the lines too are the same all match long. When a part has changed, a
    frame is drawn round it, but for those whose names begin as `quiet` says: they change with nearly every move; and
    but for those, as `pushed` says, which have only got another place, because others have grown.
    """

    width: int
    height: int
    parts: dict[str, Markup]
    says: str
    places: Mapping[str, Place] = field(default_factory=dict)
    slim: Layout | None = None
    quiet: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    pushed: tuple[str, ...] = ()

    def changes(self, before: "Picture | None") -> dict[str, Markup]:
        """The parts that differ from `before`; all of them, if there is none."""
        if before is None:
            return self.parts
        return {name: markup for name, markup in self.parts.items() if before.parts[name] != markup}

    def retold(self, before: "Picture | None") -> Mapping[str, str]:
        """The lines of its words that differ from `before`; all of them, if there is none."""
        if before is None:
            return self.words
        return {about: words for about, words in self.words.items() if before.words.get(about) != words}

    def moved(self, before: "Picture | None") -> list[str]:
        """The parts that differ from `before` in their places alone."""
        found = [name for name in self.changes(before) if before and name.startswith(self.pushed)]
        return [name for name in found if before and _placeless(self.parts[name]) == _placeless(before.parts[name])]

    def svg(self) -> Markup:
        """Return the picture for a page, whose style shows the one of two layouts that suits the place."""
        wide = self._drawn("picture wide" if self.slim else "picture", Layout(self.width, self.height, self.places))
        return wide + (self._drawn("picture slim", self.slim) if self.slim else "")

    def inner(self) -> Markup:
        """Return what is in the picture, without a page around it."""
        return self._parts(Layout(self.width, self.height, self.places), first=True)

    def _drawn(self, class_: str, layout: Layout) -> Markup:
        box = f'viewBox="0 0 {layout.width} {layout.height}"'
        box += ' preserveAspectRatio="xMidYMin"' if layout is self.slim else ""
        inner = self._parts(layout, first=layout is not self.slim)
        role = "group" if "tabindex" in inner else "img"  # a picture alone hides from screen readers what is in it
        return f'<svg class="{class_}" {box} role="{role}" aria-label="{escape(self.says)}">{inner}</svg>'

    def _parts(self, layout: Layout, *, first: bool) -> Markup:
        """Draw the parts of a layout. Only in the first have they ids, for an id may occur once in a page."""
        left_out = (SLIM_ONLY,) if first else (WIDE_ONLY, SHAPES)
        names = [name for name in self.parts if not name.startswith(left_out)]
        names = [name for name in names if first or f"{SLIM_ONLY}{name}" not in self.parts]
        return "".join(f"<g{self._marks(layout, name, first=first)}>{self.parts[name]}</g>" for name in names)

    def _marks(self, layout: Layout, name: str, *, first: bool) -> Markup:
        """The attributes by which the group of a part is known and placed."""
        place = layout.places[name].transform if name in layout.places else ""
        id_ = f' id="part-{name}"' if first else ""
        quiet = ' data-quiet=""' if name.removeprefix(SLIM_ONLY).removeprefix(WIDE_ONLY).startswith(self.quiet) else ""
        return f'{id_} data-part="{name}"{quiet}{place}'


def _placeless(markup: Markup) -> Markup:
    return PLACED.sub("", markup)


def element(tag: str, inner: Markup = "", /, **attributes: object) -> Markup:
    """An element; in names of attributes `_` stands for `-`, and a last one (`class_`) is taken off."""
    written = "".join(f' {name.rstrip("_").replace("_", "-")}="{_spell(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>{inner}</{tag}>" if inner else f"<{tag}{written}/>"


def _spell(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else escape(str(value))


def group(*inner: Markup, at: tuple[float, float] = (0, 0), **attributes: object) -> Markup:
    """Elements moved together, so that their own coordinates may begin at 0."""
    if at != (0, 0):
        attributes["transform"] = f"translate({at[0]:g} {at[1]:g})"
    return element("g", "".join(inner), **attributes)


def text(words: object, x: float, y: float, class_: str = "", **attributes: object) -> Markup:
    """Words at a place; escaped."""
    if class_:
        attributes["class_"] = class_
    return element("text", escape(str(words)), x=x, y=y, **attributes)


def tooltip(words: str) -> Markup:
    """Return what a group says at the pointer and to screen readers: its first element."""
    return element("title", escape(words, quote=False))


def rect(x: float, y: float, width: float, height: float, class_: str = "", **attributes: object) -> Markup:
    return element("rect", x=x, y=y, width=width, height=height, **({"class_": class_} if class_ else {}), **attributes)


def clip(words: str, length: int) -> str:
    """Return at most so many letters, the last one an ellipsis if some are left out. Wide ones, such as Chinese, are
    two."""
    if words.isascii() and len(words) <= length:
        return words
    ends = list(accumulate(1 + (east_asian_width(letter) in "WF") for letter in words))
    return words if not ends or ends[-1] <= length else words[: bisect_right(ends, length - 1)] + "…"


def whole_words(words: str, length: int) -> str:
    """Return at most so many letters: the words that fit and an ellipsis; of a single long word its beginning."""
    kept = clip(words, length)
    if kept == words:
        return words
    kept = kept.removesuffix("…")
    complete = kept if words[len(kept)].isspace() else kept.rpartition(" ")[0]
    return f"{complete.rstrip() or kept}…"


def shorten(names: Sequence[str], seat: int, length: int) -> str:
    """A seat's name where its number stands beside it, and need not be told again to tell equal names apart."""
    return clip(names[seat].removesuffix(say(SEATED, seat=seat)), length)


def merge(parts: Mapping[str, Markup], changed: Mapping[str, Markup]) -> dict[str, Markup]:
    return {name: changed.get(name, markup) for name, markup in parts.items()}


def badge(seat: int, x: float, y: float, radius: float = 10, name: str = "") -> Markup:
    """A seat's sign: its colour, shape and number, as in lists (static/boards.css), with a word at it."""
    return group(tooltip(seat_words(seat, name)), numbered(seat, x, y, radius))


def numbered(seat: int, x: float, y: float, radius: float = 10) -> Markup:
    """Draw a seat's sign in what has words already."""
    return sign(seat, x, y, radius / 10) + text(seat, x, y + 4.5, "on-seat")


def seat_words(seat: int, name: str = "") -> str:
    return say("Seat %(seat)s: %(name)s", seat=seat, name=name) if name else say("Seat %(seat)s", seat=seat)


def sign(seat: int, x: float, y: float, scale: float = 1) -> Markup:
    """Draw the seat's colour and shape alone."""
    place = f"translate({x:g} {y:g})" + (f" scale({scale:g})" if scale != 1 else "")
    return element("path", d=SEATS[seat % len(SEATS)], transform=place, class_=f"seat-{seat}")
