"""Cancels sets that were dealt under the rules of a release that is gone."""

from dataclasses import dataclass, field

from django.db.models import QuerySet

from engine.sentences import Sentence
from tournaments.core.broker.available_workers import outdated
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import ONE_LINE, Action, Effect
from tournaments.ledger.dispatch.leases import cancel
from tournaments.models import Act, MatchSet


@dataclass(frozen=True, slots=True)
class CancelOutdated(Action):
    kind, button = "cancel_outdated", "Cancel what waits for old rules"
    about = "Open sets under rules that this release does not play are cancelled: no worker will come that plays them."
    game: str = field(metadata=ONE_LINE)
    rules: int

    def preview(self) -> Effect:
        sets = list(self._sets().values_list("pk", flat=True))
        if not sets:
            raise Refused(
                "nothing_waits",
                "no open set waits for version %(rules)s of the rules of %(game)s",
                rules=self.rules,
                game=self.game,
            )
        says = Sentence(
            "1 set is cancelled; what was played of it is kept, and is not rated."
            if len(sets) == 1
            else "%(sets)s sets are cancelled; what was played of them is kept, and is not rated.",
            sets=len(sets),
        )
        return Effect(f"version {self.rules} of {self.game}", [says], more={"sets": sets[:200]})

    def carry_out(self, act: Act) -> None:
        for match_set in self._sets():
            reason = Sentence(
                "it was dealt under version %(rules)s of the rules: act %(act)s of the audit log",
                rules=self.rules,
                act=act.number,
            )
            cancel(match_set=match_set, reason=reason)

    def _sets(self) -> QuerySet[MatchSet]:
        return outdated().filter(game=self.game, rules=self.rules).order_by("pk")
