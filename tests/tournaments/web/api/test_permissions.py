"""Every address of the API, asked by everybody."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from django.db import transaction

from tests.again import again
from tests.factories import a_bot, a_trial, a_user, an_upload, reports, worker_token
from tests.holding import a_draft, an_event
from tests.spaces import a_space
from tests.tournaments.web.api.asking import ask, refused, strict_document
from tests.tournaments.web.api.world import World, a_world
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.notices.webhooks import add_webhook
from tournaments.features.drafts.rules import begin_draft, save
from tournaments.features.examinations import rules as examinations
from tournaments.features.follow.rules import start_following
from tournaments.features.practice.seats import INVITED, PERSON, Sample
from tournaments.features.practice.start import begin_practice
from tournaments.features.spaces.join_codes import make_code
from tournaments.features.teams.rules import create_team, invite_to_team
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Entry, MatchSet, User, Version, Worker
from workers.bundles import TICKET, ticket

pytestmark = pytest.mark.django_db
ASKERS = ("owner", "other", "anonymous", "staff", "worker")


@dataclass(frozen=True, slots=True)
class Row:
    """An address, and the status for each of ASKERS. `{...}` are things of the owner's."""

    method: str
    path: str
    statuses: tuple[int, int, int, int, int]
    body: object = None


EVERYBODY = (200,) * 5
PERSONS = (200, 200, 401, 200, 401)
MINE = (200, 404, 401, 404, 401)
MADE_MINE = (201, 404, 401, 404, 401)
NOBODYS = 10**9  # an id that nothing has
ACTS: list[tuple[str, Mapping[str, object], int]] = [
    *((kind, {"ladder": "main"}, 200) for kind in ("pause_ladder", "freeze_ladder", "close_ladder")),
    *(
        (kind, {"ladder": "main"}, 409)
        for kind in ("resume_ladder", "thaw_ladder", "reopen_ladder", "cancel_final_run")
    ),
    ("final_run", {"ladder": "main", "borders": [1], "sets_at_most": 20}, 200),
    ("set_marking", {"ladder": "main", "scheme": "10 = 60% Nobody here"}, 400),
    ("set_deadline", {"ladder": "main", "deadline": "2999-01-31T12:00Z", "late_days": 2}, 200),
    ("extend_deadline", {"ladder": "main", "user": "ada", "until": "2999-01-31T12:00Z"}, 409),
    ("final_marks", {"ladder": "main"}, 409),
    ("change_settings", {"ladder": "main", "settings": {"pace_seconds": 5}}, 200),
    ("adopt_rules", {"ladder": "main"}, 409),
    ("name_luck_value", {"ladder": "main"}, 409),
    ("disqualify", {"owner": "ada"}, 200),
    ("compare_answers", {"ladder": "main"}, 409),
    ("clear_double", {"bot": NOBODYS, "ladder": "main"}, 404),
    ("enter_twins", {"bot": NOBODYS, "ladder": "main", "name": "Mellow"}, 404),
    ("reveal_twins", {"ladder": "main"}, 409),
    *((kind, {"act": NOBODYS}, 404) for kind in ("reinstate", "withdraw_announcement")),
    *((kind, {"set": NOBODYS}, 404) for kind in ("void_set", "reinstate_set")),
    *((kind, {"match": NOBODYS}, 404) for kind in ("quarantine_match", "release_match")),
    ("play_without", {"match": NOBODYS, "version": NOBODYS}, 404),
    *((kind, {"worker": "nobody"}, 404) for kind in ("block_worker", "drain_worker", "welcome_worker", "void_worked")),
    *((kind, {"item": NOBODYS}, 404) for kind in ("try_item_again", "set_item_aside")),
    ("cancel_outdated", {"game": "zaibatsu", "rules": 1}, 409),
    ("switch_guests_off", {}, 200),
    ("switch_guests_on", {}, 409),
    ("announce", {"text": "Tea is served."}, 200),
    ("change_announcement", {"act": NOBODYS, "text": "Coffee is served."}, 404),
    ("rename", {"bot": NOBODYS, "name": "A better name"}, 404),
    ("blank", {"bot": NOBODYS}, 404),
    ("deactivate_user", {"user": "bob"}, 200),
    ("activate_user", {"user": "bob"}, 409),
    ("erase_account", {"user": "bob"}, 200),
    ("suspend_user", {"user": "bob", "words": "You insult."}, 200),
    ("lift_suspension", {"user": "bob"}, 409),
    *((kind, {"report": NOBODYS}, 404) for kind in ("dismiss_report", "settle_report")),
    *((kind, {"appeal": NOBODYS}, 404) for kind in ("grant_appeal", "refuse_appeal")),
    *((f"{verb}_event", {"event": NOBODYS}, 404) for verb in ("announce", "start", "call_off")),
    ("release_round", {"event": NOBODYS}, 404),
    *((f"{verb}_event", {"event": NOBODYS, "user": "bob"}, 404) for verb in ("invite_to", "uninvite_from")),
    ("seed_event", {"event": NOBODYS, "order": [1]}, 404),
    ("tell_entrants", {"event": NOBODYS, "text": "Tea is served."}, 404),
    ("disqualify_entrant", {"entrant": NOBODYS}, 404),
    ("create_ladder", {"slug": "new", "title": "New", "game": "kaiju"}, 200),
    ("create_event", {"slug": "new", "title": "New", "ladder": "main", "format": {"t": "swiss"}}, 200),
    (
        "edit_event",
        {"event": NOBODYS, "slug": "new", "title": "New", "ladder": "main", "format": {"t": "swiss"}},
        404,
    ),
    ("discard_event", {"event": NOBODYS}, 404),
    ("cancel_outdated", {"game": "zaibatsu", "rules": 98}, 409),
    ("suspend_member", {"space": "bio1", "user": "ada", "words": "You insult."}, 200),
    ("lift_member", {"space": "bio1", "user": "ada"}, 409),
    ("remove_member", {"space": "bio1", "user": "bob"}, 409),
    ("change_access", {"space": "bio1", "access": "public"}, 200),
    *((f"{verb}_names", {"space": "bio1"}, 409) for verb in ("hide", "show")),
    ("change_workers", {"space": "bio1", "workers": "own"}, 200),
    ("admit_worker", {"worker": "lab", "space": "bio1", "digest": "0" * 64}, 200),
    ("revoke_worker_tokens", {"worker": "lab", "space": "bio1"}, 409),
    ("allow_outside_workers", {"ladder": "main", "outside": "yes"}, 200),
    ("set_time_zone", {"space": "bio1", "time_zone": "Europe/Berlin"}, 200),
    ("set_retention", {"space": "bio1", "replays": 30}, 200),
    ("close_space", {"space": "bio1"}, 200),
    ("open_space_again", {"space": "bio1"}, 409),
]
TABLE = [
    Row("GET", "", EVERYBODY),
    Row("GET", "bots", EVERYBODY),
    Row("POST", "bots", (201, 201, 401, 201, 401), {"game": "zaibatsu", "name": "One more"}),
    Row("GET", "bots/{bot}", EVERYBODY),
    Row("PATCH", "bots/{bot}", (200, 403, 401, 403, 401), {"gate": "ask"}),
    Row("POST", "bots/{bot}/overall", (409, 403, 401, 403, 401)),  # its only bot counts already
    Row("GET", "bots/{bot}/trials", EVERYBODY),
    Row("GET", "bots/{bot}/series", EVERYBODY),
    Row("GET", "trials/{trial}", EVERYBODY),
    Row("GET", "bots/{bot}/versions", EVERYBODY),
    Row("POST", "bots/{bot}/versions", (201, 403, 401, 403, 401), b"print()\n"),
    Row("GET", "bots/{bot}/versions/{number}", EVERYBODY),
    Row("POST", "bots/{bot}/versions/{number}/activate", (200, 403, 401, 403, 401)),
    Row("POST", "bots/{bot}/versions/{number}/examine", (409, 403, 401, 409, 401)),  # one is examined already
    Row("GET", "bots/{bot}/badges", EVERYBODY),
    Row("GET", "overall", EVERYBODY),
    Row("GET", "ladders", EVERYBODY),
    Row("GET", "ladders/{slug}", EVERYBODY),
    Row("GET", "ladders/{slug}/standings", EVERYBODY),
    Row("GET", "ladders/{slug}/ledger", EVERYBODY),
    Row("GET", "ladders/{slug}/season", (409,) * 5),
    Row("GET", "ladders/{slug}/history?bot={bot}", EVERYBODY),
    Row("GET", "ladders/{slug}/moves?bot={bot}", EVERYBODY),
    Row("GET", "ladders/{slug}/head-to-head?bots={bot},{rival}", EVERYBODY),
    Row("GET", "ladders/{slug}/transitivity", EVERYBODY),
    Row("GET", "ladders/{slug}/fairness", EVERYBODY),
    Row("GET", "ladders/{slug}/gradebook", (404, 404, 401, 404, 401)),
    Row("GET", "ladders/{slug}/alike", (403, 403, 401, 200, 401)),
    Row("GET", "people/{name}", EVERYBODY),
    Row("GET", "teams", EVERYBODY),
    Row("GET", "teams/{team}", EVERYBODY),
    Row("POST", "teams", (201, 201, 401, 201, 401), {"name": "The second crew"}),
    Row("PATCH", "teams/{team}", (200, 403, 401, 403, 401), {"about": "New"}),
    Row("POST", "teams/{team}/invite", (204, 403, 401, 403, 401), {"user": "stranger"}),
    Row("POST", "teams/{team}/join", (409, 204, 401, 409, 401)),
    Row("POST", "teams/{team}/refuse", (409, 204, 401, 409, 401)),
    Row("POST", "teams/{team}/leave", (204, 409, 401, 409, 401)),
    Row("POST", "teams/{team}/remove", (204, 403, 401, 403, 401), {"user": "bob"}),
    Row("POST", "teams/{team}/captain", (409, 403, 401, 403, 401), {"user": "bob"}),
    Row("GET", "spaces", EVERYBODY),
    Row("POST", "spaces", (403, 403, 401, 201, 401), {"slug": "chess1", "title": "Chess"}),
    Row("GET", "spaces/{space}", (200, 404, 404, 200, 404)),
    Row("PATCH", "spaces/{space}", (403, 404, 401, 200, 401), {"title": "New"}),
    *(
        Row("GET", f"spaces/{{space}}/{what}", (403, 404, 404, 200, 404))
        for what in ("members", "codes", "addresses", "workers")
    ),
    Row("POST", "spaces/{space}/codes", (403, 404, 401, 201, 401), {"days": 1, "uses": 1}),
    Row("DELETE", "spaces/{space}/codes/{join_code}", (403, 404, 401, 204, 401)),
    Row("PATCH", "spaces/{space}/addresses", (403, 404, 401, 200, 401), {"addresses": ["@example.org"]}),
    Row("POST", "spaces/{space}/roster", (403, 404, 401, 200, 401), {"people": "x@example.org"}),
    Row("GET", "spaces/{space}/announcements", (200, 404, 404, 200, 404)),
    Row("POST", "joins", (409, 201, 401, 201, 401), {"code": "{key}"}),
    Row("POST", "spaces/{space}/join", (403, 404, 401, 403, 401)),
    Row("POST", "spaces/{space}/ask", (409, 404, 401, 204, 401)),
    Row("POST", "spaces/{space}/take-back", (409, 404, 401, 409, 401)),
    Row("POST", "spaces/{space}/approve", (403, 404, 401, 409, 401), {"user": "ada"}),
    Row("POST", "spaces/{space}/refuse", (403, 404, 401, 409, 401), {"user": "ada"}),
    Row("POST", "spaces/{space}/organiser", (403, 404, 401, 204, 401), {"user": "ada"}),
    Row("POST", "spaces/{space}/leave", (204, 404, 401, 409, 401)),
    Row("POST", "spaces/{space}/step-down", (204, 404, 401, 409, 401)),
    Row("POST", "account/whole-site", (409, 409, 401, 409, 401)),
    Row("GET", "account", PERSONS),
    Row("PATCH", "account", PERSONS, {"about": "New", "mailed": ["fault"]}),
    Row("POST", "account/email", (409, 401, 401, 401, 401), {"email": "", "password": "the password of ada"}),
    Row("POST", "account/data", (200, 401, 401, 401, 401), {"password": "the password of ada"}),
    Row("POST", "account/erase", (204, 409, 401, 409, 401), {"name": "ada", "password": "the password of ada"}),
    Row("POST", "account/letter", (409, 409, 401, 409, 401)),
    Row("POST", "account/feed", PERSONS),
    Row("GET", "reports", PERSONS),
    Row("POST", "reports", (201, 201, 401, 201, 401), {"about": "person-bob", "text": "It insults."}),
    Row("GET", "appeals", PERSONS),
    Row("POST", "appeals", (404, 404, 401, 404, 401), {"act": NOBODYS, "text": "Why?"}),
    Row("GET", "notices", PERSONS),
    Row("POST", "notices/read", (204, 204, 401, 204, 401)),
    Row("GET", "follows", PERSONS),
    Row("POST", "follows", (201, 201, 401, 201, 401), {"bot": "{bot}"}),
    Row("DELETE", "follows/{follow}", (204, 404, 401, 404, 401)),
    Row("GET", "timeline", PERSONS),
    Row("GET", "webhooks", PERSONS),
    Row("POST", "webhooks", (201, 201, 401, 201, 401), {"url": "https://example.org/hook", "kinds": ["fault"]}),
    Row("DELETE", "webhooks/{webhook}", (204, 404, 401, 404, 401)),
    Row("POST", "webhooks/{webhook}/test", (204, 404, 401, 404, 401)),
    Row("GET", "draft-starts?game=zaibatsu", EVERYBODY),
    Row("GET", "drafts", PERSONS),
    Row("POST", "drafts", (201, 201, 401, 201, 401), {"game": "zaibatsu", "start": "empty"}),
    Row("GET", "drafts/{draft}", MINE),
    Row("PATCH", "drafts/{draft}", MINE, {"source": "print(3)"}),
    Row("DELETE", "drafts/{draft}", (204, 404, 401, 404, 401)),
    Row("POST", "drafts/{draft}/check", MADE_MINE, {}),
    Row("POST", "drafts/{draft}/submit", MADE_MINE, {"note": "first"}),
    Row("GET", "drafts/{draft}/states", MINE),
    Row("GET", "drafts/{draft}/states/{state}", MINE),
    Row("POST", "drafts/{draft}/states/{state}/take", MINE),
    Row("GET", "practices", PERSONS),
    Row("POST", "practices", (201, 201, 401, 201, 401), {"ladder": "main", "seats": ["person", "sample-random"]}),
    Row("GET", "practices/{practice}", MINE),
    Row("POST", "practices/{practice}/answers", (409, 404, 401, 404, 401), {"turn": 99, "action": {}}),
    Row("POST", "practices/{practice}/leave", MINE),
    Row("POST", "practices/{practice}/retry", (409, 404, 401, 404, 401)),
    Row("POST", "practices/{practice}/again", MADE_MINE),
    Row("POST", "practices/{practice}/share", (409, 404, 401, 404, 401)),
    Row("DELETE", "practices/{practice}/share", (204, 404, 401, 404, 401)),
    Row("POST", "practice-seats", (200, 200, 401, 200, 401), {"invitation": "{invitation}"}),
    Row("GET", "practices/{table}", MINE),
    Row("POST", "practices/{table}/table/invite", MINE),
    Row("POST", "practices/{table}/table/uninvite", MINE),
    Row("POST", "practices/{table}/table/fill", MINE, {"seat": 1, "player": "sample-random"}),
    Row("POST", "practices/{table}/table/start", MINE),
    Row("POST", "practices/{table}/table/end", MINE),
    Row("POST", "practices/{table}/table/return", (409, 404, 401, 404, 401)),
    Row("GET", "practices/{practice}/replay", (409, 404, 401, 404, 401)),
    Row("GET", "ladders/{slug}/entries", EVERYBODY),
    Row("POST", "ladders/{slug}/entries", (409, 403, 401, 403, 401), {"bot": "{bot}"}),
    Row("GET", "ladders/{slug}/requests", (200, 200, 401, 200, 401)),
    Row("POST", "ladders/{slug}/requests", (201, 403, 401, 403, 401), {"bot": "{bot}", "against": ["{rival}"]}),
    Row(
        "POST",
        "ladders/{slug}/series",
        (201, 403, 401, 403, 401),
        {"bot": "{bot}", "against": ["{rival}"], "sets": 2},
    ),
    Row("GET", "ladders/{slug}/entries/{entry}", EVERYBODY),
    Row("DELETE", "ladders/{slug}/entries/{entry}", (200, 403, 401, 403, 401)),
    Row("GET", "seasons", EVERYBODY),
    Row("GET", "seasons?space={space}", (200, 404, 404, 200, 404)),
    Row("GET", "events", EVERYBODY),
    Row("GET", "events/{event}", EVERYBODY),
    Row("GET", "events/{event}/plan", (409,) * 5),
    Row("GET", "events/{event}/season", (409,) * 5),
    Row("GET", "events/{event}/entrants", EVERYBODY),
    Row("POST", "events/{event}/entrants", (409, 403, 401, 403, 401), {"bot": "{bot}"}),
    Row("GET", "events/{event}/entrants/{entrant}", EVERYBODY),
    Row("POST", "events/{event}/decline", (409, 409, 401, 409, 401)),
    Row("POST", "events/{event}/entrants/{entrant}/check-in", (409, 403, 401, 403, 401)),
    Row("DELETE", "events/{event}/entrants/{entrant}", (204, 403, 401, 403, 401)),
    Row("GET", "events/{unannounced}", (404, 404, 404, 200, 404)),
    Row("GET", "matches", EVERYBODY),
    Row("GET", "matches/{match}", EVERYBODY),
    Row("GET", "matches/{match}/replay", EVERYBODY),
    Row("GET", "matches/{match}/proof", EVERYBODY),
    Row("GET", "matches/{match}/suggestions", PERSONS),
    Row("POST", "matches/{match}/suggestions", (409, 409, 401, 409, 401), {"at": 10**6}),
    Row("GET", "practices/{practice}/suggestions", (404, 404, 401, 404, 401)),
    Row("POST", "practices/{practice}/suggestions", (404, 404, 401, 404, 401), {"at": 1}),
    Row("GET", "matches/{match}/notes", PERSONS),
    Row("GET", "matches/{check}/notes", (200, 404, 401, 200, 401)),
    Row("POST", "matches/{match}/fork", (201, 201, 401, 201, 401), {"at": 0, "seats": ["person", "sample-random"]}),
    Row("GET", "matches/{check}", (200, 404, 404, 200, 404)),
    Row("GET", "matches/{check}/replay", (200, 404, 404, 200, 404)),
    Row("GET", "matches/{check}/proof", (409, 404, 404, 409, 404)),
    Row("GET", "bundles/{sha256}", (200, 403, 401, 200, 403)),
    Row("GET", "search?q=a", EVERYBODY),
    Row("GET", "audit", EVERYBODY),
    Row("GET", "audit/log", EVERYBODY),
    *(
        Row("POST", f"acts/{kind}", (403, 403, 401, status, 401), {**body, "preview": True})
        for kind, body, status in ACTS
    ),
    Row("GET", "tokens", (200, 200, 401, 200, 401)),
    Row("DELETE", "tokens", (204, 204, 401, 204, 401)),
    Row("DELETE", "tokens/{token}", (204, 404, 401, 404, 401)),
    Row("POST", "tokens", (201,) * 5, {"username": "ada", "password": "the password of ada", "name": "more"}),
]


def things(world: World) -> dict[str, object]:
    make_token(user=world.owner, name="mine")
    event = an_event([world.bot])
    team = create_team(name="The crew", by=world.owner)
    invite_to_team(team=team, user=world.other, by=world.owner)
    a_user("stranger")
    draft = begin_draft(owner=world.owner, game="zaibatsu", source="print(0)", name="Of a draft")
    state = save(draft=draft, source="print(1)", filename="bot.py", name="Of a draft").states.get()
    table = begin_practice(by=world.owner, ladder=world.ladder, seats=[PERSON, INVITED, INVITED])
    practice = begin_practice(by=world.owner, ladder=world.ladder, seats=[PERSON, Sample("random")])
    space = a_space("bio1", organiser=(teacher := a_user("tessa")), members=[world.owner])
    join_code = make_code(space=space, by=teacher, days=7, uses=9)
    return {
        "space": space.slug,
        "join_code": join_code.pk,
        "key": join_code.key,
        "name": world.owner.username,
        "team": team.pk,
        "draft": draft.pk,
        "state": state.pk,
        "practice": practice.pk,
        "table": table.pk,
        "invitation": table.invite_key,
        "follow": start_following(user=world.owner, target=world.rival).pk,
        "webhook": add_webhook(user=world.owner, url="https://example.org/hook", kinds=["fault"]).pk,
        "bot": world.bot.pk,
        "rival": world.rival.pk,
        "number": world.version.number,
        "trial": a_trial(world.version, sets=0).pk,
        "slug": world.ladder.slug,
        "entry": Entry.objects.get(bot=world.bot).pk,
        "event": event.slug,
        "entrant": event.entrants.get().pk,
        "unannounced": a_draft().slug,
        "match": world.match.pk,
        "check": world.version.check_set.matches.get().pk,
        "sha256": world.version.bundle_id,
        "token": world.owner.tokens.get().pk,
    }


def a_known_world() -> tuple[dict[str, object], dict[str, str]]:
    """Things of a world, and the header of each of ASKERS."""
    world = a_world()
    named, asking = things(world), {asker: credentials(asker, world) for asker in ASKERS}
    people = {
        asker: f"Token {make_token(user=person, name='t')}"
        for asker, person in asking.items()
        if isinstance(person, User)
    }
    return named, {asker: people.get(asker, str(person or "")) for asker, person in asking.items()}


def credentials(asker: str, world: World) -> User | str | None:
    everybody: dict[str, User | str] = {
        "owner": world.owner,
        "other": world.other,
        "staff": a_user(staff=True),
        "worker": f"Worker {worker_token('tester')}",
    }
    return everybody.get(asker)


def filled(body: object, named: dict[str, object]) -> object:
    """The body with the things that it names in braces."""
    if isinstance(body, dict):
        return {key: filled(value, named) for key, value in body.items()}
    if isinstance(body, list):
        return [filled(value, named) for value in body]
    return named[body.strip("{}")] if isinstance(body, str) and body.startswith("{") else body


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.method} {row.path}")
def test_who_may_do_what(row: Row) -> None:
    named, keys = again(a_known_world)
    body = filled(row.body, named)
    kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    statuses = []
    for asker in ASKERS:
        before = transaction.savepoint()
        answer = ask(row.method, row.path.format(**named), keys[asker], body, kind=kind)
        transaction.savepoint_rollback(before)  # each meets the world as it was
        statuses.append(answer.status_code)
    assert dict(zip(ASKERS, statuses, strict=True)) == dict(zip(ASKERS, row.statuses, strict=True))


def test_the_table_misses_no_operation() -> None:
    described = {
        (method.upper(), re.sub(r"\{\w+\}", "{}", path.removeprefix("/api/v1").strip("/")))
        for path, methods in strict_document()["paths"].items()
        for method in methods
    }
    assert described == {(row.method, re.sub(r"\{\w+\}", "{}", row.path.partition("?")[0])) for row in TABLE}


@pytest.mark.parametrize(("asker", "sees"), [("owner", False), ("other", True), ("anonymous", False), ("staff", True)])
def test_evidence_of_a_fault_is_for_the_owner_of_the_bot_that_failed(asker: str, sees: bool, api_world: World) -> None:
    match = ask("GET", f"matches/{api_world.match.pk}", credentials(asker, api_world)).json()
    failed = next(seat for seat in match["seats"] if seat["bot"] == "Difference")
    assert failed["verdict"] == "timed out"
    assert (failed["faults"] is not None, failed["stderr"] is not None) == (sees, sees)
    if sees:
        assert failed["faults"][0]["verdict"] == "timed out"


def test_evidence_waits_until_the_whole_set_is_over(api_world: World) -> None:
    MatchSet.objects.filter(pk=api_world.set.pk).update(status=MatchSet.Status.OPEN, ended_at=None, rated=False)
    match = ask("GET", f"matches/{api_world.match.pk}", credentials("other", api_world)).json()
    failed = next(seat for seat in match["seats"] if seat["bot"] == "Difference")
    assert (failed["verdict"], failed["faults"], failed["stderr"]) == ("timed out", None, None)


@pytest.mark.parametrize(("asker", "sees"), [("owner", True), ("other", True), ("anonymous", False), ("staff", True)])
def test_which_worker_played_is_for_the_owners_of_bots_in_the_match(asker: str, sees: bool, api_world: World) -> None:
    [attempt] = ask("GET", f"matches/{api_world.match.pk}", credentials(asker, api_world)).json()["attempts"]
    assert (attempt["worker"], attempt["reason"]) == (("tester/1", "") if sees else (None, None))


@pytest.mark.parametrize(("asker", "sees"), [("owner", True), ("other", False), ("anonymous", False), ("staff", True)])
def test_the_report_of_a_check_is_for_the_bots_owner(asker: str, sees: bool, api_world: World) -> None:
    person = credentials(asker, api_world)
    Version.objects.filter(pk=api_world.version.pk).update(note="bids lower")
    examinations.begin_examination(api_world.version)
    shown = ask("GET", f"bots/{api_world.bot.pk}/versions/1", person).json()
    [listed] = ask("GET", f"bots/{api_world.bot.pk}/versions", person).json()["results"]
    findings, examination, _ = shown.pop("findings"), shown.pop("examination"), shown.pop("waits_for")
    assert shown == listed
    assert (shown["report"] is not None, shown["check_match"] is not None, findings is not None) == (sees, sees, sees)
    assert (examination is not None, shown["note"] == "bids lower") == (sees, sees)


@pytest.mark.parametrize(
    "secret", ["", "wrong", "a worker under test\xff", "a worker under test", "tester:" + "0" * 64]
)
def test_only_the_workers_secret_is_a_workers(secret: str, api_world: World) -> None:
    answer = ask("GET", f"bundles/{api_world.version.bundle_id}", f"Worker {secret}")
    assert refused(answer) == (401, "bad_worker_token")


def test_a_blocked_worker_gets_no_bundle(api_world: World) -> None:
    address, key = f"bundles/{api_world.version.bundle_id}", f"Worker {worker_token('tester')}"
    Worker.objects.create(name="tester", status=Worker.Status.BLOCKED)
    assert ask("GET", address, key).json()["code"] == "worker_blocked"
    assert ask("GET", address, f"Worker {worker_token('another')}").json()["code"] == "not_sent"


def test_a_worker_gets_the_bundles_of_the_order_that_it_was_sent_while_it_is_in_hand(api_world: World) -> None:
    played = create_set(ladder=api_world.ladder, versions=[api_world.version.pk, api_world.rivals.pk])
    order = order_of_set(played, claim(match_set=played))
    [match, other], key = order.matches, f"Worker {worker_token('tester')}"

    def fetch(shown: str, bundle: str = order.competitors[0].bundle) -> int:
        status: int = ask("GET", f"bundles/{bundle}", key, **{TICKET: shown}).status_code
        return status

    shown = ticket("match", match.match, match.lease, match.secret)
    assert fetch(shown) == 200
    assert fetch(shown, an_upload(a_bot()).bundle_id) == 403, "it does not play in that match"
    for wrong in (
        "",
        "x",
        ticket("match", match.match, 2, match.secret),
        ticket("match", match.match, 1, other.secret),
    ):
        assert fetch(wrong) == 403
    assert fetch(ticket("practice", match.match, match.lease, match.secret)) == 403
    assert fetch(ticket("match", match.match, 10**20, "0" * 64)) == 403
    assert {record_report(report) for report in reports(order)} == {"recorded"}
    assert fetch(shown) == 410, "the match is over"


def test_the_lease_of_a_match_under_way_is_shown_to_nobody(api_world: World) -> None:
    played = create_set(ladder=api_world.ladder, versions=[api_world.version.pk, api_world.rivals.pk])
    [match, *_] = claim(match_set=played)
    for asker in ("owner", "staff", "anonymous"):
        [attempt] = ask("GET", f"matches/{match.pk}", credentials(asker, api_world)).json()["attempts"]
        assert (attempt["outcome"], attempt["lease"]) == ("sent", None)


def test_without_a_worker_token_nobody_is_a_worker(settings: object, api_world: World) -> None:
    settings.WORKER_TOKEN = ""  # type: ignore[attr-defined]
    for header in ("Worker", "Worker "):
        assert refused(ask("GET", f"bundles/{api_world.version.bundle_id}", header)) == (401, "bad_worker_token")
