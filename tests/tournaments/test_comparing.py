"""What changed between two texts."""

from hypothesis import given, strategies

from tournaments.competitors.drafts.line_diff import changes, differing

LINES = strategies.lists(strategies.sampled_from("abcdefgh{} "), max_size=30)


@given(LINES, LINES)
def test_a_difference_tells_both_texts(old: list[str], new: list[str]) -> None:
    rows = list(changes(old, new))
    assert [line for sign, line, _ in rows if sign != "+"] == old
    assert [line for sign, line, _ in rows if sign != "-"] == new
    assert all(new[number - 1] == line for sign, line, number in rows if sign != "-")


def test_what_changed_is_shown_with_a_little_around_it() -> None:
    lines = [f"line {number}" for number in range(1, 21)]
    changed = [*lines[:9], "line ten", *lines[10:]]
    assert differing("\n".join(lines), "\n".join(changed), 100) == [
        ("soft", "@@ line 7 @@"),
        *(("", f" line {number}") for number in (7, 8, 9)),
        ("removed", "-line 10"),
        ("added", "+line ten"),
        *(("", f" line {number}") for number in (11, 12, 13)),
    ]
    assert differing("same", "same", 100) == []


def test_no_two_texts_hold_the_comparison() -> None:
    """The standard library's takes hours for these."""
    lines = [str(number % 1000) for number in range(60_000)]
    assert len(differing("\n".join(lines), "\n".join(lines[1::2] + lines[::2]), 50)) == 50
