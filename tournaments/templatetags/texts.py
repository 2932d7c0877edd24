"""What people write, as pages show it."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from tournaments.web.pages.markdown import render_text

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    return mark_safe(render_text(text))  # noqa: S308 - the renderer escapes all HTML in it
