"""Parts of a page that differ from person to person: each is a separate template, named where it is used.

On a page that is made to be kept for all (`tournaments.web.pages.public_cache`) marks stand around what visitors
see there.
"""

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from tournaments.web.pages.page_parts import marks_of_request

register = template.Library()


@register.simple_tag(takes_context=True)
def part(context: Any, name: str) -> SafeString:
    """The template of that name, as it is for whoever asks."""
    with context.push():
        text = context.template.engine.get_template(name).render(context)
    marks = marks_of_request(context.get("request"))
    return mark_safe(marks.around(name, text) if marks else text)  # noqa: S308 - the template has escaped it
