"""What every shape of the API may need. What belongs to a bot's owner is null for all others but the organisers."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from tournaments.models import Bot


class Problem(serializers.Serializer[Any]):
    """Every refusal."""

    code = serializers.CharField(help_text="Stable, in snake_case; for programs.")
    detail = serializers.CharField(help_text="What was wrong and what would be right; for people.")
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()), required=False, help_text="Sentences by field."
    )


def may_see(viewer: Any, bots: Iterable[Bot]) -> bool:
    """Organisers see what owners see; owners, what is about a bot of theirs."""
    return bool(viewer.is_staff) or any(bot.owner_id == viewer.pk for bot in bots)


class ForOwner(serializers.Serializer[Any]):
    """A shape some of whose fields only the owner of `bots_of` it may see."""

    for_owner: tuple[str, ...] = ()

    def bots_of(self, instance: Any) -> Iterable[Bot]:
        raise NotImplementedError

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if not may_see(self.context["viewer"], self.bots_of(instance)):
            shown.update(dict.fromkeys(self.for_owner))
        return shown
