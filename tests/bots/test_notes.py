"""A bot's notes: cut at each question, bounded, safe to show, and nothing that is played depends on them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.bundle import read_bundle
from bots.contest import Contestant, play_noted, ready
from bots.notes import EACH, MOST, MOST_AT_ONCE, START, Line, Notebook, Noted, lines_of, plain_text
from engine.games.zaibatsu import ZAIBATSU, Options
from engine.replay import Player, record, write_replay

TALKS = """import sys
from bots.sdk import note, play

def choose(view, question):
    {does}
    return question.default()

print("ready", file=sys.stderr)
play(choose)
"""


def bot(does: str, store: Path) -> Contestant:
    return ready("talker", read_bundle(TALKS.format(does=does).encode(), "talker.py"), store)


def played(does: str, store: Path) -> tuple[bytes, list[Noted]]:
    """The replay without its milliseconds, and the notes of seat 0."""
    seated = [bot(does, store), bot("pass", store), bot("pass", store)]
    match, notes = play_noted(ZAIBATSU, Options(), "notes", seated)
    for answer in match.answers:
        answer.ms = 0.0
    players = [Player("one"), Player("two"), Player("three")]
    return write_replay(record(ZAIBATSU, Options(), "notes", players, match)), [
        note for note in notes if note.seat == 0
    ]


def book(*heard: bytes) -> list[tuple[int, str]]:
    """Return the notes of a bot that wrote the first before its first question, and each of the others at one."""
    notebook = Notebook()
    notebook.hear(heard[0])
    for data in heard[1:]:
        notebook.turn()
        notebook.hear(data)
    assert notebook.pages() == notebook.pages()
    return notebook.pages()


def test_what_is_written_belongs_to_the_question_before_it() -> None:
    assert book(b"start\n", b"", b"one\ntwo\n", b" \n\n", b"no end") == [
        (START, "start"),
        (1, "one\ntwo"),
        (3, "no end"),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (b"\x1b[31;1mred\x1b[0m", "red"),
        (b"\x00\x07\xff", "\ufffd" * 3),
        ("\u202eturned".encode(), "\ufffdturned"),
        (b"<script>", "<script>"),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree"),
        (b"\xe2\x82", "\ufffd"),
    ],
)
def test_what_a_page_or_a_terminal_would_obey_is_not_kept(written: bytes, shown: str) -> None:
    assert plain_text(written) == shown


def test_of_a_megabyte_at_one_question_the_beginning_is_kept_and_the_next_question_has_its_own() -> None:
    [(_, long), after] = book(b"", b"x" * 1_000_000, b"after")
    assert len(long) == MOST_AT_ONCE
    assert long.endswith("x\n[995,904 bytes more are cut]")
    assert after == (1, "after")


def test_of_ten_thousand_lines_the_first_are_kept() -> None:
    [(_, text)] = book(b"", b"".join(b"line %d\n" % number for number in range(10_000)))
    assert text.startswith("line 0\nline 1\n")
    assert text.splitlines()[-1].endswith("bytes more are cut]")


def test_when_a_match_has_its_fill_it_says_from_where_on_nothing_is_kept() -> None:
    pages = book(b"", *[b"y" * MOST_AT_ONCE] * 20)
    assert pages[-1] == (16, f"[{4 * MOST_AT_ONCE:,} bytes from here on are cut: 64 KB a match are kept]")


@given(st.lists(st.binary(max_size=6_000), min_size=1, max_size=60))
def test_whatever_is_written_takes_no_more_than_may_be_kept(heard: list[bytes]) -> None:
    pages = book(*heard)
    assert sum(len(text.encode()) + EACH for _, text in pages) <= MOST + 200
    assert [number for number, _ in pages] == sorted(number for number, _ in pages)
    assert all(text.isprintable() for _, page in pages for text in page.replace("\t", " ").split("\n"))


@pytest.mark.parametrize(
    ("line", "tag", "text", "mark"),
    [
        ('#plan go north {"place": "h3", "number": 14}', "plan", "go north", {"place": "h3", "number": 14}),
        ('{"place": "h3", "to": "h4"}', "", "", {"place": "h3", "to": "h4"}),
        ("#plan", "plan", "", {}),
        ("# no tag", "", "# no tag", {}),
        ("#4 no tag", "", "#4 no tag", {}),
        ('an object {"a": 1}', "", 'an object {"a": 1}', {}),
        ('{"place": 3}', "", '{"place": 3}', {}),
        ('{"number": true}', "", '{"number": true}', {}),
        ('{"number": NaN}', "", '{"number": NaN}', {}),
        ('{"number": 1e999}', "", '{"number": 1e999}', {}),
        ('{"number": ' + "9" * 5000 + "}", "", '{"number": ' + "9" * 5000 + "}", {}),
        ("{}", "", "{}", {}),
        ("a } b {", "", "a } b {", {}),
    ],
)
def test_a_line_may_have_a_tag_and_a_mark_and_is_text_otherwise(line: str, tag: str, text: str, mark: object) -> None:
    assert list(lines_of(line)) == [Line(tag, text, mark)]  # type: ignore[arg-type]


def test_lines_are_found_by_words_in_any_case_and_by_tag() -> None:
    line = Line("plan", "Go North", {"place": "h3"})
    assert line.has("")
    assert line.has("north GO", "PLAN")
    assert line.has("h3")
    assert not line.has("south")
    assert not line.has("", "bid")


def test_the_sdk_writes_notes_and_the_replay_does_not_know_of_them(tmp_path: Path) -> None:
    silent_replay, nothing = played("pass", tmp_path)
    replay, notes = played('note("worth\\n14", "bid", place="pile-2", number=14); print("by print")', tmp_path)
    assert silent_replay == replay
    assert nothing == [Noted(0, START, "ready")]
    assert notes[0] == nothing[0]
    assert [list(lines_of(note.text)) for note in notes[1:2]] == [
        [Line("bid", "worth", {"place": "pile-2", "number": 14}), Line("bid", "14", {}), Line("", "by print", {})]
    ]
    assert len({note.answer for note in notes}) == len(notes) > 5


def test_a_bot_that_writes_10_000_lines_at_each_question_plays_on(tmp_path: Path) -> None:
    silent_replay, _ = played("pass", tmp_path)
    replay, notes = played('print("y\\n" * 10_000)', tmp_path)
    assert replay == silent_replay
    assert sum(len(note.text) + EACH for note in notes) <= MOST + 200
    assert "from here on are cut" in notes[-1].text
