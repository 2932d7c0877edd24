"""Django's tag `url`, which looks up an address once where nothing in it varies: every page has a dozen of those."""

from typing import Any

from django import template
from django.template import defaulttags
from django.template.base import Node, Parser, Token
from django.urls import reverse

register = template.Library()


@register.tag
def url(parser: Parser, token: Token) -> Node:
    node: Any = defaulttags.url(parser, token)
    name = node.view_name
    is_fixed = isinstance(name.var, str) and not (name.filters or node.args or node.kwargs or node.asvar)
    return Fixed(str(name.var)) if is_fixed and ":" not in name.var else node


class Fixed(Node):
    """Of a route without a namespace, which could depend on the page."""

    child_nodelists = ()

    def __init__(self, name: str) -> None:
        self.name, self.address = name, ""

    def render(self, _: object) -> str:
        self.address = self.address or reverse(self.name)
        return self.address
