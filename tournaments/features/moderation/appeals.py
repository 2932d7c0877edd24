"""Appeals: a person affected by an act may ask for a review, once, even while the account is suspended."""

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.urls import reverse

from engine.sentences import Sentence
from tournaments.errors import Refused
from tournaments.features.moderation.complaints import checked_text
from tournaments.features.moderation.subjects import people_of
from tournaments.ladders.disqualified import bots_of
from tournaments.models import Act, Appeal, Bot, Disqualification, Notice, Suspension, Team, User, Version
from tournaments.notices.create import managers_of, notify

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
            "appealed", "there is an appeal against act %(number)s already; each has one", number=act.number
        ) from None


def check_concerned(by: User, act: Act) -> None:
    """Raises Refused: not_concerned."""
    if all(person.pk != by.pk for person in concerned_by(act)):
        raise Refused(
            "not_concerned",
            "act %(number)s is not about you; whom an act concerns may appeal against it",
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
    return people_of(found_row) if isinstance(found_row, Bot | Team | Version) else []


def answered(appeal: Appeal, act: Act, status: Appeal.Status) -> None:
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
