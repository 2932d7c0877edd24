"""Disqualify a version, a bot or an owner, at any time and for any part of history; and take it back.

A disqualification is a row that `ladders.disqualified` filters by. Beside that row an action writes the entries'
states and ends what is under way; the ratings follow (`official_fit.settle_ratings`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from engine.sentences import Sentence
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.core.notices import triggers
from tournaments.ledger.acts.base import Action, Effect
from tournaments.ledger.acts.standings_diff import Comparison, compare_standings
from tournaments.ledger.competitors import entry_states
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.ladders.disqualified import barring, bots_of, excluded, ladders_affected, versions_out
from tournaments.ledger.ladders.official_fit import settle_ratings
from tournaments.ledger.ladders.rating_ledger import whole_of
from tournaments.models import Act, Bot, Disqualification, Entrant, Entry, Event, Ladder, MatchSet, User, Version

CURRENT = (Event.Status.REGISTRATION, Event.Status.RUNNING)


@dataclass(frozen=True, slots=True)
class Disqualify(Action):
    kind, button = "disqualify", "Disqualify"
    about = (
        "Out: one of `version`, `bot` (all versions) and `owner` (all bots, also later ones), in one ladder or in all."
    )
    version: Version | None = None
    bot: Bot | None = None
    owner: User | None = None
    ladder: Ladder | None = None

    def ladders(self) -> Iterable[Ladder]:
        return ladders_affected(self._row())

    def hold(self) -> None:
        """Bots of the owner enter no ladder meanwhile."""
        super(Disqualify, self).hold()
        bot = self.version.bot if self.version else self.bot
        if owner := bot.owner if bot else self.owner:
            counted_alone(owner)

    def preview(self) -> Effect:
        row = self._row()
        if Disqualification.objects.filter(**self._whom(), ladder=self.ladder, lifted=None).exists():
            raise Refused("disqualified", "%(row)s has already been disqualified", row=target_name(row))
        ladders, out = ladders_affected(row), set(versions_out(row).values_list("pk", flat=True))
        tables = [standings_without(ladder, excluded(ladder) | out) for ladder in ladders]
        stopped = sum(_to_stop(ladder, row).count() for ladder in ladders)
        says = [
            *what_counts(tables),
            Sentence(
                "1 set that is not over is cancelled and counts for nothing."
                if stopped == 1
                else "%(stopped)s sets that are not over are cancelled and count for nothing.",
                stopped=stopped,
            ),
            *_events(row),
        ]
        return Effect(target_name(row), says, [], tables, {"entries": {} if row.version else _statuses(ladders, row)})

    def carry_out(self, act: Act) -> None:
        row = self._row()
        row.act = act
        row.save()
        triggers.notify_of_disqualification(row, bots_of(row))
        for ladder in ladders_affected(row):
            if not row.version:
                entry_states.disqualify_entries(ladder.entries.filter(bot__in=bots_of(row)))
            _stop(ladder, row)
            settle_ratings(ladder=ladder)

    def _row(self) -> Disqualification:
        """Return the disqualification as it would stand. Raises Refused: whom."""
        if sum(one is not None for one in self._whom().values()) != 1:
            raise Refused("whom", "name exactly one of version, bot and owner")
        return Disqualification(ladder=self.ladder, **self._whom())

    def _whom(self) -> dict[str, Version | Bot | User | None]:
        return {"version": self.version, "bot": self.bot, "owner": self.owner}


def _to_stop(ladder: Ladder, row: Disqualification) -> QuerySet[MatchSet]:
    """Return the open sets of the ladder and those asked for: events and trials are ended in their own ways."""
    beside = {"event": None, "trial": None, "rechecks": None}
    seated = ladder.sets.filter(status=MatchSet.Status.OPEN, matches__seats__version__in=versions_out(row), **beside)
    return seated.distinct()


def _stop(ladder: Ladder, row: Disqualification) -> None:
    for match_set in _to_stop(ladder, row):
        cancel(
            match_set=match_set,
            reason=Sentence("a bot in it was disqualified: act %(act)s of the audit log", act=row.act.number),
        )
    for feature in features():
        feature.bots_removed(bots_of(row), ladder, Sentence("disqualified"))


def _events(row: Disqualification) -> list[str]:
    playing = Entrant.objects.filter(bot__in=bots_of(row), status=Entrant.Status.PLAYING, event__status__in=CURRENT)
    names = sorted(set(playing.values_list("event__title", flat=True)))
    if not names:
        return []
    return [
        Sentence("Events are apart; it plays on in %(names)s until it is disqualified there.", names=", ".join(names))
    ]


def _statuses(ladders: list[Ladder], row: Disqualification) -> dict[str, str]:
    """Return the statuses of the entries by `_key`, so that they can be given back."""
    entries = Entry.objects.filter(ladder__in=ladders, bot__in=bots_of(row)).exclude(status=Entry.Status.DISQUALIFIED)
    return {_key(entry): entry.status for entry in entries}


@dataclass(frozen=True, slots=True)
class Reinstate(Action):
    kind, button = "reinstate", "Reinstate"
    about = (
        "A disqualification ends: results count again, and bots play again. `act`: the one that disqualified, by its "
        "number in the log."
    )
    act: Act

    def ladders(self) -> Iterable[Ladder]:
        return ladders_affected(self._row())

    def preview(self) -> Effect:
        row = self._row()
        tables = [standings_without(ladder, excluded(ladder, without=row)) for ladder in ladders_affected(row)]
        says = [*what_counts(tables), Sentence("Sets that were cancelled then stay cancelled.")]
        return Effect(target_name(row), says, [], tables, {"act": self.act.number})

    def carry_out(self, act: Act) -> None:
        row = self._row()
        row.lifted = act
        row.save(update_fields=["lifted"])
        triggers.notify_of_reinstatement(row, bots_of(row))
        for ladder in ladders_affected(row):
            _let_in(ladder, row)
            settle_ratings(ladder=ladder)

    def _row(self) -> Disqualification:
        row = Disqualification.objects.select_related("version__bot", "bot", "owner", "ladder").filter(act=self.act)
        found = row.first()
        if found is None:
            raise Refused("no_disqualification", "act %(number)s disqualified nobody", number=self.act.number)
        if found.lifted_id:
            raise Refused("reinstated", "%(found)s has already been reinstated", found=target_name(found))
        return found


def _let_in(ladder: Ladder, row: Disqualification) -> None:
    """Give each entry the status that it had before, unless something else keeps its bot out."""
    for entry in ladder.entries.filter(bot__in=bots_of(row), status=Entry.Status.DISQUALIFIED):
        if not barring(ladder, entry.bot):
            entry_states.reinstate(entry, _status_before(entry))


def _status_before(entry: Entry) -> str:
    """Return the status before the last act that disqualified the entry; "withdrawn" where no act did."""
    acts = Act.objects.filter(kind=Disqualify.kind, detail__entries__has_key=_key(entry))
    latest = acts.order_by("-number").first()
    return str(latest.detail["entries"][_key(entry)]) if latest else Entry.Status.WITHDRAWN


def _key(entry: Entry) -> str:
    return f"{entry.ladder_id}/{entry.bot_id}"


def target_name(row: Disqualification) -> str:
    whom = f"version {row.version}" if row.version else f"bot {row.bot}" if row.bot else f"owner {row.owner}"
    return f"{whom}, {f'ladder {row.ladder.slug}' if row.ladder else 'all ladders'}"


def standings_without(ladder: Ladder, out: set[int]) -> Comparison:
    """The ladder as it is, and with these versions out of it."""
    whole = whole_of(ladder, ladder.sets.filter(status=MatchSet.Status.COMPLETE, number__isnull=False))
    return compare_standings(ladder, whole.without(excluded(ladder)), whole.without(out))


def what_counts(tables: list[Comparison]) -> list[Sentence]:
    if not tables:
        return [Sentence("It is in no ladder; it cannot enter one.")]
    return [
        Sentence(
            "Sets that count in %(ladder)s: %(before)s before, %(after)s after.",
            ladder=table.title,
            before=table.sets_before,
            after=table.sets_after,
        )
        for table in tables
    ]
