"""How to read a board, for people who have never seen the game: what games bring as `GUIDE` and `needs`, both or none.

    GUIDE = Guide(pitch=Sentence("..."), goal=..., turn=..., end=..., legend=(Term("c", Sentence("...")), ...))

    def needs(position: Position, names: Sequence[str]) -> list[str]: ...

`needs` are by seat, in words through `say`, without the seat's own name, and true of the position by the rules: what
the seat must still do to win from here, as far as all may know it; where nothing is certain, how far behind it is.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from bots.viewer.game_viewers import part_of
from bots.viewer.language import decimal, passed_on, say
from engine.sentences import Sentence

Needs = Callable[[Any, Sequence[str]], list[str]]
Score = TypeVar("Score", int, float)
GOAL: Final = "goal"  # the names of the lines, which nobody sees
ASKS: Final = "asks"
NEEDS: Final = "needs-"  # and a seat


class Term(NamedTuple):
    """What is seen on the board: letters, numbers, a word for a colour or names of icons, with blanks between; and what
    it means."""

    mark: str
    words: Sentence


@dataclass(frozen=True, slots=True)
class Guide:
    """A game in one sentence for each of these, and what the signs on its board mean. What is filled into `goal` is
    named as the options that decide it. `asks`: what a question wants answered, by its tag, to follow a name and a
    colon: "Anna: bid more, or pass"."""

    pitch: Sentence
    goal: Sentence
    turn: Sentence
    end: Sentence
    legend: tuple[Term, ...]
    asks: Mapping[str, Sentence] = field(default_factory=dict)


def guide_of(game: str) -> Guide | None:
    """Return the game's guide, None where it has none."""
    guide: Guide | None = part_of(game, "GUIDE", None)
    return guide


def needs_of(game: str, position: Any, names: Sequence[str]) -> list[str]:
    """Return what each seat needs to win from here, by seat; nothing in a game without a guide."""
    needs: Needs | None = part_of(game, "needs", None)
    return needs(position, names) if needs else []


def guide_lines(game: str, position: Any, names: Sequence[str], questions: Collection[Any]) -> dict[str, str]:
    """Return the goal, what each seat needs to win from here, and what the questions want answered: lines that a board
    in words has besides its own; none in a game without a guide."""
    guide, lines = guide_of(game), {f"{NEEDS}{seat}": line for seat, line in enumerate(needs_of(game, position, names))}
    return {GOAL: _goal(guide, position), ASKS: _asked(game, questions)} | lines if guide and lines else {}


def _goal(guide: Guide, position: Any) -> str:
    """Return the goal by the options of the match."""
    options = getattr(position, "options", None)
    decided = {name: getattr(options, name, usual) for name, usual in guide.goal.filled.items()}
    return passed_on(Sentence(guide.goal.sentence, **decided))


def _asked(game: str, questions: Collection[Any]) -> str:
    """Return what is asked, where everybody who is asked has to do the same."""
    guide, tags = guide_of(game), {question.tag for question in questions}
    return passed_on(guide.asks.get(tags.pop(), "")) if guide and len(tags) == 1 else ""


def standings(scores: Sequence[Score], names: Sequence[str], written: Callable[[Score], str] = decimal) -> list[str]:
    """Return by seat how far it leads or is behind, `written` so, for games that can say nothing more exact."""
    best = max(scores)
    leaders = [seat for seat, score in enumerate(scores) if score == best]
    return [_standing(scores, names, leaders, seat, written) for seat in range(len(scores))]


def _standing(
    scores: Sequence[Score], names: Sequence[str], leaders: Sequence[int], seat: int, written: Callable[[Score], str]
) -> str:
    best = scores[leaders[0]]
    if seat not in leaders:
        return say("%(gap)s behind %(name)s", gap=written(best - scores[seat]), name=names[leaders[0]])
    if len(leaders) > 1:
        return say("level with %(name)s in front", name=names[next(other for other in leaders if other != seat)])
    second = max([score for other, score in enumerate(scores) if other != seat], default=best)
    return say("leads by %(gap)s", gap=written(best - second))
