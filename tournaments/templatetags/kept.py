"""`{% kept above parts %} ... {% endkept %}`: what is between them is a part of `parts`, a `KeptParts`.

On a page without parts it is nothing special.
"""

from typing import Any

from django import template
from django.template.base import Node, NodeList, Parser, Token
from django.utils.safestring import SafeString

from tournaments.web.pages.kept_parts import Context

register = template.Library()


class KeptNode(Node):
    def __init__(self, name: str, parts: str, nodelist: NodeList) -> None:
        self.name, self.parts, self.nodelist = name, parts, nodelist

    def render(self, context: Any) -> SafeString:
        """Nothing that the page has for one person, such as the user and the token of forms, is there in a part."""
        request, parts = context["request"], context.get(self.parts)
        if parts is None:
            return self.nodelist.render(context)

        def render(made: Context) -> str:
            of_the_part = context.new({"block": context.get("block"), **made, "request": request})
            of_the_part.template = context.template
            return self.nodelist.render(of_the_part)

        return SafeString(parts.text_of(self.name, request, render))


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    _, name, parts = token.split_contents()
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(name, parts, nodelist)
