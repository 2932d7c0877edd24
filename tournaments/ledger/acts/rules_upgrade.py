"""After an upgrade: a ladder continues with this release's rules."""

from dataclasses import dataclass

from engine.games import GAMES
from engine.records import RecordError, to_plain
from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Change, Effect, LadderAction
from tournaments.ledger.ladders.table_options import options_at
from tournaments.models import Act, Ladder, MatchSet


@dataclass(frozen=True, slots=True)
class AdoptRules(LadderAction):
    kind, button = "adopt_rules", "Adopt the present rules"
    about = "New sets are dealt by the rules that this release has; a set that was dealt before keeps its own."

    def preview(self) -> Effect:
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        if ladder.game not in GAMES or (version := GAMES[ladder.game].version) == ladder.rules:
            raise Refused(
                "nothing_changes",
                "%(ladder)s already uses version %(rules)s of its rules, as this release does",
                ladder=ladder,
                rules=ladder.rules,
            )
        upgraded_options(ladder)
        left = ladder.sets.filter(status=MatchSet.Status.OPEN, rules=ladder.rules).count()
        says = [
            Sentence("New sets are dealt by version %(version)s, and rated together with all before.", version=version),
            Sentence(
                "1 set of version %(rules)s is not over: workers and a recorder that have the version play it."
                if left == 1
                else "%(left)s sets of version %(rules)s are not over: workers and a recorder that have it play them.",
                left=left,
                rules=ladder.rules,
            ),
        ]
        return Effect(f"ladder {ladder.slug}", says, [Change("rules", str(ladder.rules), str(version))])

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        ladder = Ladder.objects.get(pk=self.ladder.pk)
        ladder.rules, ladder.options = GAMES[ladder.game].version, upgraded_options(ladder)
        ladder.save(update_fields=["rules", "options"])


def upgraded_options(ladder: Ladder) -> object:
    """Return the ladder's options by the present rules, what is new by default. Raises Refused(bad_setting)."""
    try:
        for size in ladder.sizes:
            options_at(ladder, size)
        return to_plain(GAMES[ladder.game].read_options(ladder.options))
    except RecordError as error:
        raise Refused(
            "bad_setting",
            "the options of %(ladder)s do not fit the present rules: %(error)s",
            ladder=ladder,
            error=error.reason,
        ) from None
