"""Settings of a space, changed with a reason: its time zone, how long things are kept, who sees who is who."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.admission import check_blind
from tournaments.core.config.time_zones import checked_zone
from tournaments.core.errors import Refused
from tournaments.core.notices.create import notify_members
from tournaments.features.spaces import members
from tournaments.features.spaces.actions import SpaceAction
from tournaments.features.spaces.retention import KINDS, days_of, old_at
from tournaments.ledger.acts.base import Change, Effect
from tournaments.models import Act, Course, Space, SpaceMember, User


@dataclass(frozen=True, slots=True)
class SetTimeZone(SpaceAction):
    kind, button = "set_time_zone", "Set the time zone"
    about = (
        "Deadlines in a space are shown, and late days end, by the clock of this time zone. `time_zone`: an IANA "
        "name, such as Europe/Berlin; without one it is the site’s. A ladder can have one of its own."
    )
    time_zone: str | None = None

    def preview(self) -> Effect:
        before, after = self.now().time_zone, checked_zone(self.time_zone or "")
        courses = Course.objects.filter(ladder__space=self.space, time_zone="").exclude(deadline=None).count()
        says = (
            Sentence("No deadline goes by it yet.")
            if not courses
            else Sentence("1 deadline stays at the same moment; late days after it end by the new time zone.")
            if courses == 1
            else Sentence(
                "%(courses)s deadlines stay at the same moment; late days after them end by the new time zone.",
                courses=courses,
            )
        )
        changes = [Change("time_zone", before or "site", after or "site")] if before != after else []
        return Effect(self.subject(), [says], changes)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        name = checked_zone(self.time_zone or "")
        if self.now().time_zone == name:  # not before: the form begins with what is
            raise Refused("nothing_changes", "%(space)s is already set that way", space=self.space)
        Space.objects.filter(pk=self.space.pk).update(time_zone=name)


FEWEST, MOST = 7, 3650  # days


@dataclass(frozen=True, slots=True)
class SetRetention(SpaceAction):
    kind, button = "set_retention", "Set how long things are kept"
    about = (
        "For how many days a space keeps what bots wrote for their owners (`words`), `replays`, `sources` of "
        "versions that no longer play, and, once it is closed, who its members are (`identities`). Without a number "
        "it is kept as long as the site keeps it. Results, ratings and acts stay."
    )
    words: int | None = None
    replays: int | None = None
    sources: int | None = None
    identities: int | None = None

    def days(self) -> dict[str, int | None]:
        return {name: getattr(self, name) for name in KINDS}

    def preview(self) -> Effect:
        now, chosen = self.now(), self.days()
        for name, days in chosen.items():
            if days is not None and not FEWEST <= days <= MOST:
                raise Refused(
                    f"bad_{name}",
                    "%(name)s are kept %(fewest)s to %(most)s days, not %(days)s; or leave it empty",
                    name=name,
                    fewest=FEWEST,
                    most=MOST,
                    days=days,
                )
        before = days_of(now)
        changes = [
            Change(name, _spoken(before[name]), _spoken(days)) for name, days in chosen.items() if days != before[name]
        ]
        says = [_told(now, name, days) for name, days in chosen.items()]
        return Effect(
            self.subject(), [*says, Sentence("Results, ratings, tables, seeds and the log stay as they are.")], changes
        )

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        if days_of(self.now()) == self.days():  # not before: the form begins with what is
            raise Refused("nothing_changes", "%(space)s already keeps things for that long", space=self.space)
        kept = {f"keep_{name}": days for name, days in self.days().items()}
        Space.objects.filter(pk=self.space.pk).update(**kept)


def _spoken(days: int | None) -> str:
    return Sentence("%(days)s days", days=days) if days else Sentence("as the site keeps it")


def _told(space: Space, name: str, days: int | None) -> str:
    """Say what goes, and when."""
    kind = KINDS[name]
    if not days:
        return Sentence("%(what_said)s are kept as long as the site keeps them.", what_said=kind.title)
    return Sentence(
        "%(what_said)s go %(days)s days %(since_said)s: %(when_said)s.",
        what_said=kind.title,
        days=days,
        since_said=kind.since,
        when_said=_when(space, name, days),
    )


def _when(space: Space, name: str, days: int) -> Sentence:
    old = old_at(days)
    going = sum(part.due(space, old).count() for part in KINDS[name].parts)
    firsts = [moment for part in KINDS[name].parts if (moment := part.first_after(space, old))]
    if not going and not firsts and name == "identities" and not space.closed_at:
        return Sentence("none of them yet, as it is open")
    now = Sentence("%(going)s of them within the hour", going=f"{going:,}") if going else Sentence("none of them yet")
    if not firsts:
        return now
    return Sentence("%(now_said)s, the next on %(day)s", now_said=now, day=_day(min(firsts), days))


def _day(since: datetime, days: int) -> str:
    return f"{timezone.localtime(since) + timedelta(days=days):%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class HideNames(SpaceAction):
    kind, button = "hide_names", "Hide names from organisers too"
    about = (
        "In a space whose names are drawn its organisers do not see who is who either, until they lift it. Before "
        "anybody has joined."
    )

    def hold(self) -> None:
        members.lock_space(self.space)

    def preview(self) -> Effect:
        now = self.now()
        check_blind(drawn=now.pseudonyms)
        came = now.members.exclude(role=SpaceMember.Role.ORGANISER).exists() or User.objects.filter(home=now).exists()
        if now.blind or came:
            why = (
                Sentence("they are hidden already")
                if now.blind
                else Sentence("somebody has joined, and you may have seen who")
            )
            raise Refused(
                "wrong_status", "names in %(now)s cannot be hidden from its organisers: %(why)s", now=now, why=why
            )
        says = [Sentence("No page, file or API shows who is who, until an organiser reveals it.")]
        return Effect(self.subject(), says, [Change("names", "seen by organisers", "hidden from organisers")])

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        Space.objects.filter(pk=self.space.pk).update(blind=True)


@dataclass(frozen=True, slots=True)
class ShowNames(SpaceAction):
    kind, button = "show_names", "Show who is who"
    about = (
        "From now on the organisers of a space see who is who. All its members are told the reason. This cannot be "
        "undone."
    )

    def hold(self) -> None:
        members.lock_space(self.space)

    def preview(self) -> Effect:
        now = self.now()
        if not now.blind:
            raise Refused("wrong_status", "the organisers of %(now)s see who is who already", now=now)
        count = now.members.count()
        says = [
            Sentence("Its organisers see the names and addresses of its roster. Classmates see no more than before."),
            Sentence(
                "Its only member is notified, with your reason. This cannot be undone."
                if count == 1
                else "All %(told)s members are notified, with your reason. This cannot be undone.",
                told=count,
            ),
        ]
        return Effect(self.subject(), says, [Change("names", "hidden from organisers", "seen by organisers")])

    def carry_out(self, act: Act) -> None:
        Space.objects.filter(pk=self.space.pk).update(blind=False)
        text = Sentence(
            "The organisers of %(space)s see who is who from now on: %(reason)s", space=self.space, reason=act.reason
        )
        path = reverse("space", args=[self.space.slug])
        notify_members(self.space, f"act {act.number}", text, path)
