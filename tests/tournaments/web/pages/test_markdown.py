"""What organisers write of a ladder or an event is shown as Markdown, and can do nothing else."""

import pytest
from django.test import Client
from hypothesis import given, settings, strategies

from tests.factories import a_ladder
from tests.tournaments.web.pages.html import Html
from tournaments.web.pages.markdown import RENDERED, render_text

HOSTILE = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    '[x](https://a" onmouseover="alert(1))',
    "![x](https://elsewhere.example/a.png)",
    "<img src=x onerror=alert(1)>",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "<https://a/<script>>",
    "# A heading\n\nAnother\n===",
    "| a |\n|---|\n| <b onclick=x> |",
    "```\n</code></pre><script>x</script>",
]


def test_links_lists_and_emphasis_are_shown(db: None, client: Client) -> None:
    a_ladder("arena", description="Read the **rules**:\n\n- one\n- [two](https://example.org/?a=1&b=2)")
    page = client.get("/ladders/arena/").content.decode()
    assert "<strong>rules</strong>" in page
    assert "<li>one</li>" in page
    assert '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow noopener">two</a>' in page


@pytest.mark.parametrize(("text", "title"), [("# Hi", "Hi"), ("## Hi *you*\nx", "Hi <em>you</em>"), ("Hi\n==", "Hi")])
def test_headings_are_bold_lines(text: str, title: str) -> None:
    assert render_text(text).startswith(f"<p><strong>{title}</strong></p>\n")


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_is_written_becomes_more_than_text(text: str) -> None:
    html = render_text(text)
    page = Html(html)
    assert {name for name, _ in page.elements} <= {
        "p",
        "a",
        "pre",
        "code",
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "br",
        "em",
        "hr",
        "strong",
    }
    for _, attributes in page.elements:
        assert attributes.keys() <= {"href", "rel", "class", "role", "aria-label", "tabindex", "scope"}
        assert attributes.get("href", "https://").startswith("http")


LINKS = "[a]: " + "u" * 5_000 + "\n\n" + "[a]" * 1_600
TABLES = {
    "a wide one": "|a" * 2_500 + "\n" + "|-" * 2_500,
    "one that fills itself up": "|a" * 60 + "\n" + "|-" * 60 + "\n" + "x\n" * 4_000,
    "many": "|a|a|a\n-|-|-\nx\nx\n\n" * 500,
    "in a quotation": "> " + "|a" * 60 + "\n> " + "|-" * 60 + "\n" + "> x\n" * 2_000,
    "in a list": "- " + "|a" * 60 + "\n  " + "|-" * 60 + "\n" + "  x\n" * 2_000,
}
SHORT = [
    *(
        "[a](b)",
        "<a:b>",
        "*\n-\n",
        "[a]: u\n[a]",
        "`a`",
        "&quot;",
        ">",
        "> > a\n",
        "- ",
        "***\n",
        "|",
        "|-",
        "[](",
        "*a_ ",
    ),
    *("*a_ ", "1. ", "\n", "    a\n\n", "<", "&", '"', "\\\n", "a  \n", "[a][", "![", "**a", "😀", "|a|\n|-|\n|b|\n\n"),
]


@pytest.mark.parametrize("text", [LINKS, *TABLES.values()], ids=["reference links", *TABLES])
def test_a_text_that_would_become_a_huge_page_is_shown_as_it_was_typed(text: str) -> None:
    html = render_text(text)
    assert len(html) < 3 * len(text)
    assert "<table" not in html


@given(strategies.lists(strategies.sampled_from(SHORT), min_size=1, max_size=4), strategies.integers(1, 400))
@settings(max_examples=25, deadline=None)
def test_whatever_is_typed_makes_a_page_of_bounded_size(parts: list[str], times: int) -> None:
    assert len(render_text("".join(parts) * times).encode()) <= RENDERED.most


def test_a_table_that_somebody_would_write_is_a_table() -> None:
    text = "| place | bot | points |\n|---|---|---|\n" + "| 1 | x | 3 |\n" * 60
    assert render_text(text).count("<td>") == 180


def test_a_page_shows_the_beginning_of_an_older_text_that_is_longer() -> None:
    assert render_text("x" * 20_000) == f"<p>{'x' * 10_000}</p>\n<p>…</p>\n"
