"""What can be reported: a bot, a person, a team, a version's note, an announcement; and whose it is."""

from collections.abc import Iterable
from typing import TypeAlias

from django.db.models import QuerySet
from django.urls import reverse

from tournaments.core.accounts.permissions import may_see
from tournaments.core.accounts.spaces import only_space_of, open_to, people_known_to
from tournaments.core.errors import Refused
from tournaments.core.notices.create import managers_of
from tournaments.models import Announcement, Bot, Membership, Team, User, Version

Subject: TypeAlias = Bot | User | Team | Version | Announcement
LONGEST_ID = 15  # digits


def seen(
    kind: str, by: User
) -> "QuerySet[Bot] | QuerySet[User] | QuerySet[Team] | QuerySet[Version] | QuerySet[Announcement]":
    """Return those of a kind that this person sees. Raises Refused: unknown_subject."""
    match kind:
        case "bot":
            return Bot.objects.filter(open_to(by)).select_related("owner")
        case "person":
            return User.objects.filter(people_known_to(by))
        case "team":
            return Team.objects.all()
        case "note":
            return Version.objects.filter(open_to(by, "bot__space")).exclude(note="").select_related("bot__owner")
        case "announcement":
            rows = Announcement.objects.select_related("ladder", "space")
            return rows.filter(open_to(by, "ladder__space"), open_to(by), withdrawn=None)
    raise Refused("unknown_subject", "say what it is about: bot-7, person-NAME, team-7, note-7 or announcement-7")


def subject_named(name: str, by: User) -> tuple[str, Subject]:
    """Return what is kept of a subject, and itself, by the name that pages and programs give it, such as bot-7.
    Raises Refused: unknown_subject."""
    kind, _, called = name.partition("-")
    rows = seen(kind, by)
    by_id = {"pk": int(called)} if called.isascii() and called.isdigit() and len(called) <= LONGEST_ID else {"pk": 0}
    subject = rows.filter(**({"username": called[:150]} if kind == "person" else by_id)).first()
    if subject is None or (isinstance(subject, Version) and not may_see(by, subject.bot)):
        raise Refused("unknown_subject", "there is no %(kind)s %(called)s", kind=kind, called=f"{called:.40}")
    return f"{kind} {subject.pk}", subject


def subject_kept(about: str) -> Subject | None:
    """Return what a report is about, if it is still there."""
    kind, _, number = about.partition(" ")
    models = {"bot": Bot, "person": User, "team": Team, "note": Version, "announcement": Announcement}
    rows: QuerySet[Subject] = QuerySet(models[kind])
    return rows.filter(pk=number).first()


def space_of_subject(subject: Subject) -> int | None:
    """Return the space whose organisers look at it first, and may rename and blank it; None: those of the site. Of
    people and teams only if nobody outside sees them."""
    match subject:
        case User():
            return only_space_of(subject)
        case Team():
            spaces = {only_space_of(person) for person in people_concerned(subject)}
            return spaces.pop() if len(spaces) == 1 else None
        case Version():
            return subject.bot.space_id
        case Announcement():
            return subject.space_id or (subject.ladder.space_id if subject.ladder else None)
    return subject.space_id


def said_by(subject: Subject) -> str:
    """Return what it says, where it is a text or has one."""
    match subject:
        case Version():
            return subject.note
        case Announcement():
            return f"{subject.title}\n{subject.text}".strip()
        case Bot():
            return f"{subject.motto}\n{subject.about}".strip()
    return subject.about


def path_of(subject: Subject) -> str:
    match subject:
        case User():
            return reverse("person", args=[subject.username])
        case Team():
            return reverse("team", args=[subject.pk])
        case Version():
            return reverse("bot", args=[subject.bot_id])
        case Announcement():
            place = subject.ladder or subject.space
            return reverse("ladder" if subject.ladder else "space", args=[place.slug]) if place else reverse("home")
    return reverse("bot", args=[subject.pk])


def people_concerned(subject: Subject) -> Iterable[User]:
    """Return whose it is: they do not decide about it."""
    match subject:
        case User():
            return [subject]
        case Team():
            return User.objects.filter(memberships__team=subject, memberships__role__in=Membership.INSIDE)
        case Version():
            return managers_of(subject.bot)
        case Announcement():
            return []
    return managers_of(subject)
