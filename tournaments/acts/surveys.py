"""Asking bots of several people the same questions, to see whether they play alike: evidence for organisers."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.sentences import Sentence
from tournaments.acts.base import Action, Effect
from tournaments.models import Act, Ladder
from tournaments.practice import surveys


@dataclass(frozen=True, slots=True)
class CompareAnswers(Action):
    kind, button = "compare_answers", "Compare what bots answer"
    about = (
        "Every bot that plays in the ladder answers what was asked in some recorded matches, and what they have in "
        "common is shown to organisers."
    )
    ladder: Ladder

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)

    def preview(self) -> Effect:
        matches = len(surveys.drawn(self.ladder))
        bots = min(surveys.MOST, surveys.versions_in(self.ladder).count())
        says = [
            Sentence(
                "%(bots)s bots are asked again what was asked in %(matches)s recorded matches, drawn by lot.",
                bots=bots,
                matches=matches,
            ),
            Sentence(
                "One is asked at a time, when no person waits for a worker; the ratings go on, and nothing of it "
                "counts."
            ),
        ]
        return Effect(f"ladder {self.ladder.slug}", says)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        surveys.begin(self.ladder)
