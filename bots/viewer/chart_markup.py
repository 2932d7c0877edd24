"""A chart of a match: how each seat stood, with axes, names at the lines, and marks that say what they are."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Final

from bots.viewer.film_chunks import Look
from bots.viewer.key_moments import Mark
from bots.viewer.language import decimal, say
from bots.viewer.score_chart import HEIGHT, WIDTH, LineChart, share_of_match
from bots.viewer.svg import Markup, clip, element, group, rect, sign, text

WIDE, HIGH = 340, 190  # units of the whole
LEFT, TOP, RIGHT, BOTTOM = 38, 24, 250, 160  # of what is drawn between the axes
LINE: Final = 15  # from name to name
NEAR: Final = 9  # units: marks that are nearer to each other are one
MOST: Final = 3  # sentences of a mark
BEADS: Final = 2  # numbers on each line
SIGNS: Final = {"swing": "◆", "lead": "▲", "bad": "!", "key": "•"}
MEANS: Final = {"swing": "a swing of the chances", "lead": "a new leader", "bad": "a fault", "key": "what decides"}

Address = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Course:
    """What one chart shows. `values`: at each moment, by seat; the axis has `times` as much."""

    kind: str
    drawn: LineChart
    values: Sequence[Sequence[float]]
    unit: str
    label: str
    marks: Sequence[Mark]
    times: int = 1


def chart(course: Course, seen: Look, address: Address) -> Markup:
    """`address` leads to a moment."""
    drawn, last = course.drawn, seen.outline.ats[-1]
    plot = element("svg", _plot(drawn, seen.at, last), x=LEFT, y=TOP, width=RIGHT - LEFT, height=BOTTOM - TOP,
                   viewBox=f"0 0 {WIDTH} {HEIGHT}", preserveAspectRatio="none")  # fmt: skip
    lines = [_axes(course, last), plot, *_beads(course, seen.outline.ats, seen.at)]
    names = _hidden_until(last, seen.at, *_names(course, seen.names))  # they stand where the lines end
    inner = [*lines, *_marks(course.marks, last, seen.at, address), names]
    box = f'viewBox="0 0 {WIDE} {HIGH}" role="group" aria-label="{escape(course.label)}"'
    svg = f'<svg class="worth" {box} data-chart>{"".join(inner)}</svg>'
    caption = f'<figcaption class="soft" data-mark>{_how(course.marks)}</figcaption>'
    return f'<figure class="course" data-kind="{course.kind}">{svg}{caption}</figure>'


def _how(marks: Sequence[Mark]) -> str:
    present = {mark.kind for mark in marks}
    kinds = [f"{letter} {say(MEANS[kind])}" for kind, letter in SIGNS.items() if kind in present]
    return say("%(kinds)s: point at a mark, or tap it.", kinds=", ".join(kinds)) if kinds else ""


def _plot(drawn: LineChart, step: int, last: int) -> Markup:
    """Draw the lines in thousandths of the width, so that the script need not know how it is stretched."""
    ground = rect(0, 0, WIDTH, HEIGHT, "ground", data_plot="")
    lines = [f'<polyline class="outline seat-{seat}" points="{points}"/>' for seat, points in enumerate(drawn.lines)]
    now = share_of_match(step, last)
    lines.append(rect(now, 0, WIDTH - now, HEIGHT, "ground future", data_future=""))
    return ground + "".join(lines) + f'<line class="cursor" x1="{now}" x2="{now}" y1="0" y2="{HEIGHT}" data-cursor=""/>'


def _hidden_until(moment: int, now: int, *inner: Markup) -> Markup:
    """Return what would tell before that moment what is to come; the style hides what has the class."""
    if moment > now:
        return group(*inner, data_later=moment, class_="later")
    return group(*inner, data_later=moment)


def _height(drawn: LineChart, value: float) -> float:
    return round(TOP + (BOTTOM - TOP) * (drawn.high - value) / (drawn.high - drawn.low), 1)


def grid_lines(low: float, high: float) -> list[float]:
    """Round values from `low` to `high`, some three of them."""
    rough = (high - low) / 3
    power = 10.0 ** floor(log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    first = -(-low // step)
    return [(first + number) * step for number in range(int(high / step - first) + 1)]


def _axes(course: Course, last: int) -> Markup:
    drawn = course.drawn
    values = [(value, _height(drawn, value)) for value in grid_lines(drawn.low, drawn.high)]
    lines = "".join(f"M{LEFT} {y:g}H{RIGHT}" for _, y in values)
    words = "".join(text(_short(course.times * value), LEFT - 4, y + 4, "end") for value, y in values)
    across = text(0, LEFT, BOTTOM + 28) + text(say("%(last)s answers", last=last), RIGHT, BOTTOM + 28, "end")
    return element("path", d=lines, class_="grid") + words + across + text(clip(course.unit, 40), LEFT, 14)


def _short(value: float) -> str:
    """Six digits have no room beside the chart."""
    return f"{decimal(value / 1000)}k" if abs(value) >= 100_000 else decimal(value)


def _marks(marks: Sequence[Mark], last: int, now: int, address: Address) -> Iterator[Markup]:
    """Draw the marks, each a link to its moment, with what happened there."""
    for near in _close(marks, last):
        kind = next(kind for kind in ("bad", "swing", "lead", "key") if any(mark.kind == kind for mark in near))
        first = next(mark for mark in near if mark.kind == kind)
        sentences = [mark.text for mark in near[:MOST]] + [say("and %(number)s more", number=len(near) - MOST)] * (
            len(near) > MOST
        )
        words, x = escape(" ".join(sentences)), LEFT + (RIGHT - LEFT) * share_of_match(first.at, last) / WIDTH
        line = element("path", d=f"M0 {TOP}V{BOTTOM}", class_=f"tick {kind}") if kind != "key" else ""
        area = rect(-NEAR / 2, TOP, NEAR, BOTTOM - TOP + 16, "area")
        letter = text(SIGNS[kind], 0, BOTTOM + 12, f"sign {kind}")
        inner = f"<title>{words}</title>" + group(area, line, letter, at=(x, 0))
        where = f'href="{escape(address(first.at))}" data-at="{first.at}"'
        yield _hidden_until(first.at, now, f'<a {where} data-words="{words}" aria-label="{words}">{inner}</a>')


def _close(marks: Sequence[Mark], last: int) -> list[list[Mark]]:
    """Marks that would lie upon each other, together."""
    out: list[list[Mark]] = []
    for mark in marks:
        if (
            out
            and (RIGHT - LEFT) * (share_of_match(mark.at, last) - share_of_match(out[-1][0].at, last)) / WIDTH < NEAR
        ):
            out[-1].append(mark)
        else:
            out.append([mark])
    return out


def _beads(course: Course, ats: Sequence[int], now: int) -> Iterator[Markup]:
    """Draw on each line its seat's number, so that colour is not the only difference between lines."""
    seats = len(course.values[0])
    for bead in range(BEADS * seats):
        seat, part = bead % seats, (bead + 0.5) / (BEADS * seats)
        moment = bisect_right(ats, part * ats[-1]) - 1
        disc = _disc(seat, LEFT + (RIGHT - LEFT) * part, _height(course.drawn, course.values[moment][seat]))
        yield _hidden_until(ceil(part * ats[-1]), now, disc)


def _disc(seat: int, x: float, y: float) -> Markup:
    return sign(seat, round(x, 1), y, 0.75) + text(seat, round(x, 1), y + 4, "on-seat")


def _names(course: Course, names: Sequence[str]) -> Iterator[Markup]:
    """Draw the names at the ends of the lines, apart from each other."""
    ends = course.values[-1]
    order = sorted(range(len(names)), key=lambda seat: -ends[seat])
    y = TOP - 2.0
    for place, seat in enumerate(order):
        below = LINE * (len(order) - place - 1)
        y = min(max(y + LINE * (place > 0), _height(course.drawn, ends[seat])), BOTTOM + 14 - below)
        name = f"<title>{escape(names[seat])}</title>" + text(clip(names[seat], 9), RIGHT + 23, y + 4)
        yield group(_disc(seat, RIGHT + 12, y), name)
