"""What a board is drawn with: an SVG made of named parts, so that frames hold only those that change.

Boards style nothing in place: a part's elements have classes, and `boards.css` gives those their colours in light and
dark. Whatever a person or a bot has written goes through `text`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

Markup = str  # SVG elements, whole
NARROW = 480  # units of width for which a phone is wide enough: elsewhere such a picture need not fill its place


@dataclass(frozen=True, slots=True)
class Picture:
    """A board at one moment. The names and the order of `parts` are the same in all pictures of one match.

    `width` and `height` are the units of the view box; `says` is the picture in words, for those who do not see it.
    """

    width: int
    height: int
    parts: dict[str, Markup]
    says: str

    def changes(self, before: "Picture | None") -> dict[str, Markup]:
        """The parts that differ from `before`; all of them, if there is none."""
        if before is None:
            return self.parts
        return {name: markup for name, markup in self.parts.items() if before.parts[name] != markup}

    def svg(self) -> Markup:
        inner = "".join(f'<g id="part-{name}">{markup}</g>' for name, markup in self.parts.items())
        box = f'viewBox="0 0 {self.width} {self.height}"'
        drawn = "picture narrow" if self.width <= NARROW else "picture"
        return f'<svg class="{drawn}" {box} role="img" aria-label="{escape(self.says)}">{inner}</svg>'


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


def rect(x: float, y: float, width: float, height: float, class_: str = "", **attributes: object) -> Markup:
    return element("rect", x=x, y=y, width=width, height=height, **({"class_": class_} if class_ else {}), **attributes)


def clip(words: str, length: int) -> str:
    """At most so many characters, the last one an ellipsis if some are left out."""
    return words if len(words) <= length else words[: length - 1] + "…"


def shorten(names: Sequence[str], seat: int, length: int) -> str:
    """A seat's name where its number stands beside it, and need not be told again to tell equal names apart."""
    return clip(names[seat].removesuffix(f" (seat {seat})"), length)


def merge(parts: Mapping[str, Markup], changed: Mapping[str, Markup]) -> dict[str, Markup]:
    return {name: changed.get(name, markup) for name, markup in parts.items()}


def badge(seat: int, x: float, y: float, radius: float = 10) -> Markup:
    """A seat's sign: its colour, and its number for those who cannot tell colours apart."""
    disc = element("circle", cx=x, cy=y, r=radius, class_=f"seat-{seat}")
    return disc + text(seat, x, y + 4.5, "on-seat")


def fit(number: int, width: float, height: float, cell: tuple[float, float]) -> tuple[int, float]:
    """How many cells of a size stand side by side, and how much smaller they become, for `number` of them to fit."""
    number = max(number, 1)

    def scale(columns: int) -> float:
        rows = -(-number // columns)
        return min(1.0, width / (columns * cell[0]), height / (rows * cell[1]))

    best = max(range(1, number + 1), key=lambda columns: (scale(columns), -columns))
    return best, scale(best)
