"""Organisers' acts over the API: told before they are done, done for a reason, and in the log for everybody."""

import json

import pytest

from tests.factories import a_user
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tournaments import audit
from tournaments.models import Act, Ladder, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(api_world: World) -> User:
    return a_user("olga", staff=True)


def test_a_preview_tells_what_would_change_and_writes_nothing(api_world: World, olga: User) -> None:
    acts_before = Act.objects.count()
    answer = ask("POST", "acts/disqualify", olga, {"bot": api_world.bot.pk, "ladder": "main", "preview": True}).json()
    assert answer["act"] is None
    [table] = answer["effect"]["tables"]
    assert (table["ladder"], table["sets_before"], table["sets_after"]) == ("main", 1, 0)
    assert {line["bot"]: line["elo_after"] for line in table["lines"]} == {"Analytical": None, "Difference": "1500.0"}
    assert (Act.objects.count(), api_world.bot.disqualifications.count()) == (acts_before, 0)


def test_an_act_is_in_the_log_that_everybody_reads_and_can_be_taken_back(api_world: World, olga: User) -> None:
    done = ask(
        "POST", "acts/disqualify", olga, {"bot": api_world.bot.pk, "ladder": "main", "reason": "It is two bots."}
    )
    assert done.status_code == 201
    act = done.json()["act"]
    [newest, *_] = ask("GET", "audit").json()["results"]
    assert newest == act
    assert (act["by"], act["subject"], act["reason"]) == ("olga", "bot Analytical, ladder main", "It is two bots.")
    standings = ask("GET", "ladders/main/standings").json()["standings"]
    assert [line["bot"] for line in standings] == ["Difference"]
    back = ask("POST", "acts/reinstate", olga, {"act": act["number"], "reason": "It is one."})
    assert back.status_code == 201
    assert len(ask("GET", "ladders/main/standings").json()["standings"]) == 2


def test_the_whole_log_is_downloaded_and_its_chain_holds(olga: User) -> None:
    for verb in ("pause", "resume", "freeze"):
        assert ask("POST", f"acts/{verb}_ladder", olga, {"ladder": "main", "reason": "Tea."}).status_code == 201
    lines = b"".join(ask("GET", "audit/log").streaming_content).decode().splitlines()
    [newest, *_] = ask("GET", "audit?page_size=1").json()["results"]
    assert str(audit.check_log(lines)) == f"{len(lines)}:{newest['digest']}"
    assert [json.loads(line)["kind"] for line in lines[-3:]] == ["pause_ladder", "resume_ladder", "freeze_ladder"]


@pytest.mark.parametrize(
    ("act", "body", "refusal"),
    [
        ("pause_ladder", {"ladder": "main"}, (400, "no_reason")),
        ("pause_ladder", {"ladder": "elsewhere", "reason": "x"}, (404, "unknown_ladder")),
        ("pause_ladder", {"reason": "x"}, (400, "invalid")),
        ("pause_ladder", {"ladder": "main", "reason": "x", "loudly": True}, (400, "invalid")),
        ("thaw_ladder", {"ladder": "main", "reason": "x"}, (409, "wrong_status")),
        ("disqualify", {"reason": "x"}, (400, "whom")),
        ("disqualify", {"bot": "1", "reason": "x"}, (400, "invalid")),
        ("change_settings", {"ladder": "main", "settings": {"slug": "x"}, "reason": "x"}, (400, "unknown_setting")),
        ("change_settings", {"ladder": "main", "settings": {"line_kb": 0}, "reason": "x"}, (400, "bad_setting")),
        ("change_settings", {"ladder": "main", "settings": {"margin": None}, "reason": "x"}, (400, "bad_setting")),
        ("change_settings", {"ladder": "main", "settings": {"margin": 1e308}, "reason": "x"}, (400, "bad_setting")),
        ("change_settings", {"ladder": "main", "settings": {"prior_sd": 1}, "reason": "x"}, (400, "bad_setting")),
        ("change_settings", {"ladder": "main", "settings": {"prior_sd": 10**6}, "reason": "x"}, (400, "bad_setting")),
        ("change_settings", {"ladder": "main", "settings": {"by_lot": 101}, "reason": "x"}, (400, "bad_setting")),
        ("change_settings", {"ladder": "main", "settings": {"title": ""}, "reason": "x"}, (400, "bad_setting")),
        ("deactivate_user", {"user": "olga", "reason": "x"}, (409, "organiser")),
        ("change_settings", {"ladder": "main", "settings": {"anchor": [1]}, "reason": "x"}, (400, "bad_setting")),
        ("change_settings", {"ladder": "main", "settings": {"line_kb": 64}, "reason": "x"}, (409, "nothing_changes")),
        ("announce", {"text": " ", "reason": "x"}, (400, "invalid")),
        ("announce", {"text": "x" * 1500, "reason": "x"}, (400, "bad_text")),
        ("cancel_outdated", {"game": "zaibatsu", "rules": "98", "reason": "x"}, (400, "invalid")),
        ("cancel_outdated", {"game": "zaibatsu", "rules": 98, "reason": "x"}, (409, "nothing_waits")),
    ],
)
def test_what_cannot_be_done_is_refused_and_not_in_the_log(
    act: str, body: dict[str, object], refusal: tuple[int, str], olga: User
) -> None:
    acts_before, line_kb = Act.objects.count(), Ladder.objects.get().line_kb
    body = {**body, "settings": {"line_kb": line_kb}} if body.get("settings") == {"line_kb": 64} else body
    assert refused(ask("POST", f"acts/{act}", olga, body)) == refusal
    assert Act.objects.count() == acts_before
