"""Results that are held back: every page and every address of the API, asked by everybody."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache

from engine.referee import Verdict
from tests.again import again
from tests.factories import a_version, play_set
from tests.holding import KNOCKOUT, a_running, an_organiser, fresh, open_sets, play_out
from tests.tournaments.web.api.asking import ask, strict_document
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.routes import routes
from tournaments.core.accounts.api_tokens import make_token
from tournaments.features.events.lifecycle import release_round
from tournaments.models import Entrant, Event, Match, Seat, User

pytestmark = pytest.mark.django_db
SECRET = "what its stderr said"
EVIDENCE = "it failed because the test wants it to"


def held_back() -> Event:
    """A cup of four, played to its end, nothing released; the losers crashed, and wrote to stderr."""
    event = a_running(4, KNOCKOUT, released=0)
    event = play_out(event)
    assert event.status == "finished"
    Seat.objects.filter(match__set__event=event).update(stderr=SECRET)
    return event


def of_the_ends(event: Event, listed: Callable[[Event, Match, Entrant], Iterator[str]]) -> list[str]:
    """The addresses of the winner and of the last, each once."""
    match = Match.objects.filter(set__event=event).earliest("pk")
    ends = event.entrants.filter(place__in=(1, 4))
    return list(dict.fromkeys(address for entrant in ends for address in listed(event, match, entrant)))


def asker(event: Event, name: str) -> User | None:
    """A visitor (None), somebody else, or the owner of the winner or of the last."""
    if name == "nobody":
        return None
    if name == "another":
        return a_version().bot.owner
    return event.entrants.get(place=1 if name == "the winner" else 4).bot.owner


ASKERS = ["nobody", "the winner", "another", "the last"]


def pages(event: Event, match: Match, entrant: Entrant) -> Iterator[str]:
    """Yield every page that can be asked for, with what belongs to the event put in."""
    values = {"slug": event.slug, "number": str(entrant.bot_id), "entry": "1"}
    for pattern in routes():
        route = str(pattern.pattern)
        filled = re.sub(r"<\w+:(\w+)>", lambda part: values.get(part[1], "x"), route)
        yield f"/{filled}"
    yield f"/ladders/{event.ladder.slug}/"
    yield f"/matches/{match.pk}/"
    yield from (f"/search/?q={match.pk}", f"/matches/?event={event.slug}", f"/matches/?bot={entrant.bot.name}")


def addresses(event: Event, match: Match, entrant: Entrant) -> Iterator[str]:
    """Yield every address of the API, with what belongs to the event put in."""
    values = {
        "slug": event.slug,
        "match": match.pk,
        "bot": entrant.bot_id,
        "entrant": entrant.pk,
        "number": 1,
        "sha256": "0" * 64,
    }
    for path in strict_document()["paths"]:
        yield re.sub(r"\{(\w+)\}", lambda part: str(values.get(part[1], 1)), path)
    yield from (f"/api/v1/matches?event={event.slug}", f"/api/v1/matches?bot={entrant.bot_id}&status=done")
    yield from (f"/api/v1/ladders/{event.ladder.slug}/standings", f"/api/v1/search?q={match.pk}")


def secrets_of(event: Event) -> list[str]:
    """Words that give the event away: its matches, who won, evidence."""
    winner = event.entrants.get(place=1).bot
    matches = [f"/matches/{match.pk}/" for match in Match.objects.filter(set__event=event)]
    return [SECRET, EVIDENCE, f"by {winner.owner} wins.", "Place 1", *matches]


def hidden_in(text: str, secrets: list[str]) -> list[str]:
    return [secret for secret in secrets if secret in text]


@pytest.mark.parametrize("name", ASKERS)
def test_no_page_gives_away_what_is_held_back(name: str) -> None:
    event = again(held_back)
    match = Match.objects.filter(set__event=event).earliest("pk")
    client, secrets = signed_in(asker(event, name)), secrets_of(event)
    for page in of_the_ends(event, pages):
        text = client.get(page).content.decode().replace(f'name="back" value="{page}"', "")  # which was asked for
        assert (page, hidden_in(text, secrets)) == (page, [])
    assert client.get(f"/matches/{match.pk}/").status_code == 404


@pytest.mark.parametrize("name", ASKERS)
def test_no_address_of_the_api_gives_away_what_is_held_back(name: str) -> None:
    event = again(held_back)
    matches = set(Match.objects.filter(set__event=event).values_list("pk", flat=True))
    asks, secrets = asker(event, name), secrets_of(event)
    user = asks and f"Token {make_token(user=asks, name='of a test')}"
    for path in of_the_ends(event, addresses):
        cache.clear()  # of how often somebody has asked: a refusal of the rate gives nothing away
        answer = ask("GET", path, user)
        assert (path, answer.status_code) != (path, 429)
        body = answer.getvalue()
        assert (path, hidden_in(body.decode(), secrets)) == (path, [])
        assert (path, ids_in(body) & matches) == (path, set())
    plan = ask("GET", f"events/{event.slug}/plan", user).json()
    assert (plan["round"], plan["done"], plan["winners"]) == (1, False, [])
    assert {line["points"] for stage in plan["stages"] for line in stage["rows"]} == {0.0}
    entrants = ask("GET", f"events/{event.slug}/entrants", user).json()["results"]
    assert {entrant["place"] for entrant in entrants} == {None}


def ids_in(content: bytes) -> set[int]:
    """Numbers of the matches that an answer names."""
    try:
        data = json.loads(content)
    except ValueError:
        return set()
    rows = data.get("results", [data]) if isinstance(data, dict) else []
    listed = {row["id"] for row in rows if isinstance(row, dict) and "turn" in row}
    return listed | {match for pairing in data.get("pairings", []) for match in pairing["matches"]}


def test_organisers_see_everything_meanwhile() -> None:
    event = again(held_back)
    staff, match = an_organiser(), Match.objects.filter(set__event=event).earliest("pk")
    assert ask("GET", f"events/{event.slug}/plan", staff).json()["done"]
    replay = ask("GET", f"matches/{match.pk}/replay", staff)
    assert (replay.status_code, "private" in replay["Cache-Control"]) == (200, True)
    text = signed_in(staff).get(f"/events/{event.slug}/").content.decode()
    assert re.search(r"by <bdi>user\d+</bdi>\s+wins\.", text)
    assert signed_in(staff).get(f"/matches/{match.pk}/").status_code == 200


def test_a_released_round_is_public_and_the_next_one_shows_who_meets_but_no_match() -> None:
    event = again(held_back)
    first, second = (
        set(Match.objects.filter(set__event=event, set__round=n).values_list("pk", flat=True)) for n in (1, 2)
    )
    release_round(event=event, by=an_organiser())
    plan = ask("GET", f"events/{event.slug}/plan").json()
    shown = {match for pairing in plan["pairings"] for match in pairing["matches"]}
    assert (shown, plan["round"], plan["done"]) == (first, 2, False)
    assert {ask("GET", f"matches/{match}").status_code for match in first} == {200}
    assert {ask("GET", f"matches/{match}").status_code for match in second} == {404}
    release_round(event=event, by=an_organiser())
    assert ask("GET", f"events/{event.slug}/plan").json()["done"]
    text = signed_in(None).get(f"/events/{event.slug}/").content.decode()
    assert re.search(r"by <bdi>user\d+</bdi>\s+wins\.", text)


def test_matches_of_sets_under_way_keep_their_secrets_in_an_event_too() -> None:
    event = a_running(4, KNOCKOUT)
    played, waiting = open_sets(event)
    loser = event.entrants.filter(version__seats__match__set=played).first()
    assert loser
    play_set(played, faults={loser.version_id or 0: Verdict.CRASHED})
    match = waiting.matches.first()
    assert match
    assert ask("GET", f"matches/{match.pk}").json()["seed"] is None
    assert ask("GET", f"matches/{match.pk}/replay").json()["code"] == "set_still_open"
    assert fresh(event).released is None
