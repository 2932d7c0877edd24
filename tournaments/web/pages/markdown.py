"""Markdown of the docs as HTML that fits the site's content policy and style. Raw HTML in it is escaped."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from tournaments.core.config.budgets import Budget, declare

MARKDOWN = declare(
    Budget(
        "shown part of a text in Markdown",
        resource="Texts",
        most=10_000,
        unit="characters",
        holder="text",
        where="tournaments.web.pages.markdown.render_text",
        sentence="a text is shown up to %(most)s characters; of a longer one there is the beginning",
    )
)
CELLS = declare(
    Budget(
        "cells of the tables of a text in Markdown",
        resource="Texts",
        most=2000,
        unit="cells",
        holder="text",
        where="tournaments.web.pages.markdown.render_text",
        sentence="tables of a text have at most %(most)s cells; one with more is shown as it was typed",
    )
)
RENDERED = declare(
    Budget(
        "HTML that a text in Markdown makes",
        resource="Texts",
        most=100_000,
        unit="bytes",
        holder="text",
        where="tournaments.web.pages.markdown.render_text",
        sentence="a text makes at most %(most)s bytes of HTML; one that makes more is shown as it was typed",
    )
)
Address = Callable[[str], str]  # of a link's target; empty where it leads nowhere on the site


class Renderer(RendererHTML):
    """Code and tables may be wider than the page: they scroll in their own boxes, by keyboard too."""

    def fence(self, tokens: Sequence[Token], idx: int, _options: Any, _env: Any) -> str:
        return f'<pre tabindex="0"><code>{escapeHtml(tokens[idx].content)}</code></pre>\n'

    def code_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return self.fence(tokens, idx, options, env)

    def table_open(self, _tokens: Sequence[Token], _idx: int, _options: Any, env: Any) -> str:
        label = f"Table {next(env['tables'])}"
        return f'<div class="table" role="region" aria-label="{label}" tabindex="0"><table>\n'

    def table_close(self, *_: Any) -> str:
        return "</table></div>\n"


class TextRenderer(Renderer):
    """Of what people write."""

    def heading_open(self, *_: Any) -> str:
        return "<p><strong>"

    def heading_close(self, *_: Any) -> str:
        return "</strong></p>\n"


READER = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")

# What people write stands in a page that has its headings, so theirs are bold lines; pictures would be of other sites,
# which pages of ours show none of. A few definitions of links could make many megabytes of HTML, so there are none;
# deep nesting costs time at each of its lines.
TEXTS = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 8}, renderer_cls=TextRenderer)
TEXTS = TEXTS.enable("table").disable(["image", "reference"])


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Written:
    """A page: its title, all of it as HTML, and its headings below the title."""

    title: str
    html: str
    headings: list[Heading]


def render(source: str, address: Address) -> Written:
    """Headings get the anchors that code hosts give them, so that links work there and here."""
    tokens = READER.parse(source)
    headings = list(_headings(tokens))
    _head_columns(tokens)
    for token in tokens:
        for child in token.children or ():
            _lead(child, address)
        token.children = _without_dead_links(token.children)
    html = READER.renderer.render(tokens, READER.options, {"tables": count(1)})
    title = next((heading.text for heading in headings if heading.level == 1), "")
    return Written(title, html, [heading for heading in headings if heading.level > 1])


def render_text(source: str) -> str:
    """Return what a person wrote as HTML, and as plain text from where it is too much for a page.

    Links lead out of the site without its word for them.
    """
    source, rest = source[: MARKDOWN.most], source[MARKDOWN.most :]
    html = _rendered(source) if table_cells(source) <= CELLS.most else ""
    if not html or len(html.encode()) > RENDERED.most:
        html = as_plain_text(source)
    return html + ("<p>…</p>\n" if rest else "")


def table_cells(source: str) -> int:
    """Return how many cells the text could have, as tables fill rows up to the width of their widest line."""
    blocks = (block.split("\n") for block in re.split(r"\n[>\s]*\n", source))
    return sum(max(line.count("|") + 1 for line in lines) * len(lines) for lines in blocks if "|" in "".join(lines))


def as_plain_text(source: str) -> str:
    lines = escapeHtml(source).replace("\n", "<br>\n")
    return f"<p>{lines}</p>\n"


def _rendered(source: str) -> str:
    tokens = TEXTS.parse(source)
    _head_columns(tokens)
    for child in (child for token in tokens for child in token.children or ()):
        if child.type == "link_open":
            child.attrSet("rel", "nofollow noopener")
    return str(TEXTS.renderer.render(tokens, TEXTS.options, {"tables": count(1)}))


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    seen: Counter[str] = Counter()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        text = "".join(child.content for child in inline.children or ())
        anchor = anchor_of(text)
        seen[anchor] += 1
        anchor += f"-{seen[anchor] - 1}" if seen[anchor] > 1 else ""
        opening.attrSet("id", anchor)
        yield Heading(int(opening.tag[1:]), anchor, text)


def anchor_of(text: str) -> str:
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _head_columns(tokens: Sequence[Token]) -> None:
    """An empty header cell becomes a plain cell, so that screen readers skip it."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type != "th_open":
            continue
        if inline.content:
            opening.attrSet("scope", "col")
        else:
            opening.tag = closing.tag = "td"


def _lead(token: Token, address: Address) -> None:
    for name in ("href", "src"):
        if target := token.attrGet(name):
            token.attrSet(name, address(str(target)))


def _without_dead_links(children: Sequence[Token] | None) -> list[Token] | None:
    """A link to a file that the site does not show becomes plain text."""
    if children is None:
        return None
    kept, dead = [], False
    for child in children:
        if child.type == "link_open" and not child.attrGet("href"):
            dead = True
        elif child.type == "link_close" and dead:
            dead = False
        else:
            kept.append(child)
    return kept
