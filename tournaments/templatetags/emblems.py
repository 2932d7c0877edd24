"""The emblems of bots beside their names, in the page itself: they cost no request and no query."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from bots.viewer.emblem import emblem_of, emblem_svg

register = template.Library()


@register.simple_tag
def emblem(name: str, colours: str = "") -> SafeString:
    """Return a picture that says nothing to who hears the page: the name stands beside it."""
    return mark_safe(emblem_svg(emblem_of(name, colours), 'class="emblem" aria-hidden="true"'))  # noqa: S308 - drawn by us
