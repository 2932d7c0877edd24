"""Databases of other releases: the one before is continued, and every other is named in a sentence and left alone."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests import database
from tests.tournaments.ops.backups.databases import address, content
from tests.tournaments.ops.launcher.test_up import manage, up
from tournaments.core.schema_release import Migration, schema_tables
from tournaments.ops.launcher.data_dir import Data

FIRST, LAST_REPLACED = ("tournaments", "0001_initial"), ("tournaments", "0063_own_time_of_bots")
LATER = (
    *("0002_data_of_sentences", "0003_webhook_receivers", "0004_follows", "0005_faces", "0006_stories"),
    *("0007_guests", "0008_galleries", "0009_suggestions", "0010_worker_tokens", "0011_constants", "0012_fairness"),
    *("0013_twins", "0014_floors", "0015_final_tables"),
)
SINCE = {FIRST, *(("tournaments", name) for name in LATER)}  # v0.1.0
NEW = {
    *("tournaments_badge", "tournaments_badgereading", "tournaments_fairnessreport", "tournaments_follow"),
    *("tournaments_highlight", "tournaments_newsitem", "tournaments_suggestion", "tournaments_weeklyletter"),
    *("tournaments_twins", "tournaments_workertoken"),
}
V010 = f"""
    DELETE FROM django_migrations WHERE app = 'tournaments' AND name IN {("0001_initial", *LATER)};
    DROP TABLE {", ".join(sorted(NEW))};
    ALTER TABLE tournaments_bot DROP COLUMN motto, DROP COLUMN colours, DROP COLUMN house;
    ALTER TABLE tournaments_result DROP COLUMN story;
    ALTER TABLE tournaments_webhook DROP COLUMN receiver, DROP COLUMN space_id, DROP COLUMN event_id;
    ALTER TABLE tournaments_ladder DROP COLUMN fit_prior, DROP COLUMN scale, DROP COLUMN fitted_after;
    ALTER TABLE tournaments_ladder DROP COLUMN fit_rules;
    ALTER TABLE tournaments_fit DROP COLUMN repeats, DROP COLUMN final;
    ALTER TABLE tournaments_rating DROP COLUMN floor, DROP COLUMN fitted_games, DROP COLUMN fitted_wins;
    ALTER TABLE tournaments_ladder DROP COLUMN final_after;
    ALTER TABLE tournaments_faultevidence DROP COLUMN detail_data;
    ALTER TABLE tournaments_practice DROP COLUMN faults_data, DROP COLUMN minutes;
    ALTER TABLE tournaments_ladder DROP COLUMN outside_workers;
    ALTER TABLE tournaments_user DROP COLUMN guest_until;
    ALTER TABLE tournaments_version DROP COLUMN report_data;
"""  # noqa: S608  its values are those above
OLDER = "DELETE FROM django_migrations WHERE name IN ('0001_initial', '0063_own_time_of_bots') AND app = 'tournaments'"
NEWER = "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '0999_the_future', now())"
NOT_OLDER = """INSERT INTO django_migrations (app, name, applied)
    VALUES ('tournaments', '0063_own_time_of_bots', now()), ('tournaments', '0001_initial', now())"""
NOT_NEWER = "DELETE FROM django_migrations WHERE name = '0999_the_future'"
APPLIED = "SELECT app, name FROM django_migrations ORDER BY app, name"
IS_OLDER = (
    "This database has the tables of a release before v0.1.0, and nothing was changed: check out v0.1.0, run "
    "`python3 manage.py migrate{}` there once, and then use this release again."
)
IS_NEWER = (
    "This database is of a newer release, and nothing was changed: this one knows nothing of "
    "tournaments.0999_the_future. Use the release that migrated it, or a later one."
)


@contextmanager
def a_copy(statement: LiteralString) -> Iterator[str]:
    """A migrated database in which the statement was executed; its name."""
    name = f"{database.own()}_of_another_release"
    with database.a_copy(name):
        with connection.cursor() as cursor:
            cursor.execute(statement)
        yield name


def run(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return manage(*arguments, DATABASE_URL=address(name), REDIS_URL=os.environ["REDIS_URL"])


@pytest.fixture
def applied(db: None) -> set[Migration]:
    return set(MigrationRecorder(connection).applied_migrations())


def test_a_database_of_this_release_lacks_nothing(applied: set[Migration]) -> None:
    state = schema_tables()
    assert (state.missing, state.unknown, state.too_old) == (frozenset(), frozenset(), False)
    assert {FIRST, LAST_REPLACED} <= applied


def test_an_empty_database_lacks_every_migration_and_is_not_old() -> None:
    state = schema_tables([])
    assert FIRST in state.missing
    assert ("auth", "0001_initial") in state.missing
    assert not state.too_old


def test_of_the_release_before_the_squashed_migration_and_later_ones_are_missing(applied: set[Migration]) -> None:
    state = schema_tables(applied - SINCE)
    assert (state.missing, state.unknown, state.too_old) == (frozenset(SINCE), frozenset(), False)


def test_what_lacks_any_of_the_replaced_migrations_is_too_old(applied: set[Migration]) -> None:
    for name in ("0001_the_ledger", "0030_contents_by_tokens", LAST_REPLACED[1]):
        assert schema_tables(applied - {FIRST, ("tournaments", name)}).too_old


def test_what_nobody_here_knows_is_newer_unless_its_app_is_not_installed(applied: set[Migration]) -> None:
    library, site = ("mfa", "0999_later"), ("tournaments", "0002_later")
    assert schema_tables({*applied, ("socialaccount", "0001_initial"), library, site}).unknown == {library, site}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", ["migrate", "audit"])
def test_a_command_on_older_tables_names_the_way_and_changes_nothing(command: str) -> None:
    with a_copy(OLDER) as name:
        before = content(name)
        done = run(name, command)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.splitlines()[1:] == [IS_OLDER.format("")]
        assert content(name) == before


@pytest.mark.django_db(transaction=True)
def test_a_command_on_newer_tables_says_so_and_those_of_an_upgrade_go_on() -> None:
    with a_copy(NEWER) as name:
        before = content(name)
        done = run(name, "migrate")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.splitlines()[1:] == [IS_NEWER]
        assert run(name, "fleet", "list").returncode == 0
        assert content(name) == before


@pytest.mark.django_db(transaction=True)
def test_a_database_of_the_release_before_is_continued_by_migrate() -> None:
    with a_copy(V010) as name:
        before = content(name)
        done = run(name, "migrate")
        assert done.returncode == 0, done.stderr
        after = content(name)
        assert {table for table in after if after[table] != before.get(table)} == {"django_migrations", *NEW}
        assert not schema_tables().missing


def execute(data: Data, *statements: LiteralString) -> list[Migration]:
    """Execute them in the folder's own database, and return what it has applied then."""
    with data.held("a test"):
        try:
            data.postgres.start()
            with psycopg.connect(data.postgres.url) as server:
                for statement in statements:
                    server.execute(statement)
                return [(str(app), str(name)) for app, name in server.execute(APPLIED)]
        finally:
            data.postgres.stop()


def test_up_refuses_older_and_newer_data_and_continues_that_of_the_release_before(tmp_path: Path) -> None:
    data = Data(tmp_path / "data")
    data.make()
    migrations = execute(data)
    is_older = IS_OLDER.format(f" --data {data.folder}")
    for statement, undo, sentence in ((OLDER, NOT_OLDER, is_older), (NEWER, NOT_NEWER, IS_NEWER)):
        before = execute(data, statement)
        done = manage("up", "--port", "0", "--workers", "1", "--no-demo", "--data", data.folder)
        assert (done.returncode, done.stderr.splitlines()[-1]) == (2, sentence)
        assert execute(data) == before
        execute(data, undo)
    execute(data, V010)
    with up(data.folder):
        """Its page is there."""
    assert execute(data) == migrations
