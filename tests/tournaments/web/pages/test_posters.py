"""Where newcomers meet the games: home, lobby, docs and link previews."""

import pytest
from django.conf import settings
from django.test import Client

from bots.viewer.posters import pitch_of, poster_of
from engine.games import GAMES, OWN
from tests.factories import a_completed_set, a_ladder, a_version
from tests.tournaments.web.pages.html import Html
from tournaments.core.config.game_titles import title_of_game
from tournaments.models import Ladder, Match
from tournaments.web.pages.home import Card, game_cards

pytestmark = pytest.mark.django_db


def see(path: str, client: Client | None = None) -> Html:
    page = Html((client or Client()).get(path).content.decode())
    assert path.startswith("/docs/") or page.faults() == []
    return page


def a_ladder_of_each() -> None:
    for game in GAMES.values():
        a_ladder(game.name, title=game.title, game=game.name, rules=game.version)


def posters(page: Html) -> list[dict[str, str]]:
    return [image for image in page.all("img") if image.get("class") == "poster"]


@pytest.mark.parametrize("path", ["/", "/play/", "/docs/games/"])
def test_every_game_has_its_poster_in_words_its_players_and_how_long_it_takes(path: str) -> None:
    a_ladder_of_each()
    page = see(path)
    shown = {image["src"]: image for image in posters(page)}
    for game in OWN:
        poster, players = poster_of(game), GAMES[game].players
        assert poster
        image = shown[f"/static/games/{game}/poster.svg"]
        assert (image["alt"], image["loading"]) == (poster.drawing, "lazy")
        facts = f"{players[0]} to {players[-1]} players · about {poster.minutes} minutes · {poster.rules}"
        assert facts in page.text
        assert pitch_of(game) in page.text


def test_a_poster_leads_to_a_game_against_bots_and_to_the_rules() -> None:
    a_ladder_of_each()
    addresses = {link["href"] for link in see("/").all("a")}
    for game in OWN:
        assert {f"/play/now/?game={game}", f"/docs/games/{game}/", f"/ladders/{game}/"} <= addresses


def test_a_game_with_several_ladders_names_each_and_one_without_any_is_not_to_be_played() -> None:
    for name in ("arena", "bazaar"):
        a_ladder(name, title=name.title())
    page = see("/")
    assert page.text.index("Arena : Nobody leads yet.") < page.text.index("Bazaar : Nobody leads yet.")
    addresses = {link["href"] for link in page.all("a")}
    assert "/docs/games/kaiju/" in addresses
    assert "/play/now/?game=kaiju" not in addresses


def test_games_with_ladders_come_first() -> None:
    card = Card(Ladder(game="network", title="Network"), None, 0, 0, 0)
    first, *later = game_cards([card])
    assert (first.name, first.named, [other.named for other in later]) == ("network", card.ladder, [None] * 4)
    assert game_cards([card, card])[0].named is None
    assert [game.title for game in game_cards([])] == [title_of_game(game) for game in GAMES]


def test_the_front_page_shows_a_match_with_its_game_what_has_just_happened_and_who_plays() -> None:
    versions = [a_version() for _ in range(3)]
    a_completed_set(a_ladder("arena"), versions)
    page = see("/")
    latest = Match.objects.latest("pk")
    assert "Zaibatsu" in page.text
    [sentence] = [element for tag, element in page.elements if "data-now" in element]
    assert sentence["class"] == "now"
    for version in versions:
        assert version.bot.name in page.text
    assert sum(element.get("class") == "emblem" for element in page.all("svg")) == len(versions)
    links = [link["href"] for link in page.all("a") if "button" in link.get("class", "")]
    assert links[:3] == ["/play/now/", "/live/", "#take-part"]
    assert {"href": f"/matches/{latest.pk}/"} in page.all("a")


def test_a_page_of_a_game_has_its_poster_for_who_shows_a_link_to_it() -> None:
    a_ladder("tide", title="Tide", game="kaiju", rules=GAMES["kaiju"].version)
    for path in ("/docs/games/kaiju/", "/ladders/tide/"):
        [picture] = [tag["content"] for tag in see(path).all("meta") if tag.get("property") == "og:image"]
        assert picture == f"{settings.SITE_URL}/games/kaiju/poster.png"
    answer = Client().get("/games/kaiju/poster.png")
    assert (answer["Content-Type"], answer.content[:4]) == ("image/png", b"\x89PNG")
    assert "max-age=604800" in answer["Cache-Control"]
    assert len(answer.content) < 100_000


@pytest.mark.parametrize("game", ["gone", "zaibatsu-2"])
def test_a_game_that_is_not_here_has_no_picture(game: str) -> None:
    assert Client().get(f"/games/{game}/poster.png").status_code == 404


def test_in_german_the_facts_are_german() -> None:
    a_ladder_of_each()
    page = Client().get("/play/", headers={"Accept-Language": "de"}).content.decode()
    assert "2 bis 4 Mitspieler" in page
    assert "einfache Regeln" in page
