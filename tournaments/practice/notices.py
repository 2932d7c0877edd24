"""Notices to people at a shared table: that it is their turn, and what happened to the game."""

from collections.abc import Collection

from django.urls import reverse

from tournaments.models import Notice, Practice, PracticeSeat, User
from tournaments.notices.create import notify
from tournaments.practice.seats import sitting


def your_turn(practice: Practice) -> None:
    """At most once for each question: its key is how far the game had come."""
    until = f" You have until {practice.until:%-d %B, %H:%M} UTC." if practice.until else ""
    asked = [row.user for seat, row in sitting(practice).items() if seat in practice.waits_for]
    _tell(practice, asked, f"turn {len(practice.script)}", f"{_called(practice)}: it is your turn.{until}")


def begun(practice: Practice, by: User | None) -> None:
    others = [user for user in _people(practice) if user != by]
    _tell(practice, others, "begun", f"{_called(practice)} has begun: all of its seats are filled.")


def ended(practice: Practice, by: User | None = None) -> None:
    """Played to its end, or closed."""
    others = [user for user in _people(practice) if user != by]
    how = f"was closed: {practice.reason}" if practice.reason else "is over; you can see all of it now"
    _tell(practice, others, "over", f"{_called(practice)} {how}.")


def set_down(practice: Practice, row: PracticeSeat) -> None:
    text = f"{_called(practice)}: you were late too often, so defaults are answered for you until you come back."
    _tell(practice, [row.user], f"away {len(practice.script)}", text)


def _people(practice: Practice) -> list[User]:
    return [row.user for row in sitting(practice).values() if row.state != row.State.LEFT]


def _called(practice: Practice) -> str:
    return f"Game {practice.pk} of {practice.ladder}"


def _tell(practice: Practice, users: Collection[User], what: str, text: str) -> None:
    path = reverse("practice", args=[practice.pk])
    notify(users, Notice.Kind.GAME, f"practice {practice.pk} {what}", text, path, practice=practice.pk)
