"""What organisers did, and what of it holds, as everybody sees it."""

import json

import pytest
from django.test import Client

from tests.factories import a_user
from tests.spaces import a_space
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import World
from tests.tournaments.web.pages.html import Html
from tournaments.audit import log
from tournaments.audit.log import append
from tournaments.ledger import acts
from tournaments.ledger.acts.base import Action
from tournaments.models import Act

pytestmark = pytest.mark.django_db


def do(action: Action, reason: str = "the test wants it") -> Act:
    return action.do(by=a_user(staff=True), reason=reason)


def see(path: str) -> str:
    page = Client().get(path).content.decode()
    assert Html(page).faults() == []
    return " ".join(page.split())


def test_the_log_shows_what_was_done_to_whom_and_why(pages_world: World) -> None:
    act = do(acts.Disqualify(bot=pages_world.bot), "It is <b>two</b> bots.")
    page = see("/audit/")
    assert f"{act.number}. Disqualify: bot {pages_world.bot}, all ladders" in page
    assert "It is &lt;b&gt;two&lt;/b&gt; bots." in page
    assert f"{act.number}:{act.digest}" in page
    assert "Elo before" in page
    assert f"{act.number}. Disqualify" not in see(f"/audit/?before={act.number}")


def test_the_log_is_readable_whatever_big_entries_are_stored_already(
    pages_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight acts with a description of 1 MB made a page that no address might have under way."""
    monkeypatch.setattr(log, "bounded_detail", lambda detail: detail, raising=False)  # as it was
    space = a_space()
    for number in range(8):
        change = {"name": "description", "before": "'" * 1_000_000, "after": f"{number}"}
        detail = {"says": ["A text."], "changes": [change], "tables": []}
        append(kind="configure", by="olga", subject="a ladder", detail=detail, space=space.pk if number % 2 else None)
    append(kind="configure", by="olga", subject="a ladder", detail={"says": ["A short one."], "tables": []})
    page = see("/audit/")
    assert len(page) < 300_000
    assert page.count("What it changed is too long for a page") == 4
    assert "A short one." in page
    answer = ask("GET", "audit")
    assert len(answer.content) < 300_000
    [newest, sealed, left_out, *_] = answer.json()["results"]
    assert newest["detail"]["says"] == ["A short one."]
    assert "left_out" in left_out["detail"]
    [line] = [line for line in log.log_lines(()) if json.loads(line)["number"] == sealed["number"]]
    assert {**json.loads(line), "salts": {}} == sealed
    assert log.head().number == newest["number"]


def test_a_disqualified_bot_is_marked_on_its_page_and_in_the_ladder(pages_world: World) -> None:
    act = do(acts.Disqualify(bot=pages_world.bot), "It is two bots.")
    for path in (f"/bots/{pages_world.bot.pk}/", f"/ladders/{pages_world.ladder.slug}/"):
        assert f"act {act.number}</a>: It is two bots." in see(path)
    match = pages_world.set.matches.order_by("turn")[0]
    assert "Somebody at this table is disqualified" in see(f"/matches/{match.pk}/")
    do(acts.Reinstate(act=act))
    assert "It is two bots." not in see(f"/bots/{pages_world.bot.pk}/")


def test_a_voided_set_is_shown_and_says_so(pages_world: World) -> None:
    act = do(acts.VoidSet(set=pages_world.set))
    match = pages_world.set.matches.order_by("turn")[0]
    assert f"voided: act {act.number} of the audit log" in see(f"/matches/{match.pk}/")
    assert "1 set of this ladder does not count" in see(f"/ladders/{pages_world.ladder.slug}/").replace("\n", " ")


def test_announcements_stand_where_they_belong_until_they_are_withdrawn(pages_world: World) -> None:
    everywhere = do(acts.Announce(text="Tea at five."))
    do(acts.Announce(text="Finals at nine.", ladder=pages_world.ladder))
    assert "Tea at five." in see("/")
    assert "Finals at nine." not in see("/")
    assert "Finals at nine." in see(f"/ladders/{pages_world.ladder.slug}/")
    do(acts.Withdraw(act=everywhere))
    assert "Tea at five." not in see("/")


def test_a_frozen_ladder_says_so_and_offers_no_way_in(pages_world: World) -> None:
    do(acts.Freeze(ladder=pages_world.ladder))
    page = see(f"/ladders/{pages_world.ladder.slug}/")
    assert "it plays on with the bots and versions it had then" in page
    assert 'href="#enter"' not in page
