"""For how long a space keeps what its results do not need."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from engine.sentences import Sentence
from tournaments.acts.base import Change, Effect
from tournaments.errors import Refused
from tournaments.features.spaces.actions import SpaceAction
from tournaments.features.spaces.retention import KINDS, days_of, old_at
from tournaments.models import Act, Space

FEWEST, MOST = 7, 3650  # days


@dataclass(frozen=True, slots=True)
class SetRetention(SpaceAction):
    kind, button = "set_retention", "Set how long things are kept"
    about = (
        "For how many days a space keeps what bots wrote for their owners (`words`), `replays`, `sources` of "
        "versions that play no more, and, once it is closed, who its members are (`identities`). Without a number "
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
            raise Refused("nothing_changes", "%(space)s keeps things for so long already", space=self.space)
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
        return Sentence("none of them yet, for it is open")
    now = Sentence("%(going)s of them within the hour", going=f"{going:,}") if going else Sentence("none of them yet")
    if not firsts:
        return now
    return Sentence("%(now_said)s, the next on %(day)s", now_said=now, day=_day(min(firsts), days))


def _day(since: datetime, days: int) -> str:
    return f"{timezone.localtime(since) + timedelta(days=days):%Y-%m-%d}"
