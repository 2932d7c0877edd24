"""`{% follow_button bot %}`: a form that follows what the page is about, or stops it; nothing for visitors."""

from typing import Any

from django import template
from django.db.models import OuterRef, Subquery

from tournaments.features.follow.rules import COLUMNS, Target, kind_of_target, targets_seen_by
from tournaments.models import Bot, Follow, User

register = template.Library()


@register.inclusion_tag("follow/_button.html", takes_context=True)
def follow_button(context: Any, target: Target) -> dict[str, Any]:
    """Return what the button needs. Nobody is asked to follow themselves or a bot of their own."""
    user, owner = context["request"].user, target.owner if isinstance(target, Bot) else target
    if not isinstance(user, User) or owner == user:
        return {}
    kind = kind_of_target(target)
    mine = Follow.objects.filter(user=user, **{kind: OuterRef("pk")}).values("pk")
    row = targets_seen_by(user, kind).filter(pk=target.pk).values_list(Subquery(mine)).first()
    name = getattr(target, COLUMNS[kind])
    return {"kind": kind, "name": name, "follow": row[0]} if row else {}
