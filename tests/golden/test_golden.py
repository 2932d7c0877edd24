"""What changes by itself is left out of the golden outputs."""

import pytest

from tests.golden.text import changes, page_lines, settled


def test_a_page_is_the_same_however_it_is_wrapped() -> None:
    pages = [
        '<main class="a b">\n\n <p> One   <b>word</b>\n more.</p> <ul><li>x</li>\n</ul></main>',
        '<main class="a  b"><p>One <b>word</b> more.</p><ul> <li> x </li></ul>\n\n</main>',
    ]
    assert len({*map(page_lines, pages)}) == 1
    assert page_lines(pages[0].replace("</b>\n more", "</b>more")) != page_lines(pages[0])
    assert "one\n  two" in page_lines("<pre>one\n  two</pre>")


@pytest.mark.parametrize(
    ("text", "settled_text"),
    [
        ("over 5\xa0minutes ago, 1\xa0hour, 3\xa0minutes", "over SOME TIME ago, SOME TIME"),
        ("5 minutes", "5 minutes"),
        ("2026-11-28T15:04:05.123456+00:00, 2026-11-28", "TIME, DATE"),
        (
            "28 November 2026, 15:04; 28. November 2026; 28 November, 15:04:05; 28 November",
            "DATE; DATE; DATE; 28 November",
        ),
        ('<time title="x">just now</time>', '<time title="x">SOME TIME</time>'),
        ("key0, keys", "KEY0, KEYs"),
    ],
)
def test_what_changes_by_itself_is_left_out(text: str, settled_text: str) -> None:
    assert settled(text, {"key": "KEY"}) == settled_text


def test_changes_say_what_is_different_and_not_where() -> None:
    assert changes("a\nb\nc\n", "a\nx\nc\n") == "  a\n- b\n+ x\n"
    assert changes("a\n", "a\n") == ""
