"""The fingerprint of a season: in the log once it is over, the same of every file of it, and another after a change."""

import json
from pathlib import Path

import pytest
from django.test import Client

from engine.season_file import open_season
from engine.season_fingerprint import fingerprint
from tests.factories import a_completed_set, a_user, rate
from tests.holding import ROBIN, a_running, play_out
from tests.spaces import a_space
from tests.tournaments.features.seasons.test_season import bare, closed, put, read, resealed, sent  # noqa: F401  a fixture
from tests.tournaments.web.api.asking import ask
from tournaments.audit import check_log
from tournaments.audit.log import log_lines
from tournaments.features.moderation.take_down import Rename
from tournaments.features.seasons.season_file import event_season, ladder_season
from tournaments.features.seasons.steps import print_due
from tournaments.ledger import acts
from tournaments.ledger.dumps.streamed_zip import zipped
from tournaments.ledger.ladders.official_fit import refit
from tournaments.models import Act, Bot, Event, Ladder, MatchSet, PastSeason, User

pytestmark = pytest.mark.django_db


def mark_of(path: Path) -> str:
    with path.open("rb") as file:
        return fingerprint(open_season(file))


def logged() -> list[str]:
    return [act.detail["fingerprint"] for act in Act.objects.filter(kind="season").order_by("number")]


def written(path: Path, files: object) -> Path:
    path.write_bytes(b"".join(zipped(files)))  # type: ignore[arg-type]
    return path


def test_the_log_has_what_a_stranger_works_out_of_the_file(closed: Ladder, tmp_path: Path) -> None:  # noqa: F811
    assert (print_due(), print_due(), len(logged())) == (1, 0, 1)
    files = [written(tmp_path / f"{replays}.zip", ladder_season(closed, replays=replays)) for replays in (False, True)]
    assert {mark_of(path) for path in files} == {*logged()}
    for module in ("tournaments.ratings", "engine.verify"):
        assert bare(module, files[0]).stdout.split()[-1] == logged()[0]
    page = Client().get("/seasons/").content.decode()
    number = Act.objects.get(kind="season").number
    nobody = "nobody: too few sets after a freeze"
    assert [word for word in (f"#act-{number}", nobody, logged()[0][:12]) if word not in page] == []
    [listed] = ask("GET", "seasons").json()["results"]
    assert (listed["slug"], listed["act"], listed["fingerprint"]) == ("main", number, logged()[0])
    assert listed["winners"] == PastSeason.objects.get().winners == []
    check_log(log_lines())


def test_renames_and_erased_names_change_nothing_and_results_do(closed: Ladder, tmp_path: Path) -> None:  # noqa: F811
    print_due()
    staff, bot = a_user(staff=True), Bot.objects.filter(entries__ladder=closed).earliest("pk")
    Rename(name="Somebody else", bot=bot).do(by=staff, reason="x")
    User.objects.filter(pk=bot.owner_id).update(is_active=False)
    assert mark_of(written(tmp_path / "renamed.zip", ladder_season(closed))) == logged()[0]
    acts.VoidSet(set=closed.sets.filter(status="complete", counts=True).earliest("pk")).do(by=staff, reason="x")
    assert (print_due(), len(logged())) == (1, 2)
    assert mark_of(written(tmp_path / "changed.zip", ladder_season(closed))) == logged()[1] != logged()[0]
    acts.Reopen(closed).do(by=staff, reason="x")
    assert not PastSeason.objects.exists()
    acts.Close(closed).do(by=staff, reason="x")
    refit(ladder=closed)
    assert (print_due(), len(logged())) == (1, 3)


def test_a_forger_makes_a_whole_file_with_another_fingerprint(closed: Ladder, tmp_path: Path) -> None:  # noqa: F811
    print_due()
    path = written(tmp_path / "forged.zip", ladder_season(closed))
    members = read(path)
    table = json.loads(members["table.json"])
    table[0]["elo"] += 1.0
    put(path, resealed({**members, "table.json": json.dumps(table).encode()}))
    assert mark_of(path) not in logged()


def test_nothing_is_told_before_all_is_settled(closed: Ladder) -> None:  # noqa: F811
    late = a_completed_set(closed, [entry.bot.versions.latest("pk") for entry in closed.entries.all()[:2]])
    MatchSet.objects.filter(pk=late.pk).update(rated=False, counts=True)
    assert print_due() == 0
    assert "None is over yet." in Client().get("/seasons/").content.decode()
    rate()
    assert print_due() == 1


def test_an_event_has_one_when_it_is_over_and_released(tmp_path: Path) -> None:
    event = a_running(3, ROBIN, released=0)
    play_out(event)
    event.refresh_from_db()
    assert (event.status, print_due()) == ("finished", 0)
    assert ask("GET", "seasons").json()["results"] == []
    Event.objects.filter(pk=event.pk).update(released=None)
    event.refresh_from_db()
    assert print_due() == 1
    assert mark_of(written(tmp_path / "event.zip", event_season(event))) == logged()[0]
    [listed] = ask("GET", "seasons").json()["results"]
    assert (listed["kind"], listed["entrants"], len(listed["winners"])) == ("event", 3, 1)


def test_what_is_in_a_private_space_is_in_its_own_archive_alone(closed: Ladder) -> None:  # noqa: F811
    member = a_user("mia")
    space = a_space("club", members=[member])
    Ladder.objects.filter(pk=closed.pk).update(space=space)
    print_due()
    client, inside = Client(), Client()
    inside.force_login(member)
    assert "ladders/main/season" not in client.get("/seasons/").content.decode()
    assert client.get("/seasons/?space=club").status_code == 404
    assert "ladders/main/season" in inside.get("/seasons/?space=club").content.decode()
    assert b"1 past season" in inside.get("/spaces/club/").content
    inside.force_login(a_user(staff=True))
    for path in ("/seasons/", "/seasons/?space=club"):
        assert "ladders/main/season" in inside.get(path).content.decode(), "organisers of the site see all"
    assert logged()[0] not in client.get("/audit/").content.decode()


def test_what_ended_before_there_were_any_says_so(closed: Ladder) -> None:  # noqa: F811
    PastSeason.objects.update(old=True)
    assert (print_due(), logged()) == (1, [])
    for path in ("/seasons/", "/ladders/main/"):
        assert "it ended before fingerprints were logged" in Client().get(path).content.decode()
