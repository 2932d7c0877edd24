"""Why ratings change, stored by ladder and day: computed from published fits from time to time, and read by pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db.models.fields.json import KeyTransform
from django.utils import timezone

from tournaments.models import Bot, Ladder, Rating, RatingMoves
from tournaments.ratings.moves import Move, State, Stood, moves
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.played_again import Parted
from tournaments.ratings.scale import WHOLE

OFTEN: Final = timedelta(minutes=1)  # from one look at a ladder to the next, at least
SHARE: Final = 20  # and so many times as long as the last fit took: the dispatcher has more to do
DAYS: Final = 7  # that are shown
VERSIONS: Final = 5  # the latest of a bot


@dataclass(frozen=True, slots=True)
class DayMove:
    """How a version's rating moved on one day, in Elo."""

    began_at: datetime
    made_at: datetime
    version: int
    before: float
    after: float
    own: float
    prior: float
    opponents: float
    versions: float
    scale: float
    sets: int
    floor: float = 0.0  # above the exact fit, for it won

    @property
    def moved(self) -> float:
        return round(self.after - self.before, 1)


def keep_moves(ladder: Ladder, state: Callable[[], State], since: Parted, took_s: float) -> bool:
    """Bring the day up to a fit, whose `state` is asked for if it is time, within its transaction, and begin the next
    day where this one ends. Returns whether it was time."""
    now = timezone.now()
    last = RatingMoves.objects.filter(ladder=ladder).order_by("-day").first()
    if last and last.day == _day(now) and now - last.made_at < max(OFTEN, timedelta(seconds=SHARE * took_s)):
        return False
    reached = state()
    if last and last.base:
        _bring_up(last, reached, since.pairs, since.forerunners, is_over=last.day != _day(now))
    if last is None or last.day != _day(now):
        RatingMoves.objects.create(ladder=ladder, day=_day(now), began_at=now, base=_plain(reached), moves={})
    return True


def latest_rated(ladder: Ladder, bot: Bot) -> list[tuple[int, int]]:
    """The bot's versions that have a rating there, the latest first, with their numbers."""
    rated = Rating.objects.filter(ladder=ladder, version__bot=bot).order_by("-version__number")
    return list(rated.values_list("version", "version__number")[:VERSIONS])


def moves_of(ladder: Ladder, versions: Sequence[tuple[int, int]]) -> list[DayMove]:
    """Return the moves of some versions, given with their numbers; the latest day first."""
    days = RatingMoves.objects.filter(ladder=ladder).order_by("-day")
    rows = days.values_list("began_at", "made_at", *(KeyTransform(_name(key), "moves") for key, _ in versions))[:DAYS]
    return [
        _day_move(began, made, number, parts)
        for began, made, *columns in rows
        for (_, number), parts in zip(versions, columns, strict=True)
        if parts and (parts["sets"] or parts["before"] != parts["after"])
    ]


def _bring_up(day: RatingMoves, after: State, pairs: Pairs, older: Mapping[int, int | None], *, is_over: bool) -> None:
    """Store the moves of the day so far. Under other settings than it began with, or where a version plays again since,
    the day begins anew."""
    before = _state(day.base)
    if _settings(before) != _settings(after):
        day.base, day.moves, day.began_at = _plain(after), {}, timezone.now()
    else:
        day.moves = {_name(version): asdict(move) for version, move in moves(before, after, pairs, older).items()}
    if is_over:
        day.base = {}
    day.save()


def _settings(state: State) -> tuple[object, ...]:
    """Return the constants by which it was fitted, and who the former players were."""
    return state.prior_sd, state.margin, state.scale, {key for key in state.stood if key < 0}


def _name(version: int) -> str:
    """Return the version's key in JSON; Django takes a key that is a number for a place in a list."""
    return f"v{version}"


def _day(moment: datetime) -> Any:
    return moment.astimezone(UTC).date()


def _plain(state: State) -> dict[str, Any]:
    return {
        "zero": state.zero,
        "prior_sd": state.prior_sd,
        "margin": state.margin,
        "scale": state.scale,
        "stood": {version: astuple(stood) for version, stood in state.stood.items()},
    }


def _state(plain: Mapping[str, Any]) -> State:
    stood = {int(version): Stood(*numbers) for version, numbers in plain["stood"].items()}
    return State(plain["zero"], plain["prior_sd"], plain["margin"], stood, plain.get("scale", WHOLE))


def _day_move(began: datetime, made: datetime, number: int, parts: Mapping[str, int]) -> DayMove:
    move = Move(**parts)
    elo = {name: value / 10 for name, value in asdict(move).items() if name != "sets"}
    return DayMove(began, made, number, **elo, sets=move.sets)
