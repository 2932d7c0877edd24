"""What changed between two texts."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.web.pages.line_diff import LINE, MARKUP, bytes_on_page, changes, differing_lines

TEXTS = st.lists(st.sampled_from("abcdefgh{} "), max_size=30)


@given(TEXTS, TEXTS)
def test_a_difference_tells_both_texts(old: list[str], new: list[str]) -> None:
    rows = list(changes(old, new))
    assert [line for sign, line, _ in rows if sign != "+"] == old
    assert [line for sign, line, _ in rows if sign != "-"] == new
    assert all(new[number - 1] == line for sign, line, number in rows if sign != "-")


def test_what_changed_is_shown_with_a_little_around_it() -> None:
    lines = [f"line {number}" for number in range(1, 21)]
    changed = [*lines[:9], "line ten", *lines[10:]]
    assert differing_lines("\n".join(lines), "\n".join(changed)) == [
        ("soft", "@@ line 7 @@"),
        *(("", f" line {number}") for number in (7, 8, 9)),
        ("removed", "-line 10"),
        ("added", "+line ten"),
        *(("", f" line {number}") for number in (11, 12, 13)),
    ]
    assert differing_lines("same", "same") == []


def test_no_two_texts_hold_the_comparison() -> None:
    """The standard library's takes hours for these."""
    lines = [str(number % 1000) for number in range(60_000)]
    assert len(differing_lines("\n".join(lines), "\n".join(lines[1::2] + lines[::2]), 50 * MARKUP)) < 50


@given(st.lists(st.text(max_size=500), max_size=30), st.integers(0, 5000))
def test_a_difference_takes_no_more_of_a_page_than_there_is_room(new: list[str], room: int) -> None:
    shown = differing_lines("", "\n".join(new), room)
    assert sum(map(bytes_on_page, shown)) <= room + 4 * (LINE + 40) + MARKUP  # a character has up to 4 bytes


def test_a_long_line_is_cut_and_its_length_is_said() -> None:
    assert differing_lines("a = 1", "a = 2\n" + "b" * 100_000)[-1] == ("added", "+" + "b" * LINE + "… (100,000)")
