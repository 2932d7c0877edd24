"""Numbers as pages write them."""

from django import template
from django.utils.translation import gettext

from bots.viewer.language import decimal

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


@register.filter
def chance(share: float) -> str:
    """A probability as two digits of per cent; what is very unlikely is `under 0.01 %`."""
    return gettext("under 0.01 %") if share < 0.0001 else decimal(f"{100 * share:.2g} %") if share < 0.995 else "100 %"
