"""The checks that every game must pass. `check` plays one match with drawn answers and raises Nonconforming.

Three matches go side by side on the same answers: one never interrupted, one begun afresh from a copy at every
decision, one written to JSON and read back at every decision. They must never differ.
"""

from collections.abc import Iterator
from typing import Any

from engine.core import Event, IllegalAction, Match, Position, Question, Seat
from engine.dice import Dice
from engine.game import AnyGame, Options
from engine.records import Record, canonical, show, to_plain

AnyMatch = Match[Position]
LONGEST_REASON = 2000


def _nested(depth: int) -> object:
    deep: object = []
    for _ in range(depth):
        deep = [deep]
    return deep


ODD: tuple[object, ...] = (
    *(None, True, 0, -1, 2**53, 2**53 + 1, 10**30, 10**5000, 1.5, 1e300, float("nan"), float("inf"), "", "x" * 9999),
    *("\ud800", "\0", [], {}, [[]], {"t": None}, {"t": []}, {"t": {}}, {"t": "no such action"}, {"": 0}, {1: 2}),
    _nested(5000),
)


class Nonconforming(AssertionError):
    """What a game did that no game may do."""


def check(game: AnyGame, options: Options, seed: str, most: int = 5000) -> int:
    """Play one match and check everything at every decision. Returns the number of decisions."""
    match, dice = game.start(options, seed), Dice.of(f"{seed} answers")
    played: list[dict[Seat, Record]] = []
    heard: list[list[Event]] = [[] for _ in range(options.players)]
    copied, afresh, reread = match, match, match
    while not match.over:
        _demand(len(played) < most, f"the match is not over after {most} decisions")
        copied, afresh, reread = copied.copy(), Match(game.rules, afresh.at.copy()), reopen(game, reread)
        check_same(match, copied, "copied")
        check_same(match, afresh, "begun afresh from a copy")
        check_same(match, reread, "read back from JSON")
        check_questions(game, match, dice)
        check_refusals(match, dice)
        check_secrets(game, options, match, dice)
        check_events(game, match, heard)
        check_redrawn(game, match, dice, most)
        check_imagined(game, match, heard, dice, most)
        played.append({seat: question.draw(dice) for seat, question in match.questions.items()})
        for copy in (match, copied, afresh, reread):
            copy.apply(played[-1])
    check_same(match, copied, "copied")
    check_same(match, afresh, "begun afresh from copies")
    check_same(match, reread, "read back from JSON")
    check_end(game, options, match, heard)
    again = game.start(options, seed, listen=False)
    for answers in played:
        again.apply(answers)
    check_same(match, again, "played again from the seed")
    return len(played)


def reopen(game: AnyGame, match: AnyMatch) -> AnyMatch:
    """Return the match of a position that was written as JSON and read back."""
    return Match(game.rules, game.read_position(to_plain(match.at)))


def check_same(match: AnyMatch, other: AnyMatch, how: str) -> None:
    """Check that two matches are at the same position and ask the same."""
    position, other_position = canonical(match.at), canonical(other.at)
    _demand(position == other_position, f"{how}, the position differs:\n{position}\n{other_position}")
    _demand(_asked(match) == _asked(other), f"{how}, the questions differ: {_asked(match)} and {_asked(other)}")


def check_questions(game: AnyGame, match: AnyMatch, dice: Dice) -> None:
    """Check that questions and answers survive JSON, and that the default and drawn answers are legal."""
    for seat, question in match.questions.items():
        _demand(game.read_question(to_plain(question)) == question, f"{question} is not read back from JSON")
        for answer in (question.default(), *(question.draw(dice) for _ in range(3))):
            _demand(match.read(seat, to_plain(answer)) == answer, f"{answer} is not accepted for {question}")


def check_refusals(match: AnyMatch, dice: Dice) -> None:
    """Check that odd answers raise IllegalAction and change nothing, and that nobody but those asked can answer."""
    before = canonical(match.at)
    for seat, question in match.questions.items():
        for data in (*ODD, *_spoilt(to_plain(question.draw(dice)))):
            _try(match, seat, question, data)
    answers = {seat: question.draw(dice) for seat, question in match.questions.items()}
    stranger = max(answers) + 1
    for wrong in ({}, {**answers, stranger: answers[max(answers)]}):
        _demand(_refused(match, wrong), f"answers of seats {sorted(wrong)} are accepted of {sorted(answers)}")
    _demand(canonical(match.at) == before, "a refused answer changed the position")


def check_secrets(game: AnyGame, options: Options, match: AnyMatch, dice: Dice) -> None:
    """Check that neither a seat's view nor its question changes when secrets of the others are drawn afresh."""
    before = canonical(match.at)
    for seat in range(options.players):
        view = game.see(match.at, seat)
        _demand(game.read_view(to_plain(view)) == view, f"the view of seat {seat} is not read back from JSON")
        other = game.redraw(match.at, seat, dice)
        _demand(canonical(game.see(other, seat)) == canonical(view), f"the view of seat {seat} tells a secret")
        questions = Match(game.rules, other.copy()).questions
        _demand(questions.get(seat) == match.questions.get(seat), f"the question of seat {seat} tells a secret")
        _demand(questions.keys() == match.questions.keys(), "who is asked depends on a secret")
        _demand(other.dice.key != match.at.dice.key, f"drawn afresh for seat {seat}, the dice are the real ones")
    _demand(canonical(match.at) == before, "seeing or drawing afresh changed the position")


def check_redrawn(game: AnyGame, match: AnyMatch, dice: Dice, most: int) -> None:
    """Check that the match can be played to its end from what is drawn afresh for a seat that is asked."""
    _finish(Match(game.rules, game.redraw(match.at, min(match.questions), dice)), dice, most)


def check_imagined(game: AnyGame, match: AnyMatch, heard: list[list[Event]], dice: Dice, most: int) -> None:
    """Check that a position a seat imagines has the same view and question, and can be played to its end."""
    seat = dice.pick(sorted(match.questions))
    view = game.see(match.at, seat)
    position = game.imagine(game.read_view(to_plain(view)), heard[seat], dice)
    _demand(game.read_position(to_plain(position)) == position, "an imagined position is not read back from JSON")
    imagined = Match(game.rules, position)
    seen, is_seen = canonical(game.see(position, seat)), canonical(view)
    _demand(seen == is_seen, f"imagined by seat {seat}, the view differs:\n{is_seen}\n{seen}")
    questions = imagined.questions
    _demand(questions.get(seat) == match.questions[seat], f"imagined by seat {seat}, its question differs")
    _demand(questions.keys() == match.questions.keys(), f"imagined by seat {seat}, others are asked")
    _finish(imagined, dice, most)


def _finish(match: AnyMatch, dice: Dice, most: int) -> None:
    for _ in range(most):
        if match.over:
            return
        match.apply({seat: question.draw(dice) for seat, question in match.questions.items()})
    raise Nonconforming(f"drawn afresh, the match is not over after {most} decisions")


def check_events(game: AnyGame, match: AnyMatch, heard: list[list[Event]]) -> None:
    """Check that events survive JSON, whole and as each seat sees them, and hide the dice. `heard` grows by them."""
    key = match.at.dice.key.hex()
    for event in match.hear():
        seen_by = [event.seen_by(seat) for seat in range(len(heard))]
        for seen in (event, *seen_by):
            _demand(seen is None or game.read_event(to_plain(seen)) == seen, f"{seen} is not read back from JSON")
            _demand(key not in canonical(seen), f"{type(event).__name__} shows the dice")
        for ears, seen in zip(heard, seen_by, strict=True):
            ears.extend([seen] if seen else [])


def check_end(game: AnyGame, options: Options, match: AnyMatch, heard: list[list[Event]]) -> None:
    """Check that there is a score for each seat, and nothing more to answer."""
    scores = game.scores(match.at)
    ranking = scores if game.ranking is None else game.ranking(match.at)
    _demand([type(score) for score in scores] == [int] * options.players, f"odd scores {scores}")
    ranked = sorted(zip(ranking, scores, strict=True))
    _demand([score for _, score in ranked] == sorted(scores), f"the ranking {ranking} is not by scores {scores}")
    _demand(_refused(match, {0: Record()}), "an answer is accepted after the end")
    check_events(game, match, heard)
    for seat in range(options.players):
        view = game.see(match.at, seat)
        _demand(game.read_view(to_plain(view)) == view, f"the last view of seat {seat} is not read back from JSON")


def _asked(match: AnyMatch) -> dict[Seat, str]:
    return {seat: canonical(question) for seat, question in match.questions.items()}


def _spoilt(plain: Any) -> Iterator[object]:
    """`plain` with a field more, a field less, and every field odd."""
    yield {**plain, "more": 1}
    for name in plain:
        yield {key: value for key, value in plain.items() if key != name}
        yield from ({**plain, name: odd} for odd in ODD)
    yield from ([plain], list(plain.values()), str(plain))


def _try(match: AnyMatch, seat: Seat, question: Question[Any], data: object) -> None:
    """Read odd `data`; what is accepted must be legal, and all else refused by IllegalAction with a sentence."""
    try:
        answer = match.read(seat, data)
    except IllegalAction as error:
        if not 0 < len(error.reason) < LONGEST_REASON:
            raise Nonconforming(f"no fit reason to refuse {show(data)}: {show(error.reason)}") from None
        return
    except Exception as error:
        raise Nonconforming(f"{show(data)} for {question} raises {error!r}") from error
    if question.error(answer):
        raise Nonconforming(f"{show(data)} for {question} is accepted but not legal")


def _refused(match: AnyMatch, answers: dict[Seat, Record]) -> bool:
    try:
        match.apply(answers)
    except IllegalAction:
        return True
    return False


def _demand(so: bool, otherwise: str) -> None:
    if not so:
        raise Nonconforming(otherwise)
