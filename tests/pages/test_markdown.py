"""What organisers write of a ladder or an event is shown as Markdown, and can do nothing else."""

import pytest
from django.test import Client

from tests.factories import a_ladder
from tests.pages.html import Html
from tournaments.pages.markdown import render_text

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
