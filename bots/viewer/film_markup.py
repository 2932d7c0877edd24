"""The viewer around a board, as the site's pages have it and its script finds it: a match through one pair of eyes."""

from collections.abc import Iterable, Sequence
from html import escape

from bots.viewer.film_chunks import Look
from bots.viewer.icons import sheet, signed
from bots.viewer.key_moments import Mark, marks_of, percent, shortlisted
from bots.viewer.language import decimal, say
from bots.viewer.perspectives import Eyes
from bots.viewer.progress_charts import CHANCES, courses
from bots.viewer.svg import Markup, Picture, element

WAYS = (
    ("first", "|‹", "First moment"),
    ("mark-before", "«", "Key moment before"),
    ("before", "‹", "Moment before"),
    ("after", "›", "Moment after"),
    ("mark-after", "»", "Key moment after"),
    ("last", "›|", "Last moment"),
)
SPEEDS = (("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"), ("10", "10×"), ("30", "30×"))
SIZE = (
    '<input class="unseen" type="checkbox" id="larger" aria-label="Larger board">'
    '<label class="larger" for="larger" title="Larger board"><span aria-hidden="true">⤢</span></label>'
)
OVER = "The match is over"
LEADS = ' class="leads"'
CURRENT = ' aria-current="true"'
KEYS = (
    "Space plays and pauses. ← and → go one moment, ↑ and ↓ to the key moment before and after, Home and End to the"
    " first and the last."
)


def film_of(seen: Look, eyes: Eyes, all_eyes: Sequence[Eyes]) -> Markup:
    """Return the element of a film. Its script fills it in and shows the moment `seen`."""
    stage = sheet(seen.game) + element("div", frame(seen) + deck(seen), class_="stage")
    drawn = courses(seen, CHANCES, lambda step, kind: f"?at={step}&as={eyes.key}&chart={kind}#film")
    lists = log() + board_in_words(seen.picture) + chapters(seen) + key_moments_list(seen)
    inner = seats(seen) + drawn + lists + others(eyes, all_eyes) + foot()
    aside = element("div", inner, class_="beside")
    place = f'id="film" data-film="" data-page="" data-eyes="{escape(eyes.key)}" data-at="{seen.at}"'
    return f'<replay-film class="film" {place}>{stage}{aside}</replay-film>'


def frame(seen: Look) -> Markup:
    about = 'tabindex="0" role="group" aria-label="The board" aria-details="in-words"'
    return f'<div class="frame" {about}>{seen.picture.svg()}</div>'


def deck(seen: Look) -> Markup:
    """The sentences of the moment, whose turn it is, and the controls: all that a spectator needs beside the board."""
    sentences = '<p class="now" tabindex="0" data-now></p><p class="unseen" role="status" data-say></p>'
    turn = f'<p class="turn" data-asked>{escape(asked(seen.names, seen.to_answer, seen.ending))}</p>'
    return element("div", turn + sentences + scrub(seen) + playback_controls(), class_="deck")


def asked(names: Sequence[str], to_answer: Sequence[int], ending: str = "") -> str:
    """Return whose turn it is, or who has won, in the words of static/screen.js."""
    if to_answer:
        return say("Next: %(names)s", names=", ".join(names[seat] for seat in to_answer))
    return ending or say(OVER)


def scrub(seen: Look) -> Markup:
    return (
        '<label class="unseen" for="scrub">Moment, by answers given</label>'
        f'<input id="scrub" type="range" min="0" max="{seen.outline.ats[-1]}" value="{seen.at}" step="1" hidden>'
    )


def playback_controls() -> Markup:
    links = "".join(
        f'<a class="button quiet" data-go="{key}" title="{label}"><span aria-hidden="true">{sign}</span>'
        f'<span class="unseen">{label}</span></a> '
        for key, sign, label in WAYS
    )
    speeds = "".join(
        f'<option value="{value}"{" selected" if value == "1" else ""}>{sign}</option>' for value, sign in SPEEDS
    )
    pace = f'<label class="unseen" for="speed">Speed</label><select id="speed" hidden>{speeds}</select>'
    inner = f'<button type="button" data-play hidden>Play</button> {links}{pace}{SIZE}'
    return f'<div class="ways" role="group" aria-label="Go to a moment">{inner}</div>'


def board_in_words(picture: Picture) -> Markup:
    """Return all that is on the board in words, for those who cannot see it."""
    lines = "".join(
        f"<div><dt>{escape(about)}</dt><dd{told_attribute(about)}>{escape(words)}</dd></div>"
        for about, words in picture.words.items()
    )
    inner = f'<dl class="scroll" tabindex="0" aria-label="The board in words">{lines}</dl>'
    return f'<details id="in-words"><summary>The board in words</summary>{inner}</details>' if lines else ""


def told_attribute(about: str) -> str:
    """Return the attribute by which the script finds a line."""
    return f' data-told="{escape(about)}"'


def foot() -> Markup:
    keys = f'<details class="keys" hidden><summary>Keys</summary><p>{KEYS}</p></details>'
    return f'<div class="row"><a data-link href="#film">Link to this moment</a>{keys}</div>'


def seats(seen: Look) -> Markup:
    lines = "".join(
        f'<li data-seat="{seat}"{LEADS if seen.worth[seat] == max(seen.worth) else ""}>'
        f'<span class="badge seat-{seat}">{seat}</span> <span class="who">{escape(name)}</span> {chance(seen, seat)}'
        f"<small data-more></small> <b data-worth>{decimal(seen.worth[seat])}</b> <small data-turn></small></li>"
        for seat, name in enumerate(seen.names)
    )
    return f'<ol class="seats" aria-label="How the seats stand, in {escape(seen.unit)}">{lines}</ol>'


def chance(seen: Look, seat: int) -> Markup:
    if not seen.chances:
        return ""
    shown = f"<span data-chance>{percent(seen.chances[seat])}</span>"
    return f'<small class="chance"><span class="unseen">chance of winning </span>{shown}</small> '


def log() -> Markup:
    head = '<h2 id="log-title">The log: <span data-scene></span></h2>'
    lines = '<ol class="log scroll" tabindex="0" aria-labelledby="log-title" data-log></ol>'
    return f'<section class="stack" aria-labelledby="log-title">{head}{lines}</section>'


def chapters(seen: Look) -> Markup:
    lines = "".join(item(scene.at, escape(scene.title)) for scene in seen.outline.scenes if scene.lines)
    return f'<details id="chapters"><summary>Chapters</summary><ol class="scroll" data-scenes>{lines}</ol></details>'


def key_moments_list(seen: Look) -> Markup:
    key_moments = marks(seen)
    kept = shortlisted(key_moments)
    left = len(key_moments) - len(kept)
    more = f'<p class="soft">Changes of the lead and faults; {left} more are in the log.</p>' if left else ""
    lines = "".join(item(mark.at, signed(seen.game, mark.text), mark.kind) for mark in kept)
    inner = f'<summary>Key moments</summary>{more}<ol class="log scroll" data-marks>{lines}</ol>'
    return f'<details id="moments">{inner}</details>'


def marks(seen: Look) -> list[Mark]:
    return marks_of(seen.outline, seen.names, seen.unit)


def item(step: int, words: Markup, kind: str = "") -> Markup:
    """A line that leads to a moment."""
    class_ = f' class="{kind}"' if kind else ""
    return f'<li{class_}><a href="?at={step}" data-at="{step}">{words}</a></li>'


def others(eyes: Eyes, all_eyes: Iterable[Eyes]) -> Markup:
    lines = "".join(
        f'<li><a href="?as={viewer.key}" data-as="{viewer.key}"{CURRENT if viewer == eyes else ""}>{name}</a></li>'
        for viewer, name in ((viewer, escape(viewer.name)) for viewer in all_eyes)
    )
    return f'<nav class="stack" aria-label="Seen by"><p class="soft">Seen by</p><ul class="eyes">{lines}</ul></nav>'
