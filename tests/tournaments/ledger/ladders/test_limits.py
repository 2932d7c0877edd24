"""Limits are a ladder's setting: in range wherever they are made, and what its bots are held to in the sandbox."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from engine.records import RecordError, to_plain
from tests.factories import a_ladder, a_version
from tests.spaces import a_space
from tests.workers.hall import HONEST, TOKEN, Site, a_site
from tournaments.core.config.space_budgets import BANK_MS, MATCH_MS, MEMORY_MB, START_MS
from tournaments.core.config.space_limits import ANSWERS, within_maxima
from tournaments.ledger.acts.ladder_settings import BadSetting, with_settings
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.ladders.table_options import check_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Ladder, Seat
from tournaments.models.ladders import RANGES
from workers.bundles import Shelf, own_folder
from workers.match import Kit, report_match
from workers.orders import Order, read_order
from workers.sandbox.arena import Arena

pytestmark = pytest.mark.django_db


# --- in range ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RANGES)
def test_a_limit_out_of_range_is_refused_with_its_name_its_value_and_the_range(name: str) -> None:
    low, high = RANGES[name]
    ladder = a_ladder()
    for value in (low, high):
        setattr(ladder, name, value)
        check_ladder(ladder)
    for value in (low - 1, high + 1):
        setattr(ladder, name, value)
        with pytest.raises(ValidationError) as refused:
            check_ladder(ladder)
        sentence = f"{name} is {value}; it must be a whole number from {low} to {high}."
        assert sentence in refused.value.message_dict[name]


@pytest.mark.parametrize("name", RANGES)
def test_the_database_refuses_what_no_form_has_seen(name: str) -> None:
    ladder = Ladder.objects.filter(pk=a_ladder().pk)
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        ladder.update(**{name: RANGES[name][1] + 1})


@pytest.mark.parametrize("name", RANGES)
def test_a_worker_takes_what_a_ladder_may_set_and_refuses_the_rest(name: str) -> None:
    low, high = RANGES[name]
    order = an_order(a_ladder(players=2))
    for value in (low, high):
        read_order(changed(order, name, value))
    for value in (low - 1, high + 1):
        with pytest.raises(RecordError, match=f"{name} is {value}; it must be a whole number from {low} to {high}"):
            read_order(changed(order, name, value))


def test_the_page_for_operators_has_every_setting_its_default_and_its_range() -> None:
    page, ladder = Path("docs/reference.md").read_text(), Ladder()
    for name, (low, high) in RANGES.items():
        assert f"| `{name}` | {getattr(ladder, name):,} | {low:,} to {high:,} |" in page


def an_order(ladder: Ladder, *sources: str) -> Order:
    """An order of a set of these bots, or of any two."""
    versions = [a_version(data=source.encode()).pk for source in sources] or [a_version().pk, a_version().pk]
    played = create_set(ladder=ladder, versions=versions)
    return order_of_set(played, claim(match_set=played))


def changed(order: Order, name: str, value: int) -> Any:
    plain = to_plain(order)
    (part,) = (part for part in ("clock", "limits", "output") if name in plain[part])
    return plain | {part: plain[part] | {name: value}}


def test_an_order_from_before_there_were_limits_of_output_is_played_with_the_usual_ones() -> None:
    plain = to_plain(an_order(a_ladder(players=2)))
    del plain["output"]
    assert read_order(plain).output == Ladder().output


# --- in the sandbox ------------------------------------------------------------------------------------------------


@pytest.fixture
def site() -> Iterator[Site]:
    with a_site() as site:
        yield site


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    with tempfile.TemporaryDirectory(prefix="boardroom-store-") as folder:
        Path(folder).chmod(0o755)
        store = own_folder(f"{folder}/cache") / "unpacked"
        store.mkdir()
        with Arena.start(store) as arena:
            yield arena


@pytest.fixture
def kit(arena: Arena, site: Site) -> Kit:
    return Kit("tester/1", Shelf(arena.store.parent, site.url, TOKEN), arena)


def late(line: str) -> str:
    """A bot that plays by the book, until its third answer."""
    return (
        "import os, threading, time\nfrom bots.sdk import play\nout, asked = os.dup(1), 0\n"
        "def choose(view, question):\n    global asked\n    asked += 1\n"
        f"    if asked == 3:\n        {line}\n    return question.default()\nplay(choose)\n"
    )


def seat_of(kit: Kit, site: Site, source: str, **settings: Any) -> Seat:
    """How a bot fares against an honest one on a ladder with these settings: all the way from ladder to record."""
    order = an_order(a_ladder(players=2, **settings), source, HONEST)
    bot = site.put(source)
    site.put(HONEST)
    report = report_match(read_order(to_plain(order)), order.matches[0], kit)
    assert (report.outcome, report.reason) == ("played", "")
    assert record_report(report) == "recorded"
    seats = Seat.objects.filter(match=report.match)
    honest = seats.exclude(version__bundle=bot.bundle).get()
    assert (honest.verdict, honest.forfeited) == ("ok", False)
    return seats.get(version__bundle=bot.bundle)


WAIT = "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()"
WRITE = "open(os.environ.get('TMPDIR', '.') + '/{}', 'wb').write(bytes(1_500_000))"
# A limit; one that this bot exceeds, and one that it keeps; what it does; the verdict, and what its owner is told.
EXCEEDED = {
    "memory": ("memory_mb", 128, 512, "bytearray(200 << 20)", "out of memory", "MemoryError"),
    "threads": ("threads", 3, 8, f"[{WAIT} for _ in range(4)]", "crashed", "can't start new thread"),
    "open files": ("open_files", 16, 64, "files = [os.dup(0) for _ in range(20)]", "crashed", "Too many open files"),
    "the size of a file": ("files_mb", 1, 8, WRITE.format("a"), "crashed", "File too large"),
    "temporary space": ("temp_mb", 2, 8, f"{WRITE.format('a')}; {WRITE.format('b')}", "crashed", "No space left"),
    "the length of a line": ("line_kb", 1, 8, "os.write(out, b' ' * 1100)", "output limit", "1,024 bytes"),
    "output": ("output_kb", 16, 64, "os.write(2, b'x' * 20_000)", "output limit", "16,384 bytes in one match"),
}
WRITES = ("files_mb", "temp_mb")  # only where the sandbox has room for files


@pytest.mark.parametrize("what", EXCEEDED)
def test_a_bot_is_held_to_its_ladders_limit_of(kit: Kit, site: Site, what: str) -> None:
    name, small, large, line, verdict, reason = EXCEEDED[what]
    lost = seat_of(kit, site, late(line), **{name: small})
    assert (lost.verdict, lost.forfeited) == (verdict, True)
    possible = kit.arena.counts_threads if name == "threads" else kit.arena.tier == "namespaces" or name not in WRITES
    assert reason in lost.faults.get().detail or not possible
    kept = seat_of(kit, site, late(line) + "# again", **{name: large})
    assert (kept.verdict == "ok") == possible


def test_stderr_is_cut_with_a_mark_at_what_the_ladder_has_kept(kit: Kit, site: Site) -> None:
    talker = late("os.write(2, b'first' + b'x' * 50_000 + b'last')")
    for kept_kb in (1, 48):
        seat = seat_of(kit, site, f"{talker}# {kept_kb}", stderr_kb=kept_kb)
        mark, text = seat.stderr.split("\n")
        assert (seat.verdict, mark) == ("ok", f"[{50_009 - kept_kb * 1024:,} bytes before this are cut]")
        assert (text[-5:], len(text)) == ("xlast", kept_kb * 1024)
    assert seat_of(kit, site, f"{talker}# whole", stderr_kb=64).stderr.startswith("first")


def test_a_bot_is_told_its_ladders_limits_as_they_hold_where_it_plays(kit: Kit, site: Site) -> None:
    curious = "import sys\nprint(line := sys.stdin.readline(), file=sys.stderr)\n"
    seat = seat_of(kit, site, curious, threads=3, open_files=20, files_mb=2, temp_mb=3, line_kb=4, output_kb=32)
    limits = json.loads(seat.stderr.splitlines()[0])["limits"]
    roomy, counted = kit.arena.tier == "namespaces", kit.arena.counts_threads
    assert limits == {
        "memory_mb": 512,
        "threads": 3 if counted else 1,
        "open_files": 20,
        "files_mb": 2 if roomy else 0,
        "temp_mb": 3 if roomy else 0,
        "line_kb": 4,
        "output_kb": 32,
    }


# --- of spaces -----------------------------------------------------------------------------------------------------

GREEDY: dict[str, Any] = {name: high for name, (_, high) in RANGES.items()}


@pytest.mark.parametrize(
    "name", ["memory_mb", "threads", "temp_mb", "bank_ms", "answer_ms", "start_ms", "increment_ms"]
)
def test_the_organiser_of_a_space_sets_no_limit_above_the_operators(name: str) -> None:
    ladder = a_ladder(space=a_space())
    with pytest.raises(BadSetting, match=f"{name}: In a space it is at most [0-9,]+;"):
        with_settings(ladder, {name: GREEDY[name]})
    assert getattr(with_settings(a_ladder(), {name: GREEDY[name]}), name) == GREEDY[name]  # the site's own


def test_clocks_of_all_seats_together_are_bounded() -> None:
    """Settings that are allowed alone are too much together."""
    wide = a_ladder(space=a_space(), players=4)
    assert with_settings(wide, {"bank_ms": BANK_MS.most}).bank_ms == BANK_MS.most
    for clocks in ({"bank_ms": BANK_MS.most, "start_ms": START_MS.most, "increment_ms": 100}, {"increment_ms": 400}):
        with pytest.raises(BadSetting, match="In a space"):
            with_settings(wide, clocks)
    assert with_settings(a_ladder(space=a_space(), players=2), {"increment_ms": 400}).increment_ms == 400


def test_another_setting_of_a_greedy_ladder_can_be_changed() -> None:
    assert with_settings(a_ladder(space=a_space(), **GREEDY), {"title": "New"}).title == "New"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_ladder_of_a_space_that_is_above_them_is_played_within_them(players: int) -> None:
    order = an_order(a_ladder(space=a_space(), players=players, **GREEDY))
    assert (order.limits.memory_mb, order.limits.threads) == (MEMORY_MB.most, 32)
    clock = order.clock
    assert players * (clock.start_ms + clock.bank_ms + ANSWERS * clock.increment_ms) <= MATCH_MS.most
    assert order.limits.cpu_s * players < 60 * players + MATCH_MS.most / 1000 + 1
    sites = an_order(a_ladder(players=players, **GREEDY))
    assert (sites.limits.memory_mb, sites.clock.bank_ms) == (GREEDY["memory_mb"], GREEDY["bank_ms"])


@given(st.fixed_dictionaries({name: st.integers(*bounds) for name, bounds in RANGES.items()}), st.integers(2, 8))
def test_what_is_lowered_stays_in_range_and_nothing_is_raised(asked: dict[str, int], seats: int) -> None:
    played = within_maxima(asked, seats)
    assert all(RANGES[name][0] <= played[name] <= asked[name] for name in RANGES)
    assert within_maxima(played, seats) == played
    assert seats * (played["start_ms"] + played["bank_ms"] + ANSWERS * played["increment_ms"]) <= MATCH_MS.most
