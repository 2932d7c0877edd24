"""Repeats a block of a page: its title in the head, and again for link previews."""

from typing import Any

from django import template
from django.conf import settings
from django.template.base import Parser, Token
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def on_site(path: str) -> str:
    """The whole address, for who is elsewhere."""
    return f"{settings.SITE_URL}{path}"


class Again(template.Node):
    def __init__(self, name: str) -> None:
        self.name = name

    def render(self, context: Any) -> SafeString:
        block = context.render_context[BLOCK_CONTEXT_KEY].get_block(self.name)
        return SafeString(block.render(context).strip())


@register.tag
def again(_: Parser, token: Token) -> Again:
    """`{% again title %}`: the block of that name, as the page fills it."""
    return Again(token.split_contents()[1])
