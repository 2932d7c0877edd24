"""The course of a match: a chart of the chances of winning, one of how the seats stood, and a switch between them."""

from bisect import bisect_right
from collections.abc import Callable
from html import escape
from typing import Final

from bots.viewer.chart_markup import Course, chart
from bots.viewer.film_chunks import Look, Outline
from bots.viewer.key_moments import Mark, lead_changes, marks_of, outline_lines, percent, shortlisted
from bots.viewer.language import say
from bots.viewer.score_chart import chances_of, chart_of
from bots.viewer.svg import Markup

CHANCES, SCORE = "chances", "score"
ROWS: Final = 10  # of the chances in numbers
METHOD: Final = (
    "From all that is public, not from the score alone: who is behind may be the favourite. Fitted on matches of our"
    " own bots."
)

Address = Callable[[int, str], str]  # of a moment, with the kind of chart


def courses(seen: Look, kind: str, address: Address, docs: str = "") -> Markup:
    """The chart of that kind first, and only it until somebody asks for the other. `docs`: where the method is told."""
    if not seen.outline.chances:
        return f'<div class="courses">{chart(score(seen), seen, _with(address, SCORE))}{whole_match()}</div>'
    shown = shown_kind(seen, kind)
    links = " ".join(_link(kind_shown, shown, address(seen.at, kind_shown)) for kind_shown in (CHANCES, SCORE))
    head = f'<p class="tabs"><span class="soft">{say("Chart:")}</span> {links}</p>'
    charts = [chart(drawn, seen, _with(address, drawn.kind)) for drawn in (chances_course(seen), score(seen))]
    inner = "".join(
        (
            head,
            *charts,
            whole_match(),
            f'<div class="stack" data-kind="{CHANCES}">{method(docs)}{chances_table(seen)}</div>',
        )
    )
    return (
        f'<section class="courses" aria-label="{say("The course of the match")}" data-shows="{shown}">{inner}</section>'
    )


def whole_match() -> Markup:
    """Return a switch that shows of charts what is still to come, too; the style does what it says."""
    label = f'<label for="whole">{say("Show how it goes on")}</label>'
    return f'<p class="row"><input type="checkbox" id="whole"> {label}</p>'


def shown_kind(seen: Look, kind: str) -> str:
    """Return the kind that is asked for, if there is such a chart; otherwise chances, where there are any."""
    return SCORE if kind == SCORE or not seen.outline.chances else CHANCES


def _with(address: Address, kind: str) -> Callable[[int], str]:
    return lambda step: address(step, kind)


def _link(kind: str, shown: str, address: str) -> Markup:
    words = {CHANCES: say("Chances"), SCORE: say("Score")}[kind]
    current = ' aria-current="true"' if kind == shown else ""
    return f'<a href="{escape(address)}" data-show="{kind}"{current}>{words}</a>'


def chances_course(seen: Look) -> Course:
    marks = shortlisted(marks_of(seen.outline, seen.names, seen.unit))
    return Course(
        CHANCES,
        chances_of(seen.outline),
        seen.outline.chances,
        say("chance of winning, in %"),
        say("Chances of winning"),
        marks,
        100,
    )


def score(seen: Look) -> Course:
    marks = shortlisted(standing_marks(seen))
    label = say("How the seats stood, in %(unit)s", unit=seen.unit)
    return Course(SCORE, chart_of(seen.outline), seen.outline.worth, seen.unit, label, marks)


def standing_marks(seen: Look) -> list[Mark]:
    """Return the marks of the chart of scores: changes of the lead, and faults; without chances, all key moments."""
    if not seen.outline.chances:
        return marks_of(seen.outline, seen.names, seen.unit)
    faults = [Mark(line.at, line.kind, line.text) for line in outline_lines(seen.outline) if line.kind == "bad"]
    return sorted([*faults, *lead_changes(seen.outline, seen.names, seen.unit)], key=lambda mark: mark.at)


def method(docs: str) -> Markup:
    more = f' <a href="{escape(docs)}">{say("How good it is")}</a>' if docs else ""
    return f'<p class="soft method">{say(METHOD)}{more}</p>'


def chances_table(seen: Look) -> Markup:
    """Return what the chart shows as a table."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in seen.names)
    rows = "".join(_row(seen.outline, part) for part in range(ROWS + 1))
    caption = f"<caption>{say('Chances of winning, by answer.')}</caption>"
    answers, summary = say("Answers"), say("Chances in numbers")
    table = f'<table>{caption}<thead><tr><th scope="col">{answers}</th>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<details class="numbers"><summary>{summary}</summary><div class="table">{table}</div></details>'


def _row(outline: Outline, part: int) -> Markup:
    moment = bisect_right(outline.ats, outline.ats[-1] * part // ROWS) - 1
    cells = "".join(f"<td>{percent(chance)}</td>" for chance in outline.chances[moment])
    return f'<tr><th scope="row">{outline.ats[moment]}</th>{cells}</tr>'
