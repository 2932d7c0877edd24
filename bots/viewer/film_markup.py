"""The viewer around a board: a match through one pair of eyes, in pieces that site and kit show alike.

They work by links alone, and the script (static/viewer.js) finds in them what it plays the match with.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from bots.viewer.film_chunks import LogLine, Look, Scene
from bots.viewer.finale import Finale
from bots.viewer.guide_panel import aim, asks, guide_panel, is_beside, needed
from bots.viewer.icons import with_icons
from bots.viewer.key_moments import Mark, marks_of, percent, shortlisted
from bots.viewer.language import decimal, say, word
from bots.viewer.perspectives import Eyes
from bots.viewer.progress_charts import SCORE, courses
from bots.viewer.svg import Markup

ARROWS = "M9 2h5v5M14 2 8.5 7.5M7 14H2V9M2 14l5.5-5.5"  # to two corners; not all fonts have such a letter
SPEEDS = (("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"), ("10", "10×"), ("30", "30×"))
LEADS = ' class="leads"'
CURRENT = ' aria-current="true"'
PANEL = ' name="beside"'  # of those beside the board one is open, and only it scrolls


@dataclass(frozen=True)
class Film:
    """A match at one moment. `chart` is the kind of chart that was asked for, `docs` where its method is told."""

    seen: Look
    eyes: Eyes
    all_eyes: Sequence[Eyes]
    chart: str = ""
    docs: str = ""
    finale: Finale | None = None

    @property
    def also(self) -> str:
        """Return what addresses say of the chart."""
        return f"&chart={SCORE}" if self.seen.chances and self.chart == SCORE else ""

    def address(self, moment: int, eyes: str = "") -> str:
        return escape(f"?at={moment}&as={eyes or self.eyes.key}{self.also}#film")

    # --- the board and its controls --------------------------------------------------------------------------------

    def stage(self) -> Markup:
        """Return the board, and below it all that a spectator needs beside it: what happened, who is next, controls."""
        about = f'tabindex="0" role="group" aria-label="{say("The board")}" aria-details="in-words"'
        frame = f'<div class="frame" {about}>{self.seen.picture.svg()}</div>'
        turn = escape(asked(self.seen.names, self.seen.to_answer, self.seen.ending))
        lines = "".join(
            f"{with_icons(self.seen.game, line.text)} " for line in self.scene.lines if line.at == self.seen.at
        )
        hidden = " said" if self.seen.ending else ""  # who has won is among the lines
        sentences = f'<span class="turn{hidden}" data-asked>{turn}</span> {asks(self.seen.picture.words)} '
        sentences += f'<span class="now" data-now>{lines}</span>'
        caption = f'<p class="caption" tabindex="0">{sentences}</p><p class="unseen" role="status" data-say></p>'
        deck = f'<div class="deck">{caption}{self._scrub()}{self._controls()}</div>'
        return f'<div class="stage">{frame}{self._ending()}{deck}</div>'

    def _ending(self) -> Markup:
        """Return what the film ends on; it is seen at the last moment alone."""
        seen, over = self.seen, self.seen.at == self.seen.outline.ats[-1]
        return self.finale.panel(seen.outline, seen.names, self.address, over=over) if self.finale else ""

    def _scrub(self) -> Markup:
        range_ = f'min="0" max="{self.seen.outline.ats[-1]}" value="{self.seen.at}" step="1" hidden'
        label = f'<label class="unseen" for="scrub">{say("Moment, by answers given")}</label>'
        return f'{label} <input id="scrub" type="range" {range_}>'

    def _controls(self) -> Markup:
        play = f'<button type="button" data-play aria-label="{say("Play the film")}" hidden>►</button>'
        options = "".join(
            f'<option value="{value}"{" selected" if value == "1" else ""}>{sign}</option>' for value, sign in SPEEDS
        )
        speed = f'<label class="unseen" for="speed">{say("Speed")}</label> <select id="speed" hidden>{options}</select>'
        larger = say("Full screen")
        size = f'<input class="unseen" type="checkbox" id="larger" aria-label="{larger}">'
        icon = f'<svg viewBox="0 0 16 16" aria-hidden="true"><path d="{ARROWS}"/></svg>'
        size += f'<label class="larger" for="larger" title="{larger}">{icon}</label>'
        inner = f"{play} {' '.join(self._ways())} {speed} {size}"
        return f'<div class="ways" role="group" aria-label="{say("Go to a moment")}">{inner}</div>'

    def _ways(self) -> Iterator[Markup]:
        moments = self.seen.outline.ats
        before, after = around(moments, self.seen.at)
        mark_before, mark_after = around(sorted({mark.at for mark in self.marks}), self.seen.at)
        yield self._way("first", "|‹", say("First moment"), 0)
        yield self._way("mark-before", "«", say("Key moment before"), mark_before)
        yield self._way("before", "‹", say("Moment before"), before)
        yield self._way("after", "›", say("Moment after"), after)
        yield self._way("mark-after", "»", say("Key moment after"), mark_after)
        yield self._way("last", "›|", say("Last moment"), moments[-1])

    def _way(self, key: str, sign: str, label: str, moment: int | None) -> Markup:
        """Return a link to another moment; without an address where there is none."""
        href = "" if moment is None else f' href="{self.address(moment)}"'
        inner = f'<span aria-hidden="true">{sign}</span><span class="unseen">{label}</span>'
        return f'<a class="button quiet" data-go="{key}" title="{label}"{href}>{inner}</a>'

    # --- beside it -------------------------------------------------------------------------------------------------

    def state(self) -> Markup:
        """Return the goal, how the seats stand, how to read the board, the charts and the log so far."""
        charts = courses(
            self.seen, self.chart, lambda moment, kind: f"?at={moment}&as={self.eyes.key}&chart={kind}#film", self.docs
        )
        goal = aim(self.seen.game, self.seen.picture.words)
        return goal + self._seats() + guide_panel(self.seen.game) + charts + self._log()

    def _seats(self) -> Markup:
        label = say("The seats’ standing, in %(unit)s", unit=escape(self.seen.unit))
        seats = "".join(map(self._seat, range(len(self.seen.names))))
        return f'<p class="soft">{label}</p><ol class="seats" aria-label="{label}">{seats}</ol>'

    def _seat(self, seat: int) -> Markup:
        worth, name = self.seen.worth[seat], escape(self.seen.names[seat])
        who = f'<span class="badge seat-{seat}">{seat}</span> <span class="who">{name}</span>'
        value = f"<b data-worth>{decimal(f'{worth:.1f}'.removesuffix('.0'))}</b>"
        rest = f"<small data-more></small> {value} <small data-turn>{escape(self._turn(seat))}</small>"
        rest += needed(self.seen.picture.words, seat)
        leads = LEADS if worth == max(self.seen.worth) else ""
        return f'<li data-seat="{seat}"{leads}>{who} {self._chance(seat)}{rest}</li>'

    def _chance(self, seat: int) -> Markup:
        if not self.seen.chances:
            return ""
        shown = f"<span data-chance>{percent(self.seen.chances[seat])}</span>"
        return f'<small class="chance">{shown} {say("to win")}</small> '

    def _turn(self, seat: int) -> str:
        """Return what a seat has just done, or is about to do."""
        for turn in self.seen.turns:
            if turn.seat == seat:
                return word(turn.fault) if turn.fault else f"{turn.ms:g} ms"
        return say("is asked") if seat in self.seen.to_answer else ""

    @cached_property
    def scene(self) -> Scene:
        """Return the last scene that has begun and has lines."""
        scenes = self.seen.outline.scenes
        begun = [scene for scene in scenes if scene.at <= self.seen.at and scene.lines]
        return begun[-1] if begun else scenes[0]

    def _log(self) -> Markup:
        title = say("The log: <span data-scene>%(scene)s</span>", scene=escape(self.scene.title))
        lines = "".join(map(self._line, self.scene.lines))
        log = f'<ol class="log scroll" tabindex="0" aria-labelledby="log-title" data-log>{lines}</ol>'
        return f'<details id="log"{PANEL} open><summary id="log-title">{title}</summary>{log}</details>'

    def _line(self, line: LogLine) -> Markup:
        badge = f'<span class="badge seat-{line.seat}" aria-hidden="true">{line.seat}</span> '
        class_ = f"{line.kind}{' here' if line.at == self.seen.at else ''}"
        link = self._link(line.at, with_icons(self.seen.game, line.text))
        return f'<li class="{class_}">{badge if line.seat is not None else ""}{link}</li>'

    def _link(self, moment: int, words: Markup, also: str = "") -> Markup:
        return f'<a href="{self.address(moment)}" data-at="{moment}"{also}>{words}</a>'

    # --- ways to other moments -------------------------------------------------------------------------------------

    def lists(self) -> Markup:
        """Return key moments, chapters, the board in words, and through whose eyes the match can be seen."""
        return self._moments() + self._chapters() + in_words(self.seen.picture.words, PANEL) + self._seers()

    @cached_property
    def marks(self) -> list[Mark]:
        return marks_of(self.seen.outline, self.seen.names, self.seen.unit)

    def _chapters(self) -> Markup:
        now = self.scene.title
        scenes = [scene for scene in self.seen.outline.scenes if scene.lines]
        links = [self._link(scene.at, escape(scene.title), CURRENT if scene.title == now else "") for scene in scenes]
        lines = "".join(f"<li>{link}</li>" for link in links)
        inner = f'<summary>{say("Chapters")}</summary><ol class="scroll" data-scenes>{lines}</ol>'
        return f'<details id="chapters"{PANEL}>{inner}</details>'

    def _moments(self) -> Markup:
        marks = self.marks
        kept = shortlisted(marks)
        left = say("%(unlisted)s more are in the log.", unlisted=len(marks) - len(kept)) if marks != kept else ""
        lines = "".join(
            f'<li class="{mark.kind}">{self._link(mark.at, with_icons(self.seen.game, mark.text))}</li>'
            for mark in kept
        )
        more = f'<p class="soft">{left}</p>' if left else ""
        inner = f'<summary>{say("Key moments")}</summary>{more}<ol class="log scroll" data-marks>{lines}</ol>'
        return f'<details id="moments"{PANEL}>{inner}</details>'

    def _seers(self) -> Markup:
        lines = "".join(
            f'<li><a href="{self.address(self.seen.at, eyes.key)}" data-as="{eyes.key}"'
            f"{CURRENT if eyes == self.eyes else ''}>{escape(eyes.name)}</a></li>"
            for eyes in self.all_eyes
        )
        label = say("Seen by")
        return f'<nav class="stack" aria-label="{label}"><p class="soft">{label}</p><ul class="tabs">{lines}</ul></nav>'

    def link(self) -> Markup:
        return f'<a data-link href="{self.address(self.seen.at)}">{say("Link to this moment")}</a>'


def in_words(words: Mapping[str, str], panel: str = "") -> Markup:
    """Return all that is on the board in words, for those who cannot see it."""
    title = say("The board in words")
    lines = "".join(
        f'<div><dt>{escape(about)}</dt><dd data-told="{escape(about)}">{escape(line)}</dd></div>'
        for about, line in words.items()
        if not is_beside(about)
    )
    inner = f'<dl class="scroll" tabindex="0" aria-label="{title}">{lines}</dl>'
    return f'<details id="in-words"{panel}><summary>{title}</summary>{inner}</details>' if lines else ""


def keys() -> Markup:
    """Return what the script does with which key."""
    words = say(
        "Space plays and pauses. ← and → go one moment, ↑ and ↓ to the key moment before and after, Home and End to the"
        " first and the last."
    )
    signs = say("Enter on the board leads to its signs, arrows from one to the next, Escape back.")
    return f'<details class="keys" hidden><summary>{say("Keys")}</summary><p>{words} {signs}</p></details>'


def asked(names: Sequence[str], to_answer: Sequence[int], ending: str = "") -> str:
    """Return whose turn it is, or who has won, in the words of static/screen.js."""
    if to_answer:
        return say("Next: %(names)s", names=", ".join(names[seat] for seat in to_answer))
    return ending or say("The match is over")


def around(moments: Sequence[int], moment: int) -> tuple[int | None, int | None]:
    """Return the last before it and the first after it."""
    after = bisect_right(moments, moment)
    before = [other for other in moments[:after] if other < moment]
    return (before[-1] if before else None), (moments[after] if after < len(moments) else None)
