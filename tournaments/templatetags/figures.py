"""Numbers as pages write them."""

from django import template

from bots.viewer.language import decimal
from tournaments.web.pages.sentences import chance

register = template.Library()


@register.filter
def percent(share: float) -> int:
    """Return a share from 0 to 1 in percent."""
    return round(100 * share)


@register.filter
def milliseconds(ms: float) -> str:
    """`0.4 ms`, `250 ms`, `1.5 s`, `2 min`."""
    if ms >= 60_000:
        return decimal(f"{ms / 60_000:.3g} min")
    return decimal(f"{ms / 1000:.3g} s" if ms >= 1000 else f"{ms:.3g} ms" if ms >= 1 else f"{ms:.1g} ms")


register.filter(chance)
