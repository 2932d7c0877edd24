"""Notices to people at a shared table: that it is their turn, and what happened to the game."""

from collections.abc import Collection

from django.urls import reverse

from engine.sentences import Sentence
from tournaments.core.notices.create import notify
from tournaments.features.practice.seats import sitting
from tournaments.models import Notice, Practice, PracticeSeat, User


def your_turn(practice: Practice) -> None:
    """Tell those who are asked, at most once for each question: its key is how far the game had come."""
    until = practice.until
    asked = [row.user for seat, row in sitting(practice).items() if seat in practice.waits_for]
    text = _said(
        practice,
        "Game %(game)s of %(ladder)s: it is your turn. You have until %(until)s UTC."
        if until
        else "Game %(game)s of %(ladder)s: it is your turn.",
        until=f"{until:%Y-%m-%d %H:%M}" if until else "",
    )
    _tell(practice, asked, f"turn {len(practice.script)}", text)


def notify_of_beginning(practice: Practice, by: User | None) -> None:
    users = [user for user in _people(practice) if user != by]
    text = _said(practice, "Game %(game)s of %(ladder)s has begun: all of its seats are filled.")
    _tell(practice, users, "begun", text)


def notify_of_end(practice: Practice, by: User | None = None) -> None:
    """Tell the others that it was played to its end, or closed."""
    users = [user for user in _people(practice) if user != by]
    text = _said(
        practice,
        "Game %(game)s of %(ladder)s was closed: %(why_said)s."
        if practice.reason
        else "Game %(game)s of %(ladder)s is over; you can see all of it now.",
        why_said=practice.reason,
    )
    _tell(practice, users, "over", text)


def set_down(practice: Practice, row: PracticeSeat) -> None:
    text = _said(
        practice,
        "Game %(game)s of %(ladder)s: you were late too often, so defaults are answered for you until you come back.",
    )
    _tell(practice, [row.user], f"away {len(practice.script)}", text)


def _people(practice: Practice) -> list[User]:
    return [row.user for row in sitting(practice).values() if row.state != row.State.LEFT]


def _said(practice: Practice, sentence: str, **filled: object) -> Sentence:
    return Sentence(sentence, game=practice.pk, ladder=practice.ladder, **filled)


def _tell(practice: Practice, users: Collection[User], what: str, text: str) -> None:
    path = reverse("practice", args=[practice.pk])
    notify(users, Notice.Kind.GAME, f"practice {practice.pk} {what}", text, path, practice=practice.pk)
