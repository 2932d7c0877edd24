"""Dumps: every table in both formats, what is public and nothing else, made again only where something changed."""

import gzip
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.replay import read_replay, verify
from tests.factories import a_completed_set
from tests.holding import ROBIN, an_event, fresh, play_round
from tests.tournaments.ledger.dumps.parquet_reader import read_parquet
from tests.tournaments.ledger.dumps.reading import lines, stored
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.api.world import World
from tournaments.features.events.lifecycle import start_event
from tournaments.ledger.dumps import chunks
from tournaments.ledger.dumps.columns import TABLES
from tournaments.ledger.dumps.dump import Made, dump
from tournaments.ledger.dumps.json_lines import iso
from tournaments.ledger.dumps.licences import LICENCES
from tournaments.ledger.dumps.public_rows import micros
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Event, Ladder, Match, MatchSet, User
from tournaments.ratings.export import read as read_ledger
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db


def test_every_table_says_the_same_in_both_formats(api_world: World, tmp_path: Path) -> None:
    made = dump(api_world.ladder, tmp_path)
    for table in TABLES.values():
        rows = lines(made, tmp_path, table.name)
        columns = read_parquet(stored(made, tmp_path, f"{table.name}.parquet"))
        assert [*columns] == [column.name for column in table.columns]
        described = next(description for description in made.manifest["tables"] if description["name"] == table.name)
        assert all(len(values) == len(rows) == described["rows"] for values in columns.values())
        for column in table.columns:
            cells = [row[column.name] for row in rows]
            assert [_as_json(column.kind, value) for value in columns[column.name]] == cells, column


def _as_json(kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "time":
        return iso(value)
    if kind == "bytes":
        return json.loads(gzip.decompress(value))
    return json.loads(value) if kind == "json" else value


def test_the_tables_hold_what_was_played(api_world: World, tmp_path: Path) -> None:
    made = dump(api_world.ladder, tmp_path)
    [dealt], seats = lines(made, tmp_path, "sets"), lines(made, tmp_path, "seats")
    assert (dealt["set"], dealt["kind"], dealt["seed"]) == (api_world.set.pk, "ladder", api_world.set.seed)
    assert {row["match"] for row in lines(made, tmp_path, "matches")} == {row["match"] for row in seats}
    failed = next(row for row in seats if row["version"] == api_world.rivals.pk)
    assert failed["verdict"] == "timed out"
    assert [row["name"] for row in lines(made, tmp_path, "versions")] == ["Analytical", "Difference"]
    table = ask("GET", "ladders/main/standings").json()["standings"]
    assert [row["elo"] for row in lines(made, tmp_path, "ratings")] == [row["elo"] for row in table]


def test_replays_verify_and_the_ledger_makes_the_same_table(api_world: World, tmp_path: Path) -> None:
    made = dump(api_world.ladder, tmp_path)
    for row in lines(made, tmp_path, "replays"):
        verify(read_replay(json.dumps(row["replay"]).encode()))
    ledger = gzip.decompress(stored(made, tmp_path, "ledger.jsonl.gz"))
    assert made.manifest["ledger_sha256"] == sha256(ledger).hexdigest()
    rows = table_of(read_ledger(ledger.decode().splitlines())).rows
    assert [row.bot for row in rows] == [row["bot"] for row in lines(made, tmp_path, "ratings")]


def test_a_dump_of_nothing_new_makes_nothing_and_names_the_same_files(api_world: World, tmp_path: Path) -> None:
    first, second = dump(api_world.ladder, tmp_path), dump(api_world.ladder, tmp_path)
    assert (first.fresh, second.fresh) == (1, 0)
    assert [file["sha256"] for file in first.manifest["files"]] == [file["sha256"] for file in second.manifest["files"]]


def test_new_sets_touch_the_last_part_alone(api_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "SETS_A_CHUNK", 1)
    assert dump(api_world.ladder, tmp_path).fresh == 1
    a_completed_set(api_world.ladder, [api_world.version, api_world.rivals])
    made = dump(api_world.ladder, tmp_path)
    assert (made.chunks, made.fresh) == (2, 1)
    assert len(read_parquet(stored(made, tmp_path, "matches.parquet"))["match"]) == 4
    assert len(lines(made, tmp_path, "replays")) == 4


def test_a_set_that_is_voided_is_said_to_be_in_the_next_dump(api_world: World, tmp_path: Path) -> None:
    dump(api_world.ladder, tmp_path)
    MatchSet.objects.filter(pk=api_world.set.pk).update(status=MatchSet.Status.VOID, rated=False)
    made = dump(api_world.ladder, tmp_path)
    assert made.fresh == 1
    assert [row["status"] for row in lines(made, tmp_path, "sets")] == ["void"]


def test_sets_that_were_never_played_have_no_replays_and_still_make_whole_files(
    api_world: World, tmp_path: Path
) -> None:
    Match.objects.filter(set=api_world.set).update(status=Match.Status.CANCELLED)
    MatchSet.objects.filter(pk=api_world.set.pk).update(status=MatchSet.Status.CANCELLED, rated=False)
    made = dump(api_world.ladder, tmp_path)
    assert lines(made, tmp_path, "replays") == []
    assert read_parquet(stored(made, tmp_path, "replays.parquet")) == {"match": [], "replay": []}
    assert gzip.decompress(stored(made, tmp_path, "replays.jsonl.gz")) == b""
    assert len(lines(made, tmp_path, "matches")) == 2


def test_what_is_still_played_keeps_its_seed(api_world: World, tmp_path: Path) -> None:
    open_set = create_set(ladder=api_world.ladder, versions=[api_world.version.pk, api_world.rivals.pk])
    made = dump(api_world.ladder, tmp_path)
    assert open_set.seed not in everything(made, tmp_path)
    assert api_world.set.seed in everything(made, tmp_path)


def everything(made: Made, root: Path) -> str:
    return "".join(json.dumps(lines(made, root, table)) for table in TABLES)


def test_rounds_that_are_held_back_and_drafts_are_in_no_dump_until_they_are_released(
    api_world: World, tmp_path: Path
) -> None:
    event = an_event([api_world.bot, api_world.rival], ROBIN, ladder=api_world.ladder, released=0)
    start_event(event=event, by=User.objects.get(is_staff=True))
    play_round(event)
    held = fresh(event).sets.get()
    before = dump(api_world.ladder, tmp_path)
    assert held.seed not in everything(before, tmp_path)
    assert held.pk not in [row["set"] for row in lines(before, tmp_path, "sets")]
    assert [row["place"] for row in lines(before, tmp_path, "events")] == [None, None]
    Event.objects.filter(pk=event.pk).update(released=None)
    after = dump(api_world.ladder, tmp_path)
    assert held.pk in [row["set"] for row in lines(after, tmp_path, "sets")]


def test_a_check_of_an_upload_is_in_no_dump(api_world: World, tmp_path: Path) -> None:
    check = api_world.version.check_set
    MatchSet.objects.filter(pk=check.pk).update(ended_at=timezone.now())
    assert check.pk not in [row["set"] for row in lines(dump(api_world.ladder, tmp_path), tmp_path, "sets")]


@pytest.mark.parametrize("licence", Ladder.DataLicence)
def test_a_dump_is_under_the_licence_that_its_ladder_says(
    licence: Ladder.DataLicence, api_world: World, tmp_path: Path
) -> None:
    assert api_world.ladder.data_licence == Ladder.DataLicence.CC0
    api_world.ladder.data_licence = licence
    made = dump(api_world.ladder, tmp_path)
    document = json.loads(stored(made, tmp_path, "croissant.json"))
    assert document["license"] == made.manifest["licence"] == LICENCES[licence]


def test_who_shut_their_account_is_not_named(api_world: World, tmp_path: Path) -> None:
    User.objects.filter(pk=api_world.other.pk).update(is_active=False)
    made = dump(api_world.ladder, tmp_path)
    assert [row["owner"] for row in lines(made, tmp_path, "versions")] == ["ada", None]
    assert '"bob"' not in everything(made, tmp_path)


def test_a_time_is_told_to_the_microsecond() -> None:
    now = timezone.now()
    assert iso(micros(now) or 0) == now.isoformat().replace("+00:00", "Z")


def test_the_command_dumps_all_ladders_or_those_it_is_given(api_world: World, tmp_path: Path) -> None:
    call_command("dump", to=tmp_path)
    assert json.loads((tmp_path / "main" / "manifest.json").read_text())["ladder"] == "main"
    with pytest.raises(CommandError, match="There is no ladder summer"):
        call_command("dump", "summer", to=tmp_path)


@pytest.mark.django_db
def test_a_dump_with_nothing_in_it_is_no_success(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no public ladder in this database"):
        call_command("dump", to=tmp_path)
    Ladder.objects.create(slug="new", title="New", game="zaibatsu", rules=1, options={})
    with pytest.raises(CommandError, match="there is no match of new in this database"):
        call_command("dump", to=tmp_path)
