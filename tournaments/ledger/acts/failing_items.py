"""Items of the site's loops that fail: retried at once, or not until somebody asks for it."""

from dataclasses import dataclass

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Action, Effect
from tournaments.models import Act, FailingItem


@dataclass(frozen=True, slots=True)
class OfItem(Action):
    item: FailingItem

    def _found(self) -> FailingItem:
        found = FailingItem.objects.select_for_update().filter(pk=self.item.pk).first()
        if found is None:
            raise Refused("not_failing", "%(item)s is no longer pending; there is nothing to do", item=self.item)
        return found


class TryAgain(OfItem):
    kind, button = "try_item_again", "Try again"
    about = "An item that fails is tried again at once. Its failures are forgotten."

    def preview(self) -> Effect:
        found = self._found()
        says = [
            Sentence("Failures: %(failures)s. It is tried again at once.", failures=found.failures),
            Sentence("The last reason: %(reason)s", reason=found.reason),
        ]
        return Effect(str(found), says)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        FailingItem.objects.filter(pk=self.item.pk).delete()


class SetAside(OfItem):
    kind, button = "set_item_aside", "Set aside"
    about = "An item that fails is not tried again until somebody asks for it."

    def preview(self) -> Effect:
        found = self._found()
        if found.next_try_at is None:
            raise Refused("nothing_changes", "%(found)s is set aside already", found=found)
        return Effect(
            str(found),
            [
                Sentence("It is not tried again automatically."),
                Sentence("The last reason: %(reason)s", reason=found.reason),
            ],
        )

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        FailingItem.objects.filter(pk=self.item.pk).update(next_try_at=None)
