"""What somebody may have so many of, they do not get one more of by asking twice at once."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Any

import pytest
from django.db import connection, transaction

from tests.factories import SAMPLE, a_bot, a_ladder, a_user, a_version, an_upload
from tests.spaces import a_space
from tournaments.core.accounts import api_tokens
from tournaments.core.errors import Refused
from tournaments.core.notices import webhooks
from tournaments.features.drafts.rules import DRAFTS, begin_draft
from tournaments.features.follow.rules import FOLLOWED, start_following
from tournaments.features.friendlies.rules import ask_friendly_set
from tournaments.features.teams import rules as teams
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Follow, User

Verb = Callable[[], object]
pytestmark = pytest.mark.django_db(transaction=True)


def outcome_beside(first: Verb, second: Verb) -> str:
    """The code by which `second` is refused, or "done", when it comes while `first` is done and not committed yet."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            came = pool.submit(_code, second)
            _wait_until_it_waits(came)
        return came.result()


def _code(verb: Verb) -> str:
    try:
        verb()
    except Refused as refused:
        return refused.code
    finally:
        connection.close()
    return "done"


def _wait_until_it_waits(came: "Future[str]") -> None:
    """Wait for the other to end, or to wait for us to."""
    over, pause = Event(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    came.add_done_callback(lambda _: over.set())
    with connection.cursor() as cursor:
        while not over.wait(0.01):
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(pause + " AND datname = current_database()")
            if cursor.fetchone()[0]:
                return


def hooks(user: User, _settings: Any) -> Verb:
    for number in range(webhooks.MOST - 1):
        webhooks.add_webhook(user=user, url=f"https://example.org/{number}", kinds=["fault"])
    return lambda: webhooks.add_webhook(user=user, url="https://example.org/", kinds=["fault"])


def bots(user: User, settings: Any) -> Verb:
    settings.BOTS_AN_OWNER = 1
    names = iter(("One bot", "Another"))
    return lambda: create_bot(owner=user, game="zaibatsu", name=next(names))


def keys(user: User, _settings: Any) -> Verb:
    for number in range(api_tokens.MOST - 1):
        api_tokens.make_token(user=user, name=f"key {number}")
    return lambda: api_tokens.make_token(user=user, name="one more")


def uploads(user: User, settings: Any) -> Verb:
    settings.UPLOADS_A_DAY = 1
    of_theirs = iter([a_bot(user), a_bot(user)])
    return lambda: an_upload(next(of_theirs))


def sources(user: User, _settings: Any) -> Verb:
    text = SAMPLE.decode()
    for _ in range(DRAFTS - 1):
        begin_draft(owner=user, game="zaibatsu", source=text)
    return lambda: begin_draft(owner=user, game="zaibatsu", source=text)


def crews(user: User, _settings: Any) -> Verb:
    for number in range(teams.MOST_TEAMS - 1):
        teams.create_team(name=f"crew {number}", by=user)
    names = iter(("One team", "Another"))
    return lambda: teams.create_team(name=next(names), by=user)


def friendlies(user: User, settings: Any) -> Verb:
    settings.FRIENDLIES_OPEN = 1
    ladder, mine, opponent = a_ladder(players=2), a_version(a_bot(user)).bot, a_version().bot
    enter_in_ladder(ladder=ladder, bot=opponent, by=opponent.owner)
    return lambda: ask_friendly_set(ladder=ladder, bot=mine, against=[opponent], by=user)


def follows(user: User, _settings: Any) -> Verb:
    people = User.objects.bulk_create(User(username=f"p{number}") for number in range(FOLLOWED.most + 1))
    Follow.objects.bulk_create(Follow(user=user, person=person) for person in people[2:])
    targets = iter(people[:2])
    return lambda: start_following(user=user, target=next(targets))


QUOTAS: dict[str, Callable[[User, Any], Verb]] = {
    "too_many_follows": follows,
    "too_many_webhooks": hooks,
    "too_many_bots": bots,
    "too_many_tokens": keys,
    "too_many_uploads": uploads,
    "too_many_drafts": sources,
    "too_many_teams": crews,
    "too_many_open": friendlies,
}


@pytest.mark.parametrize("code", QUOTAS)
def test_the_last_one_that_is_free_is_given_once(code: str, settings: Any) -> None:
    verb = QUOTAS[code](a_user(), settings)
    assert outcome_beside(verb, verb) == code


def test_two_organisers_get_the_last_webhook_of_a_space_once() -> None:
    organiser, other = a_user(staff=True), a_user(staff=True)
    space = a_space("chess", organiser=organiser)
    for number in range(webhooks.MOST - 1):
        webhooks.add_webhook(user=organiser, url=f"https://example.org/{number}", of=space)
    verbs = [
        partial(webhooks.add_webhook, user=user, url="https://example.org/", of=space) for user in (organiser, other)
    ]
    assert outcome_beside(*verbs) == "too_many_webhooks"
    assert space.webhooks.count() == webhooks.MOST


def test_whoever_counts_an_owners_things_does_not_hold_up_what_concerns_them(settings: Any) -> None:
    owner = a_user()
    verb = bots(owner, settings)
    assert outcome_beside(verb, lambda: owner.notices.create(kind="test", key="x", text="x", path="/")) == "done"
