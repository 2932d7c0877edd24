"""Guided first games as pages: walked through in both languages, without an account, a script or a row."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bots.viewer.first_games import first_game_of, lessons, recording_of
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html

pytestmark = pytest.mark.django_db
TAUGHT = [lesson.game for lesson in lessons()]


def client_in(language: str) -> Client:
    return Client(headers={"accept-language": language})


def page_of(client: Client, address: str) -> Html:
    answer = client.get(address)
    assert answer.status_code == 200
    page = Html(answer.content.decode())
    assert page.faults() == []
    return page


def doc_of(name: str) -> Html:
    return Html(Client().get(reverse("doc", args=[name])).content.decode())


def addresses(page: Html) -> list[str]:
    return [link["href"] for link in page.all("a") if "href" in link]


def choices(page: Html) -> list[str]:
    return [address.partition("#")[0] for address in addresses(page) if address.startswith("?choice=")]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", TAUGHT)
def test_every_step_can_be_walked_and_every_other_choice_tried(game: str, language: str) -> None:
    client, lesson = client_in(language), first_game_of(game)
    assert lesson
    for number, decision in enumerate(lesson.decisions, 1):
        path = reverse("learn-step", args=[game, number])
        page = page_of(client, path)
        assert len(choices(page)) == len(decision.choices)
        for choice, address in zip(decision.choices, choices(page), strict=True):
            if choice is decision.lesson:
                onward = client.get(path + address)
                assert (onward.status_code, onward["Location"]) == (302, reverse("learn-step", args=[game, number + 1]))
            else:
                again = page_of(client, path + address)
                assert [paragraph["role"] for paragraph in again.all("p") if paragraph.get("role") == "alert"] == [
                    "alert"
                ]
                assert choices(again) == choices(page)
    end = client.get(reverse("learn-step", args=[game, len(lesson.decisions) + 1])).content.decode()
    shown = [int(score) for score in re.findall(r"<b data-worth>(\d+)</b>", end)]
    assert shown == recording_of(game).result.scores
    assert reverse("doc", args=["write-a-bot"]) in end
    assert f"{reverse('play-now')}?game={game}" in end


def test_each_is_listed_and_linked_from_its_rules_and_where_games_begin(pages_world: World) -> None:
    listed = addresses(page_of(Client(), reverse("learn")))
    begin = {game: reverse("learn-step", args=[game, 1]) for game in TAUGHT}
    assert set(begin.values()) <= set(listed)
    for game, address in begin.items():
        assert address in addresses(doc_of(f"games/{game}"))
    assert begin[pages_world.ladder.game] in addresses(page_of(Client(), reverse("play")))
    assert not set(begin.values()) & set(addresses(doc_of("games")))


@pytest.mark.parametrize("address", ["nowhere/1/", "zaibatsu/0/", "zaibatsu/10/", "zaibatsu/99999999999999/"])
def test_there_are_no_other_steps(address: str) -> None:
    assert client_in("en").get(f"/learn/{address}").status_code == 404


@pytest.mark.parametrize("choice", ["0", "4", "-1", "x", "1e3", "9" * 30, "%00", "²"])
def test_no_other_choice_leads_anywhere(choice: str) -> None:
    page = page_of(Client(), f"/learn/zaibatsu/1/?choice={choice}")
    assert [paragraph for paragraph in page.all("p") if paragraph.get("role") == "alert"] == []


def test_a_step_is_the_same_for_all_reads_no_row_and_may_be_kept(pages_world: World) -> None:
    address = reverse("learn-step", args=["kaiju", 5])
    client = Client()
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    assert len(queries) == 0
    assert "s-maxage" in answer["Cache-Control"]
    assert not answer.cookies
    assert client.post(address).status_code == 405
    owner = signed_in(pages_world.owner).get(address)
    assert owner.status_code == 200
    assert "private" in owner["Cache-Control"]
