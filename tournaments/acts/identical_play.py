"""A bot that plays like an earlier one of its side has no rank, unless an organiser says that they are different."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from engine.sentences import Sentence
from tournaments.acts.base import Action, Effect
from tournaments.errors import Refused
from tournaments.ladders.official_fit import settle
from tournaments.models import Act, Bot, Ladder, Likeness


@dataclass(frozen=True, slots=True)
class ClearDouble(Action):
    kind, button = "clear_double", "Give it a rank of its own"
    about = (
        "A bot that was found to play as another of its side has a rank of its own in the ladder, and is not "
        "compared with that other there any more."
    )
    bot: Bot
    ladder: Ladder

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        found = list(self._found().select_related("original__bot"))
        if not found:
            raise Refused(
                "no_double",
                "%(bot)s was not found to play as another bot does in %(ladder)s",
                bot=self.bot,
                ladder=self.ladder,
            )
        says = [
            Sentence(
                "%(version)s gave the same %(answers)s answers as %(original)s in %(matches)s of its matches.",
                version=one.version,
                answers=one.answers,
                original=one.original,
                matches=one.matches,
            )
            for one in found
        ]
        return Effect(
            f"bot {self.bot}",
            [*says, Sentence("It has a rank of its own in %(ladder)s from now on.", ladder=self.ladder)],
        )

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        self._found().update(status=Likeness.Status.CLEARED)
        settle(ladder=self.ladder)

    def _found(self) -> "QuerySet[Likeness]":
        of_both = Likeness.objects.filter(ladder=self.ladder, version__bot=self.bot)
        return of_both.filter(status=Likeness.Status.ALIKE)
