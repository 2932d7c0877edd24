"""A past season as one file: a stranger with Python and this repository makes its table again, and finds changes."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.test import Client

from engine.verify import main as verify
from tests.factories import a_bot, a_completed_set, a_user, a_version, play_set, rate
from tests.holding import KNOCKOUT, ROBIN, a_running, play_out, play_round
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.api.world import World
from tournaments.core.errors import Refused
from tournaments.features.events.registration import withdraw_from_event
from tournaments.features.seasons.season_file import event_season, ladder_season
from tournaments.ledger.acts.ladder_status import Close
from tournaments.ledger.acts.void_sets import VoidSet
from tournaments.ledger.dumps.streamed_zip import zipped
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Ladder, MatchSet
from tournaments.ratings.__main__ import main as ratings

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[4]
BARE = """
import runpy, sys
def alone(event, _):
    if event.startswith("socket."): raise RuntimeError("no network here")
sys.addaudithook(alone)
sys.path.insert(0, sys.argv.pop(1))
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""
Members = dict[str, bytes]


def bare(module: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a module with Python and this repository alone: no packages, no environment, no network."""
    command = [sys.executable, "-S", "-I", "-c", BARE, str(ROOT), module, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={})


@pytest.fixture
def closed(api_world: World) -> Ladder:
    """A season of five sets, one of which was voided; one bot has never played."""
    third = a_version(a_bot(a_user("eve"), "Ünïcode"))
    unused = a_version(a_bot(a_user("joe"), "Never played"))
    for version in (third, unused):
        enter_in_ladder(ladder=api_world.ladder, bot=version.bot, by=version.bot.owner)
    for pair in ([api_world.version, third], [third, api_world.rivals], [api_world.version, api_world.rivals]):
        a_completed_set(api_world.ladder, pair)
    rate()
    VoidSet(set=api_world.ladder.sets.get(number=2)).do(by=a_user(staff=True), reason="a test")
    play_set(MatchSet.objects.get(replaces__number=2))
    Close(ladder=api_world.ladder).do(by=a_user(staff=True), reason="the season is over")
    rate()
    return Ladder.objects.get(pk=api_world.ladder.pk)


@pytest.fixture
def season(closed: Ladder, tmp_path: Path) -> Path:
    path = tmp_path / "season.zip"
    path.write_bytes(sent(f"ladders/{closed.slug}/season?replays=1"))
    return path


def sent(address: str) -> bytes:
    """A season as the API gives it to everybody; its address is on the page."""
    page = "/" + address.partition("?")[0].removesuffix("season")
    assert f"/api/v1/{address}".encode() in Client().get(page).content
    return b"".join(cast("Iterator[bytes]", ask("GET", address).streaming_content))


def shown(slug: str) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = ask("GET", f"ladders/{slug}/standings").json()["standings"]
    return table


def test_a_stranger_makes_the_table_the_deals_and_the_matches_again(season: Path) -> None:
    made = bare("tournaments.ratings", season, "--json")
    assert (made.returncode, made.stderr) == (0, "")
    rows, table = json.loads(made.stdout)["rows"], shown("main")
    assert [row["bot"] for row in rows] == [line["bot"] for line in table]
    assert len(rows) == 4
    for row, line in zip(rows, table, strict=True):
        shared = row.keys() & line.keys() - {"version", "win_pct", "place_mean", "crash_pct"}
        assert {name: row[name] for name in shared} == {name: line[name] for name in shared}
        assert row["win_pct"] == round(line["win_pct"], 1)
    printed = bare("tournaments.ratings", season)
    checked = bare("engine.verify", season)
    assert (printed.returncode, checked.returncode, checked.stderr) == (0, 0, "")
    assert "to the last digit" in printed.stdout
    assert "5 commitments are" in checked.stdout
    assert "10 replays play again" in checked.stdout
    assert printed.stdout.split()[-1].rstrip(".") == checked.stdout.split()[-1]


def test_it_is_the_same_file_twice_and_smaller_without_replays(closed: Ladder, season: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    again.write_bytes(b"".join(zipped(ladder_season(closed, replays=True))))
    assert read(again) == read(season)
    small = dict(ladder_season(closed))
    assert small.keys() < read(season).keys()
    put(again, small)
    assert ratings([str(again)]) == verify([str(again)]) == 0


def read(path: Path) -> Members:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put(path: Path, members: Members) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def resealed(members: Members) -> Members:
    """The season as a careful forger leaves it: season.json names what is there now."""
    head = json.loads(members["season.json"])
    head["members"] = {
        name: {"bytes": len(content), "sha256": sha256(content).hexdigest()}
        for name, content in members.items()
        if name != "season.json"
    }
    return {**members, "season.json": json.dumps(head).encode()}


def lines(content: bytes, change: Callable[[list[Any]], object]) -> bytes:
    rows = [json.loads(line) for line in content.splitlines()]
    change(rows)
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def rated(rows: list[Any]) -> Any:
    return next(row for row in rows if row["rated"])


def swapped(rows: list[Any]) -> None:
    seats = rated(rows)["matches"][0]["seats"]
    seats[0]["score"], seats[1]["score"] = seats[1]["score"] + 1, seats[0]["score"]


def another_game(rows: list[Any]) -> None:
    game = next(row for row in rows if "set" in row)["games"][0]
    game["places"] = game["places"][::-1]


def flipped(text: str) -> str:
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def another(name: str) -> Callable[[list[Any]], None]:
    def change(rows: list[Any]) -> None:
        rated(rows)[name] = flipped(rated(rows)[name])

    return change


def another_beacon(rows: list[Any]) -> None:
    rated(rows)["proof"]["beacon"] = flipped(rated(rows)["proof"]["beacon"])


def better(content: bytes) -> bytes:
    table = json.loads(content)
    table[0]["elo"] = round(table[0]["elo"] + 0.1, 1)
    return json.dumps(table).encode()


DEALS = "sets/000000.jsonl"
CHANGES: list[tuple[str, str, Callable[[list[Any]], object], str]] = [
    ("one result", DEALS, swapped, "other_result"),
    ("one result of the ledger", "ledger.jsonl", another_game, "other_result"),
    ("one deal's commitment", DEALS, another("commitment"), "other_commitment"),
    ("one seed", DEALS, another("seed"), "other_commitment"),
    ("one beacon", DEALS, another_beacon, "other_seed"),
    ("a deal left out", DEALS, lambda rows: rows.remove(rated(rows)), "missing_deal"),
    ("a set of the ledger left out", "ledger.jsonl", lambda rows: rows.pop(), "missing_set"),
    ("no announcement", "log.jsonl", lambda rows: rows.clear(), "not_announced"),
    ("an option", DEALS, lambda rows: rated(rows)["options"].update(players=3), "other_replay"),
    ("no set at all", DEALS, lambda rows: rows.insert(0, [1]), "bad_line"),
]


def found_in(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Faults that the two commands print; both say so by their exit status too."""
    statuses = ratings([str(path)]), verify([str(path)])
    assert 1 in statuses
    assert 2 not in statuses
    return capsys.readouterr().err


def test_every_change_is_found_whether_it_was_sealed_again_or_not(
    season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members, path = read(season), tmp_path / "changed.zip"
    for what, name, change, code in CHANGES:
        changed = {**members, name: lines(members[name], change)}
        put(path, changed)
        assert f"{name} was changed" in found_in(path, capsys), what
        put(path, resealed(changed))
        printed = found_in(path, capsys)
        words = {"other_result": "match", "missing_set": "has no set", "missing_deal": "of no deal"}.get(code, code)
        assert words in printed, (what, printed)
    put(path, resealed({**members, "table.json": better(members["table.json"])}))
    assert "table.json, line 1" in found_in(path, capsys)


def test_what_is_missing_odd_or_a_bomb_is_refused(
    season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members, path = read(season), tmp_path / "odd.zip"
    replay = next(name for name in members if name.startswith("replays/"))
    for name in ("ledger.jsonl", "log.jsonl", DEALS, "table.json", replay):
        put(path, {other: content for other, content in members.items() if other != name})
        assert f"{name} is missing" in found_in(path, capsys)
    odd = {"../outside": "no season has", "/etc/passwd": "no season has", "sets/000009.jsonl": "does not name it"}
    for name, words in odd.items():
        put(path, {**members, name: b"x"})
        assert words in found_in(path, capsys)
    put(path, {**members, "ledger.jsonl": b"\n" * (64 << 20)})
    assert "bomb" in found_in(path, capsys)
    path.write_bytes(season.read_bytes()[:-100])
    assert "no whole zip" in found_in(path, capsys)
    put(path, {name: content for name, content in members.items() if name != "season.json"})
    assert "has no season.json" in found_in(path, capsys)
    put(path, {**members, "season.json": b'{"boardroom_season": 1, "kind": "ladder", "members": []}'})
    assert "season.json" in found_in(path, capsys)
    other = replay_of_another(members)
    put(path, resealed(other))
    assert "its digest is" in found_in(path, capsys)


def replay_of_another(members: Members) -> Members:
    first, second = [name for name in members if name.startswith("replays/")][:2]
    return {**members, first: members[second], second: members[first]}


def test_so_does_an_event_in_which_a_level_table_played_no_extra_set_for_one_had_left(tmp_path: Path) -> None:
    event = a_running(4, KNOCKOUT)
    leaver = event.entrants.earliest("pk")
    withdraw_from_event(entrant=leaver, by=leaver.bot.owner)
    play_round(event, *event.entrants.all())
    path = tmp_path / "event.zip"
    path.write_bytes(b"".join(zipped(event_season(play_out(event)))))
    assert ratings([str(path)]) == 0


@pytest.mark.parametrize("spec", [ROBIN, KNOCKOUT], ids=["round robin", "knockout"])
def test_an_event_leads_to_its_places_again(
    spec: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = play_out(a_running(4, spec))
    path = tmp_path / "event.zip"
    path.write_bytes(sent(f"events/{event.slug}/season?replays=1"))
    made = bare("tournaments.ratings", path, "--json")
    assert (made.returncode, made.stderr) == (0, "")
    places = {row["bot"]: row["place"] for row in json.loads(made.stdout)["places"]}
    assert places == dict(event.entrants.values_list("bot", "place"))
    assert verify([str(path)]) == ratings([str(path)]) == 0
    capsys.readouterr()

    members = read(path)

    def upset(rows: list[Any]) -> None:
        for match in rows[0]["matches"]:
            places = [seat["place"] for seat in match["seats"]]
            for seat, place in zip(match["seats"], reversed(places), strict=True):
                seat["place"], seat["forfeited"] = place, not seat["forfeited"]

    put(path, resealed({**members, DEALS: lines(members[DEALS], upset)}))
    assert ratings([str(path)]) == 1
    put(path, resealed({**members, DEALS: lines(members[DEALS], lambda rows: rows.pop())}))
    assert ratings([str(path)]) == 1
    assert "has not ended" in capsys.readouterr().err


def test_what_is_not_over_is_no_file_yet(api_world: World) -> None:
    with pytest.raises(Refused, match="once its ladder is closed"):
        ladder_season(api_world.ladder)
    with pytest.raises(Refused, match="once it has ended"):
        event_season(a_running(4))


def test_the_names_in_a_zip_do_not_lie_twice(season: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twice = BytesIO(season.read_bytes())
    with pytest.warns(UserWarning, match="Duplicate"), ZipFile(twice, "a") as archive:
        archive.writestr("ledger.jsonl", b"{}")
    path = tmp_path / "twice.zip"
    path.write_bytes(twice.getvalue())
    assert "twice" in found_in(path, capsys)
