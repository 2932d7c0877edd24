"""What organisers do with placebo twins."""

from dataclasses import dataclass, field

from engine.sentences import Sentence
from tournaments.core.accounts.names import normalized_name
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.errors import Refused
from tournaments.features.fairness.twins import enter_twin, original_for, reveal_says, reveal_twins, text_of_twins
from tournaments.ledger.acts.base import ONE_LINE, Action, Effect, LadderAction, digest_sentence
from tournaments.models import Act, Bot, Version


@dataclass(frozen=True, slots=True)
class EnterTwins(LadderAction):
    kind, button = "enter_twins", "Enter placebo twins"
    about = (
        "A bot of the house plays in the ladder under a second name, too, until the ladder closes: equal bots should "
        "be rated alike. `bot`: the house’s own. `name`: its second one. The log names neither; leave both out of your "
        "reason, which is public."
    )
    bot: Bot
    name: str = field(metadata=ONE_LINE)

    def hold(self) -> None:
        Action.hold(self)
        counted_alone(self.bot.owner)
        Bot.objects.select_for_update().get(pk=self.bot.pk)

    def preview(self) -> Effect:
        """Return what is done without naming either bot, for all of it is public."""
        text = text_of_twins(self.ladder, self._original(), normalized_name(self.name))
        says = [
            Sentence(
                "A bot of the house plays in %(ladder)s under a second name, too. Which two they are is told when the "
                "ladder closes, or before by an organiser; neither has a rank from then on.",
                ladder=self.ladder,
            ),
            Sentence("It is fixed now by %(digest_said)s.", digest_said=digest_sentence(text)),
        ]
        return Effect(f"ladder {self.ladder.slug}", says)

    def carry_out(self, act: Act) -> None:
        name = normalized_name(self.name)
        enter_twin(ladder=self.ladder, original=self._original(), name=name, act=act)

    def _original(self) -> Version:
        return original_for(self.ladder, self.bot)


@dataclass(frozen=True, slots=True)
class RevealTwins(LadderAction):
    kind, button = "reveal_twins", "Reveal the placebo twins"
    about = "Everybody is told which two bots are one under two names. Neither has a rank from then on."

    def preview(self) -> Effect:
        if says := reveal_says(self.ladder):
            return Effect(f"ladder {self.ladder.slug}", says)
        raise Refused("no_twins", "%(ladder)s has no hidden twins", ladder=self.ladder)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        reveal_twins(self.ladder)
