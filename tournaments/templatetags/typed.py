"""Keeps the previous choice in a form that is shown again, even if it is no longer offered. Otherwise a browser would
show and send the first choice instead.
"""

from collections.abc import Sequence
from typing import Any

from django import template

from tournaments.features.practice.seating_form import Kind
from tournaments.web.pages import form_recovery

register = template.Library()


@register.simple_tag(takes_context=True)
def typed_here(context: dict[str, Any]) -> form_recovery.Typed | None:
    """Return what was typed into the form that led to the page of an error."""
    return form_recovery.typed_form(context["request"]) if "request" in context else None


@register.filter
def offer(kinds: Sequence[Kind], key: str) -> bool:
    return not key or any(option.key == key for kind in kinds for option in kind.options)


@register.filter
def unoffered(widget: dict[str, Any]) -> list[str]:
    """Return what is chosen from a list, and none of its options."""
    offered = {str(option["value"]) for _, options, _ in widget["optgroups"] for option in options}
    return [value for value in widget["value"] if value and value not in offered]
