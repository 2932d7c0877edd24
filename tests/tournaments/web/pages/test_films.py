"""The film of a match by its addresses: who sees what, in which moment, and where it is shown."""

import json
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from engine.replay import Replay, read_replay
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.models import Match, MatchSet, Result
from tournaments.web.server.request_rates import Rate

pytestmark = pytest.mark.django_db


def match_of(world: World) -> Match:
    return world.set.matches.select_related("result", "set").order_by("turn")[0]


def replay_of(match: Match) -> Replay:
    return read_replay(bytes(match.result.replay))


def see(path: str, client: Client | None = None) -> Html:
    return Html((client or Client()).get(path).content.decode())


def test_a_moment_is_drawn_told_and_left_by_links_alone(pages_world: World) -> None:
    page = see(f"/matches/{match_of(pages_world).pk}/?at=5&as=0")
    assert page.faults() == []
    links = [link["href"] for link in page.all("a") if "data-go" in link and "href" in link]
    assert "?at=4&as=0#film" in links
    assert "?at=6&as=0#film" in links
    drawn = next(svg for svg in page.all("svg") if svg.get("class") == "picture wide")
    assert drawn["aria-label"].startswith("Zaibatsu, round 1 of 4.")


@pytest.mark.parametrize("moment", ["-1", "x", "", "9" * 40, "٣"])
def test_a_moment_that_there_is_not_is_the_first_or_the_last(pages_world: World, moment: str) -> None:
    last = len(replay_of(match := match_of(pages_world)).answers)
    for part in ("", "embed/", "events.jsonl"):
        assert Client().get(f"/matches/{match.pk}/{part}", {"at": moment}).status_code == 200
    film = Client().get(f"/matches/{match.pk}/film/", {"from": moment}).json()
    assert film["frames"][0]["at"] in (0, last)


@pytest.mark.parametrize("eyes", ["9", "nobody", "-1", ""])
def test_a_perspective_that_there_is_not_is_not_found(pages_world: World, eyes: str) -> None:
    for part in ("", "film/", "embed/", "card.png", "events.jsonl"):
        answer = Client().get(f"/matches/{match_of(pages_world).pk}/{part}", {"as": eyes})
        assert (answer.status_code, "There is no perspective" in answer.content.decode()) == (404, True)


def test_frames_of_a_seat_keep_the_secrets_of_others(pages_world: World) -> None:
    match = match_of(pages_world)
    films = [json.dumps(Client().get(f"/matches/{match.pk}/film/?as={eyes}").json()) for eyes in ("all", "1")]
    assert films[0].count("is dealt") == 3 * films[1].count("is dealt")


def test_nothing_is_shown_while_the_set_is_open(pages_world: World) -> None:
    match = match_of(pages_world)
    MatchSet.objects.filter(pk=match.set_id).update(status="open", ended_at=None, rated=False)
    for user in (None, pages_world.owner, pages_world.staff):
        client = signed_in(user)
        assert client.get(f"/matches/{match.pk}/?as=0").status_code == 200
        assert "replay-film" not in client.get(f"/matches/{match.pk}/?as=0").content.decode()
        for part in ("film/", "embed/", "card.png", "board.svg", "events.jsonl", "verify/"):
            assert client.get(f"/matches/{match.pk}/{part}").status_code == 404


def test_a_replay_of_other_rules_has_scores_and_a_sentence_and_no_film(pages_world: World) -> None:
    match = match_of(pages_world)
    other = json.dumps({**_plain(match), "rules": 99}).encode()
    Result.objects.filter(match=match).update(replay=other)
    page = see(f"/matches/{match.pk}/")
    assert "This match cannot be shown: rules version 99 of zaibatsu" in page.text
    assert "Download the replay" in page.text
    for part in ("film/", "embed/", "card.png", "board.svg", "events.jsonl"):
        answer = Client().get(f"/matches/{match.pk}/{part}")
        assert (answer.status_code, answer.json()["code"]) == (409, "other_rules")
    assert "other_rules" in see(f"/matches/{match.pk}/verify/").text


def _plain(match: Match) -> dict[str, object]:
    plain: dict[str, object] = Client().get(f"/api/v1/matches/{match.pk}/replay").json()
    return plain


def test_owners_see_their_faults_beside_the_decision(pages_world: World) -> None:
    match = match_of(pages_world)
    for user, sees in ((None, False), (pages_world.other, False), (pages_world.owner, True), (pages_world.staff, True)):
        page = see(f"/matches/{match.pk}/", signed_in(user))
        assert page.faults() == []
        assert any("data-fault" in item for item in page.all("li")) is sees


def test_verifying_says_what_holds_and_what_does_not(pages_world: World) -> None:
    match = match_of(pages_world)
    page = see(f"/matches/{match.pk}/verify/")
    assert page.faults() == []
    assert "Verified" in page.text
    assert "python3 -m engine.verify" in page.text
    match.seats.filter(number=0).update(score=9_999)
    assert "Not verified" in see(f"/matches/{match.pk}/verify/").text


def test_the_embedded_page_is_for_frames_and_has_neither_cookie_nor_form(pages_world: World) -> None:
    client = signed_in(pages_world.owner)
    answer = client.get(f"/matches/{match_of(pages_world).pk}/embed/?at=7")
    page = Html(answer.content.decode())
    assert "X-Frame-Options" not in answer.headers
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "default-src 'self'" in policy
    assert not answer.cookies
    assert page.all("form") == []
    assert page.faults() == []
    assert not any("data-fault" in item for item in page.all("li"))  # not even for the owner


def test_a_link_tells_other_sites_its_title_its_sentence_and_a_picture(pages_world: World) -> None:
    match = match_of(pages_world)
    page = see(f"/matches/{match.pk}/?at=7&as=2")
    meta = {element["property"]: element["content"] for element in page.all("meta") if "property" in element}
    assert meta["og:title"].endswith(f" Zaibatsu, match {match.pk}")
    assert meta["og:url"] == f"{settings.SITE_URL}/matches/{match.pk}/?at=7&as=2"
    picture = Client().get(meta["og:image"].removeprefix(settings.SITE_URL))
    assert picture.content.startswith(b"\x89PNG")


def test_oembed_gives_a_frame_for_the_page_of_a_match_and_for_nothing_else(pages_world: World) -> None:
    match = match_of(pages_world)
    page = see(f"/matches/{match.pk}/?at=7")
    endpoint = next(link["href"] for link in page.all("link") if link.get("type") == "application/json+oembed")
    answer = Client().get(f"{endpoint}&maxwidth=500").json()
    assert (answer["type"], answer["version"], answer["width"]) == ("rich", "1.0", 500)
    (frame,) = Frames(answer["html"]).found
    assert frame["src"] == f"{settings.SITE_URL}/matches/{match.pk}/embed/?at=7&as=all"
    for address in ("", "x", f"{settings.SITE_URL}/", f"https://evil.example/matches/{match.pk}/", "http://[::1"):
        assert Client().get(f"/oembed/?url={quote(address)}").status_code == 404
    assert Client().get(f"{endpoint}&format=xml").status_code == 501


class Frames(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [dict(attrs)] if tag == "iframe" else []


def test_events_are_json_lines(pages_world: World) -> None:
    match = match_of(pages_world)
    lines = Client().get(f"/matches/{match.pk}/events.jsonl").content.decode().splitlines()
    assert json.loads(lines[0])["event"]["t"] == "setup"
    assert {json.loads(line)["at"] for line in lines} >= {0, len(replay_of(match).answers)}


def test_films_are_counted(pages_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.web.pages.replays.FILMS", Rate("few", 1, 60))
    path = f"/matches/{match_of(pages_world).pk}/film/"
    first, second = (Client().get(path) for _ in range(2))
    assert (first.status_code, first.json()["frames"][0]["at"]) == (200, 0)
    assert (second.status_code, second.json()["code"]) == (429, "too_often")
