"""Django's `i18n` tags, which do their work when a template is compiled instead of each time it is rendered.

A template is compiled once for each language (`config.template_languages`). A sentence then costs as little as plain
text, and what is filled in is written as `{{ }}` writes it. Tags that keep what they say in a variable, or say it of a
variable, are Django's own. Every template has these; `{% load i18n %}` would bring Django's slower ones in their place.
"""

import re
from collections.abc import Iterator
from typing import Any

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, TextNode, Token, VariableNode
from django.templatetags import i18n
from django.utils.translation import gettext, ngettext

PLACE = re.compile(r"%(?:\((\w+)\)s|(%))")

register = template.Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)


@register.tag
def translate(parser: Parser, token: Token) -> Node:
    node = i18n.do_translate(parser, token)
    said = node.filter_expression
    is_text = isinstance(said.var.literal, str) and not said.filters
    if not is_text or node.noop or node.asvar or node.message_context:
        return node
    return TextNode(node.render(template.Context()))


@register.tag
def blocktranslate(parser: Parser, token: Token) -> Node:
    node = i18n.do_block_translate(parser, token)
    if node.asvar or node.message_context:
        return node
    if node.plural:
        return Counted(node, parser)
    return Filled(NodeList(filled(gettext(message_of(node, node.singular)), node, parser)))


def message_of(node: Any, tokens: list[Token]) -> str:
    return str(node.render_token_list(tokens)[0])


def filled(sentence: str, node: Any, parser: Parser) -> Iterator[Node]:
    """Its text, and between it what is filled in."""
    at = 0
    for place in PLACE.finditer(sentence):
        yield TextNode(sentence[at : place.start()] + (place[2] or ""))
        if place[1]:
            yield VariableNode(meaning(place[1], node, parser))
        at = place.end()
    yield TextNode(sentence[at:])


def meaning(name: str, node: Any, parser: Parser) -> FilterExpression:
    given: FilterExpression | None = node.counter if name == node.countervar else node.extra_context.get(name)
    return given or FilterExpression(name, parser)


class Filled(Node):
    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Any) -> str:
        return self.nodelist.render(context)


class Counted(Node):
    """A sentence with a number: of its forms the language chooses one."""

    child_nodelists = ()

    def __init__(self, node: Any, parser: Parser) -> None:
        self.node, self.parser = node, parser
        self.messages = message_of(node, node.singular), message_of(node, node.plural)
        self.forms: dict[str, NodeList] = {}

    def render(self, context: Any) -> str:
        form = ngettext(*self.messages, self.node.counter.resolve(context))
        if form not in self.forms:
            self.forms[form] = NodeList(filled(form, self.node, self.parser))
        return self.forms[form].render(context)
