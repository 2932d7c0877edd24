"""Matches that must not be sent: quarantined by hand, or automatically after too many failures; and released."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.ledger.acts.base import Action, Effect
from tournaments.ledger.competitors.version_states import check_again
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.dispatch.unplayable import play_without
from tournaments.ledger.ladders.disqualified import excluded
from tournaments.models import Act, Bot, Event, Ladder, Match, MatchSet, Seat, Trial, Version


@dataclass(frozen=True, slots=True)
class OfMatch(Action):
    match: Match

    def ladders(self) -> Iterable[Ladder]:
        return Ladder.objects.filter(sets__matches=self.match)

    def hold(self) -> None:
        """Lock the match: nobody claims, records or releases it meanwhile. Recorders lock in the same order."""
        super(OfMatch, self).hold()
        Match.objects.select_for_update(of=("self", "set")).select_related("set").get(pk=self.match.pk)


class Quarantine(OfMatch):
    kind, button = "quarantine_match", "Quarantine"
    about = "No worker is sent this match; its whole set is cancelled."

    def preview(self) -> Effect:
        found = Match.objects.select_related("set").get(pk=self.match.pk)
        if found.status not in (Match.Status.WAITING, Match.Status.LEASED):
            raise Refused(
                "match_over",
                "match %(pk)s waits for nobody: %(lower)s",
                pk=found.pk,
                lower=found.get_status_display().lower(),
            )
        says = [
            Sentence(
                "It is no longer sent to workers, and their late reports of it are refused. Its whole set is cancelled."
            )
        ]
        if found.set.checks_id:
            says.append(
                Sentence("It was the check of an upload, which is rejected with the reason that the platform failed.")
            )
        return Effect(f"match {found.pk}", says)

    def carry_out(self, act: Act) -> None:
        found = Match.objects.select_related("set").get(pk=self.match.pk)
        reason = Sentence(
            "match %(match)s was put in quarantine: act %(act)s of the audit log", match=found.pk, act=act.number
        )
        cancel(match_set=found.set, reason=reason)
        Match.objects.filter(pk=found.pk).update(status=Match.Status.QUARANTINED, lease_until=None)


@dataclass(frozen=True, slots=True)
class PlayWithout(OfMatch):
    kind, button = "play_without", "Play without it"
    about = "A match that could not be played goes on without one version, which forfeits; the others play on."
    version: Version

    def preview(self) -> Effect:
        found = Match.objects.select_related("set__ladder").get(pk=self.match.pk)
        if found.status != Match.Status.QUARANTINED or found.set.status != MatchSet.Status.OPEN:
            raise Refused(
                "not_quarantined",
                "match %(pk)s of an open set is not in quarantine: it is %(status)s",
                pk=found.pk,
                status=Sentence(found.status),
            )
        if not found.seats.filter(version=self.version, withdrawn=False).exists():
            raise Refused("not_playing", "%(version)s does not play in match %(pk)s", version=self.version, pk=found.pk)
        others = found.seats.exclude(version=self.version).filter(withdrawn=False)
        if not others.exists():
            raise Refused("not_playing", "nobody else plays in match %(pk)s", pk=found.pk)
        says = [
            Sentence(
                "%(version)s forfeits match %(pk)s without being asked; the others play it to its end.",
                version=self.version,
                pk=found.pk,
            ),
            Sentence("When all matches of %(set)s are done, it counts as every other set.", set=found.set),
        ]
        return Effect(f"match {found.pk}", says, more={"version": str(self.version)})

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        play_without(Match.objects.get(pk=self.match.pk), self.version)


class Release(OfMatch):
    kind, button = "release_match", "Release"
    about = "A match leaves quarantine and is played with all its bots; its failed attempts are forgiven."

    def hold(self) -> None:
        super().hold()
        version = Match.objects.select_related("set__checks").get(pk=self.match.pk).set.checks
        if version:
            Bot.objects.select_for_update().get(pk=version.bot_id)

    def preview(self) -> Effect:
        found = Match.objects.select_related("set__checks__bot").get(pk=self.match.pk)
        if found.status != Match.Status.QUARANTINED:
            raise Refused(
                "not_quarantined",
                "match %(pk)s is not in quarantine: it is %(status)s",
                pk=found.pk,
                status=Sentence(found.status),
            )
        if why := _stands_against(found.set):
            raise Refused("not_releasable", "match %(pk)s cannot be released: %(why)s", pk=found.pk, why=why)
        failed = found.attempts.filter(failed=True, lease__gt=found.forgiven).count()
        says = [
            Sentence(
                "Its set is open again, and it waits for a worker. The %(failed)s attempts that failed are forgiven.",
                failed=failed,
            )
        ]
        if found.set.checks:
            says.append(Sentence("%(checks)s is checked again.", checks=found.set.checks))
        return Effect(f"match {found.pk}", says)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        found = Match.objects.select_related("set").get(pk=self.match.pk)
        if found.set.checks:
            check_again(version=found.set.checks)
        MatchSet.objects.filter(pk=found.set_id).update(status=MatchSet.Status.OPEN, reason="", ended_at=None)
        left = found.set.matches.exclude(status=Match.Status.DONE)
        if found.set.status == MatchSet.Status.OPEN:
            left = left.filter(pk=found.pk)
        Seat.objects.filter(match__in=left).update(withdrawn=False)
        left.update(status=Match.Status.WAITING, forgiven=F("lease"))


def _stands_against(match_set: MatchSet) -> str:
    """Why a match of it must not be played any more."""
    if match_set.status == MatchSet.Status.OPEN:
        return ""
    if match_set.status != MatchSet.Status.CANCELLED:
        return Sentence("its set is %(status)s", status=Sentence(match_set.status))
    if match_set.checks:
        return _checked_since(match_set.checks)
    if match_set.ladder is None:
        return ""
    if match_set.ladder.status == Ladder.Status.CLOSED and match_set.number:
        return Sentence("its ladder is closed")
    if match_set.trial and match_set.trial.status != Trial.Status.RUNNING:
        return Sentence("its trial is over")
    if Seat.objects.filter(match__set=match_set, version__in=excluded(match_set.ladder)).exists():
        return Sentence("somebody in it is disqualified")
    if match_set.event and not _is_awaited(match_set, match_set.event):
        return Sentence("its event went on without it")
    return ""


def _checked_since(version: Version) -> str:
    if version.status != Version.Status.REJECTED:
        return f"{version} is {version.status}"
    other = version.bot.versions.filter(status=Version.Status.CHECKING).first()
    return (
        Sentence("%(other)s is being checked, and each bot has one version checked at a time", other=other)
        if other
        else ""
    )


def _is_awaited(match_set: MatchSet, event: Event) -> bool:
    paired = any(feature.paired_by_result(match_set) for feature in features())
    return event.status == Event.Status.RUNNING and not paired
