"""Asking bots of several people the same questions, to see whether they play alike: evidence for organisers."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.features.likeness import surveys
from tournaments.ledger.acts.base import Action, Effect, LadderAction
from tournaments.ledger.ladders.official_fit import settle_ratings
from tournaments.models import Act, Bot, Ladder, Likeness


@dataclass(frozen=True, slots=True)
class CompareAnswers(LadderAction):
    kind, button = "compare_answers", "Compare what bots answer"
    about = (
        "Every bot that plays in the ladder answers what was asked in some recorded matches, and what they have in "
        "common is shown to organisers."
    )

    def preview(self) -> Effect:
        matches = len(surveys.draw_matches(self.ladder))
        bots = len(surveys.versions_to_ask(self.ladder))
        says = [
            Sentence(
                "%(bots)s bots answer the questions of %(matches)s recorded matches again; the matches are drawn by "
                "lot.",
                bots=bots,
                matches=matches,
            ),
            Sentence(
                "One bot is asked at a time, when nobody waits for a worker. Ratings go on, and none of this counts."
            ),
            Sentence("A bot that gives all the same answers as an earlier one of its owner or team has no rank."),
        ]
        return Effect(f"ladder {self.ladder.slug}", says)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        surveys.begin_survey(self.ladder)


@dataclass(frozen=True, slots=True)
class ClearDouble(Action):
    kind, button = "clear_double", "Give it a rank of its own"
    about = (
        "A bot that was found to play like another of its owner or team gets its own rank in the ladder, and the two "
        "are no longer compared there."
    )
    bot: Bot
    ladder: Ladder

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        doubles = list(self._doubles().select_related("original__bot"))
        if not doubles:
            raise Refused(
                "no_double",
                "%(bot)s was not found to play like another bot in %(ladder)s",
                bot=self.bot,
                ladder=self.ladder,
            )
        says = [
            Sentence(
                "%(version)s gave the same %(answers)s answers as %(original)s in %(matches)s recorded matches.",
                version=double.version,
                answers=double.answers,
                original=double.original,
                matches=double.matches,
            )
            for double in doubles
        ]
        return Effect(
            f"bot {self.bot}",
            [*says, Sentence("It has a rank of its own in %(ladder)s from now on.", ladder=self.ladder)],
        )

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        self._doubles().update(status=Likeness.Status.CLEARED)
        settle_ratings(ladder=self.ladder)

    def _doubles(self) -> "QuerySet[Likeness]":
        of_both = Likeness.objects.filter(ladder=self.ladder, version__bot=self.bot)
        return of_both.filter(status=Likeness.Status.ALIKE)
