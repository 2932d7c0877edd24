"""Reports: anyone who has signed in can report to organisers, and is told the result."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spaces import organisers_of
from tournaments.core.accounts.suspension import check_writes
from tournaments.core.errors import Refused
from tournaments.core.notices.create import managers_of, notify
from tournaments.features.moderation.subjects import (
    Subject,
    people_concerned,
    space_of_subject,
    subject_kept,
    subject_named,
)
from tournaments.ledger.ladders.disqualified import bots_of
from tournaments.models import (
    Act,
    Appeal,
    Bot,
    Complaint,
    Disqualification,
    Notice,
    Space,
    Suspension,
    Team,
    User,
    Version,
)

LONGEST = 1000  # characters of a report, and of an appeal
OPEN_AT_MOST, A_DAY = 10, 20  # reports of a person
Status = Complaint.Status


@transaction.atomic
def report_abuse(*, by: User, about: str, text: str) -> Complaint:
    """Raises Refused: account_suspended, unknown_subject, no_reason, long_reason, reported, too_many_reports."""
    check_writes(by)
    kept, subject = subject_named(about, by)
    space = space_of_subject(subject)
    check_writes(by, space)
    words = checked_text(text)
    counted_alone(by)
    if by.complaints.filter(about=kept, status=Status.OPEN).exists():
        raise Refused("reported", "you have reported this already; organisers look at it, and you get a notice")
    lately = by.complaints.filter(created_at__gt=timezone.now() - timedelta(days=1)).count()
    if lately >= A_DAY or by.complaints.filter(status=Status.OPEN).count() >= OPEN_AT_MOST:
        raise Refused(
            "too_many_reports",
            "you may have %(open_at_most)s open reports, and write %(a_day)s in 24 hours; organisers look at "
            "those first",
            open_at_most=OPEN_AT_MOST,
            a_day=A_DAY,
        )
    made = Complaint.objects.create(by=by, about=kept, text=words, space_id=space)
    if made.space:
        _tell_organisers(made.space, made, subject)
    return made


def _tell_organisers(space: Space, made: Complaint, subject: Subject) -> None:
    """Tell all but those whom it is about, who learn nothing of it. Nobody is told who wrote."""
    asked = organisers_of(space.pk).exclude(pk__in=[person.pk for person in people_concerned(subject)])
    text = Sentence("Somebody reports something in %(space)s: look at it.", space=space)
    path = reverse("space-reports", args=[space.slug])
    notify(asked, Notice.Kind.SPACE, f"reported {made.pk}", text, path, report=made.pk)


def checked_text(text: str) -> str:
    """Raises Refused: no_reason, long_reason."""
    words = text.replace("\r\n", "\n").strip()
    if not words:
        raise Refused("no_reason", "say what is wrong, in a sentence or two")
    if len(words) > LONGEST:
        raise Refused(
            "long_reason",
            "a report or an appeal has %(longest)s characters at most; this has %(said)s",
            longest=f"{LONGEST:,}",
            said=f"{len(words):,}",
        )
    return words


def concerns(complaint: Complaint, person: User) -> bool:
    """Whether it is about them, or about what is theirs: then others decide, and they learn nothing of it."""
    subject = subject_kept(complaint.about)
    return subject is not None and any(owner.pk == person.pk for owner in people_concerned(subject))


def open_to_organiser(person: User, space: Space | None = None) -> list[Complaint]:
    """Return what waits, on the site or in one space, the oldest first, but for what concerns them while somebody else
    can decide about it."""
    rows = Complaint.objects.filter(Q(space=space) if space else Q(), status=Status.OPEN)
    waiting = rows.select_related("by", "space").order_by("pk")[:200]
    return [
        complaint
        for complaint in waiting
        if not (concerns(complaint, person) and other_organisers(person, complaint.space_id))
    ]


def other_organisers(person: User, space: int | None) -> bool:
    """Whether the site has other organisers; or the space, if it is of one."""
    return bool(_who_decide(space) - {person.pk})


def _who_decide(space: int | None) -> set[int]:
    """Return the numbers of those who decide: a closed space is there for organisers of the site alone."""
    numbers = set(User.objects.filter(is_staff=True, is_active=True).values_list("pk", flat=True))
    if space and Space.objects.filter(pk=space, closed_at=None).exists():
        numbers |= set(organisers_of(space).values_list("pk", flat=True))
    return numbers


def number_of_organisers(space: int | None) -> int:
    """Return how many people can answer an appeal."""
    return len(_who_decide(space))


def close_complaint(complaint: Complaint, act: Act, status: Status) -> None:
    """Close it: the reporter is told, and nobody else."""
    Complaint.objects.filter(pk=complaint.pk).update(status=status, act=act)
    text = Sentence(
        "What you reported on %(day)s was looked at. Organisers did something about it: %(reason)s"
        if status == Status.SETTLED
        else "What you reported on %(day)s was looked at. Organisers left it as it is: %(reason)s",
        day=f"{complaint.created_at:%Y-%m-%d}",
        reason=act.reason,
    )
    notify([complaint.by], Notice.Kind.ACT, f"report {complaint.pk}", text, reverse("notices"), report=complaint.pk)


TAKEN_DOWN = ("rename", "blank")  # kinds of acts, whose subject says whose they were


@transaction.atomic
def appeal(*, by: User, act: Act, text: str) -> Appeal:
    """Raises Refused: not_concerned, no_reason, long_reason, appealed."""
    check_concerned(by, act)
    words = checked_text(text)
    try:
        with transaction.atomic():
            return Appeal.objects.create(by=by, act=act, text=words)
    except IntegrityError:
        raise Refused(
            "appealed", "act %(number)s already has an appeal; each act can have one", number=act.number
        ) from None


def check_concerned(by: User, act: Act) -> None:
    """Raises Refused: not_concerned."""
    if all(person.pk != by.pk for person in concerned_by(act)):
        raise Refused(
            "not_concerned",
            "act %(number)s is not about you; only those it concerns may appeal",
            number=act.number,
        )


def concerned_by(act: Act) -> Iterable[User]:
    if found := Suspension.objects.filter(act=act).select_related("user").first():
        return [found.user]
    if row := Disqualification.objects.filter(act=act).select_related("version__bot", "bot", "owner").first():
        return [person for bot in bots_of(row) for person in managers_of(bot)]
    kind, _, called = act.subject.partition(" ")
    if act.kind not in TAKEN_DOWN:
        return []
    if kind == "account":  # by its id, or its name
        is_id = "name" in {change["name"] for change in act.detail.get("changes", ())}
        return User.objects.filter(**({"pk": called} if is_id else {"username": called}))
    models = {"bot": Bot, "team": Team, "version": Version}
    found_row = models[kind]._base_manager.filter(pk=called).first() if kind in models else None  # noqa: SLF001
    return people_concerned(found_row) if isinstance(found_row, Bot | Team | Version) else []


def answer_appeal(appeal: Appeal, act: Act, status: Appeal.Status) -> None:
    Appeal.objects.filter(pk=appeal.pk).update(status=status, answer=act)
    text = Sentence(
        "Your appeal against act %(act)s is granted: %(reason)s"
        if status == Appeal.Status.GRANTED
        else "Your appeal against act %(act)s is refused: %(reason)s",
        act=appeal.act.number,
        reason=act.reason,
    )
    path = reverse("appeal", args=[appeal.act.number])
    notify([appeal.by], Notice.Kind.ACT, f"appeal {appeal.pk}", text, path, appeal=appeal.pk, act=act.number)
