"""What every shape of the API may need. Owner-only fields are null for everyone except the owner and organisers."""

from collections.abc import Iterable
from typing import Any, cast

from rest_framework import serializers

from tournaments.core.accounts.permissions import may_see, team_ids_of
from tournaments.models import Bot


class Problem(serializers.Serializer[Any]):
    """Every refusal, after RFC 9457."""

    code = serializers.CharField(help_text="Stable, in snake_case; for programs.")
    detail = serializers.CharField(help_text="What was wrong and what would be right; for people.")
    type = serializers.CharField(help_text="The code again, as an address that explains it.")
    title = serializers.CharField(help_text="The code again, in words.")
    status = serializers.IntegerField(help_text="Of HTTP.")
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()), required=False, help_text="Sentences by field."
    )


class ForOwner(serializers.Serializer[Any]):
    """A shape some of whose fields only the owners of `bots_of` it, and their teams, may see."""

    for_owner: tuple[str, ...] = ()

    def bots_of(self, instance: Any) -> Iterable[Bot]:
        raise NotImplementedError

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if not any(self.shown_to_viewer(bot) for bot in self.bots_of(instance)):
            shown.update(dict.fromkeys(self.for_owner))
        return shown

    def shown_to_viewer(self, bot: Bot) -> bool:
        """The viewer's teams are looked up once for all that is shown together."""
        context = cast("dict[str, Any]", self.context)
        if bot.team_id is not None and "teams" not in context:
            context["teams"] = team_ids_of(context["viewer"])
        return may_see(context["viewer"], bot, context.get("teams", ()))
