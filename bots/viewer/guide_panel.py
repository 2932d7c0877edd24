"""How to read a board, beside it: the goal in a line, what each seat needs, and a panel with a turn and the legend."""

from collections.abc import Mapping
from html import escape

from bots.viewer.guides import ASKS, GOAL, NEEDS, Term, guide_of
from bots.viewer.icons import drawn_icon, vocabulary_of
from bots.viewer.language import passed_on, say, word
from bots.viewer.svg import Markup
from engine.sentences import Sentence

SEAT = "seat"  # the mark of any seat
COMMON = (
    Term("★", Sentence("beside a name: who is ahead now")),
    Term("ms", Sentence("how long the seat thought about its last answer")),
)


def is_beside(about: str) -> bool:
    """Whether a line of a board in words stands beside the board already."""
    return about in (ASKS, GOAL) or about.startswith(NEEDS)


def aim(game: str, words: Mapping[str, str]) -> Markup:
    """Return the goal and when the match ends, for a game that says so, by the words of its board if it has any yet."""
    guide = guide_of(game)
    if not guide:
        return ""
    goal, end = words.get(GOAL) or passed_on(guide.goal), passed_on(guide.end)
    return f'<p class="aim"><b>{say("Goal:")}</b> <span data-told="{GOAL}">{escape(goal)}</span> {escape(end)}</p>'


def needed(words: Mapping[str, str], seat: int) -> Markup:
    """Return what a seat needs to win from here; the script keeps it up (static/screen.js)."""
    about = f"{NEEDS}{seat}"
    return f'<small class="needs" data-told="{about}">{escape(words[about])}</small>' if about in words else ""


def asks(words: Mapping[str, str]) -> Markup:
    """Return what is asked, to follow whose turn it is."""
    return f'<span class="turn asks" data-told="{ASKS}">{escape(words[ASKS])}</span>' if ASKS in words else ""


def guide_panel(game: str) -> Markup:
    """Return what the game is about, a turn of it and the legend of its board, to be unfolded."""
    guide = guide_of(game)
    if not guide:
        return ""
    legend = "".join(_term(game, term) for term in (*guide.legend, *COMMON))
    told = escape(f"{passed_on(guide.pitch)} {passed_on(guide.turn)}")
    inner = f'<p>{told}</p><dl class="legend">{legend}</dl>'
    return f'<details id="guide"><summary>{say("How to read this board")}</summary>{inner}</details>'


def _term(game: str, term: Term) -> Markup:
    marks = " ".join(_mark(game, mark) for mark in term.mark.split(" "))
    return f"<div><dt>{marks}</dt><dd>{escape(passed_on(term.words))}</dd></div>"


def _mark(game: str, mark: str) -> Markup:
    if mark == SEAT:
        return '<span class="badge seat-0">0</span>'
    return drawn_icon(game, mark) if mark in vocabulary_of(game).drawn else f"<b>{escape(word(mark))}</b>"
