"""What a film ends on, over the board: the final scores, what turned the match, and ways on from there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from bots.viewer.film_chunks import Look, Outline
from bots.viewer.language import decimal, say
from bots.viewer.stories import Beat, Story, story_of
from bots.viewer.svg import Markup
from engine.referee import Result
from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class Finale:
    """`fork`: the address that plays on from a moment, which is added to it; `following`: of the next match. Either is
    empty where there is none."""

    story: Story
    result: Result
    fork: str = ""
    following: str = ""

    def panel(self, outline: Outline, names: Sequence[str], address: Callable[[int], str], *, over: bool) -> Markup:
        """Return the panel, which is seen once the match is `over`; its reader may close it to see the board.
        `address`: of a moment."""
        seats = sorted(range(len(names)), key=lambda seat: self.result.places[seat])
        rows = "".join(f"<li>{self._row(seat, names[seat])}</li>" for seat in seats)
        turn = self.story.turning_point
        inner = f'<ol class="places">{rows}</ol>{f"<p>{escape(turn.text)}</p>" if turn else ""}'
        links = "".join(f'<a class="button quiet" {link}</a>' for link in self._links(turn, outline, address))
        inner += f'<p class="row">{links}</p>' if links else ""
        hidden = "" if over else " hidden"
        summary = f"<summary>{escape(self.story.result)}</summary>"
        return f'<details class="finale" data-finale open{hidden}>{summary}{inner}</details>'

    def _row(self, seat: int, name: str) -> Markup:
        badge = f'<span class="badge seat-{seat}" aria-hidden="true">{seat}</span>'
        forfeit = f' <span class="bad">{say("forfeit")}</span>' if self.result.forfeits[seat] else ""
        place, score = self.result.places[seat], decimal(self.result.scores[seat])
        return f"{place}. {badge} <bdi>{escape(name)}</bdi> <b>{score}</b>{forfeit}"

    def _links(self, turn: Beat | None, outline: Outline, address: Callable[[int], str]) -> Iterator[Markup]:
        """Yield what follows the beginning of each link. Play begins before what turned the match."""
        if turn:
            yield f'href="{address(turn.at)}" data-at="{turn.at}">{say("Watch that again")}'
        if turn and self.fork:
            before = max((moment for moment in outline.ats if moment < turn.at), default=0)
            yield f'href="{escape(self.fork)}&amp;at={before}" rel="nofollow">{say("Play from here")}'
        if self.following:
            yield f'href="{escape(self.following)}">{say("Next match")}'


def finale_of(replay: Replay, seen: Look) -> Finale:
    return Finale(story_of(replay, seen.outline, seen.names, seen.unit), replay.result)
