"""Migrations go back as far as they say, with rows in the tables: to the first of them, and forward again."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.recorder import MigrationRecorder

from tests import database, thorough
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, an_upload
from tests.holding import ROBIN, a_running, play_out
from tests.migrating import back_to, forward, single_steps
from tests.practising import a_practice
from tournaments.competitors.teams import create_team
from tournaments.ladders.entries import enter
from tournaments.matchmaking.friendlies import ask
from tournaments.models import Ladder, Version

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def a_database_to_spoil() -> Iterator[None]:
    with database.a_copy(f"{database.own()}_spoilt"):
        yield


@pytest.fixture
def ladder() -> Ladder:
    """With sets of two bots, versions in all states, a team, a game that somebody plays."""
    ladder, mine, theirs = a_ladder(players=2), a_version(a_bot()), a_version()
    for version in (mine, theirs):
        enter(ladder=ladder, bot=version.bot, by=version.bot.owner)
    a_completed_set(ladder, [mine, theirs])
    an_upload(mine.bot)
    create_team(name="The crew", by=mine.bot.owner)
    a_practice(a_user(), ladder)
    return ladder


DEAR = thorough.only("tests/launcher/test_ready_cluster.py::test_a_copy_holds_what_all_migrations_make")


@DEAR
def test_migrations_go_back_to_the_first_with_rows_in_the_tables_and_no_further_than_they_can(ladder: Ladder) -> None:
    play_out(a_running(3, ROBIN))
    names = dict(Version.objects.values_list("pk", "filename"))
    mine, theirs = (entry.bot for entry in ladder.entries.order_by("pk"))
    friendly = ask(ladder=ladder, bot=mine, against=[theirs], by=mine.owner)
    with pytest.raises(IrreversibleError, match="Sets that somebody asked for"):
        back_to("0006")
    delete_sets("= %s", [friendly.pk])
    with pytest.raises(IrreversibleError, match="Sets of events"):
        back_to("0005")
    delete_sets("IN (SELECT id FROM tournaments_matchset WHERE event_id IS NOT NULL)", [])
    back_to("0001")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM tournaments_bundle WHERE filename = 'bot.py'")
        assert cursor.fetchone() == (len(names),)
    forward()
    assert dict(Version.objects.values_list("pk", "filename")) == names


def delete_sets(which: str, values: list[int]) -> None:
    of_it = f"IN (SELECT id FROM tournaments_match WHERE set_id {which})"  # noqa: S608 - of a test
    of_seats = f"IN (SELECT id FROM tournaments_seat WHERE match_id {of_it})"  # noqa: S608 - of a test
    rows = [f"faultevidence WHERE seat_id {of_seats}"]
    rows += [f"{table} WHERE match_id {of_it}" for table in ("seat", "result", "attempt")]
    for where in (*rows, f"match WHERE set_id {which}", f"matchset WHERE id {which}"):
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM tournaments_{where}", values)  # noqa: S608 - of a test


SQUASHED = "0001_squashed_0022_withdrawn_seats"
COLUMNS = """SELECT table_name, column_name, data_type, is_nullable, column_default, character_maximum_length,
    generation_expression FROM information_schema.columns WHERE table_name LIKE 'tournaments%' ORDER BY 1, 2"""
CONSTRAINTS = """SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid::regclass::text LIKE 'tournaments%' ORDER BY 1, 2"""
INDEXES = "SELECT indexname, indexdef FROM pg_indexes WHERE tablename LIKE 'tournaments%' ORDER BY 1"


def made_of() -> list[list[tuple[object, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        found = [cursor.fetchall()]
        for question in (COLUMNS, CONSTRAINTS, INDEXES):
            cursor.execute(question)
            found.append(cursor.fetchall())
    return found


@DEAR
def test_a_new_site_and_one_that_came_step_by_step_have_the_same_tables() -> None:
    at_once = made_of()
    with database.an_empty_one(f"{database.own()}_in_steps"):
        steps = single_steps()
        steps.migrate(steps.loader.graph.leaf_nodes("tournaments"))
        assert made_of() == at_once
        forward()
        assert ("tournaments", SQUASHED) in MigrationRecorder(connection).applied_migrations()
