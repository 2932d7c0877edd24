"""People play: every question of every game is a form that can be answered with what is on the page alone."""

import json
import re
from collections.abc import Iterator
from html import escape, unescape
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest
from django.test import Client

from engine.games import GAMES
from engine.games.zaibatsu import CARDS
from engine.records import to_plain
from engine.replay import read_replay, verify
from tests.factories import a_ladder, a_user
from tests.practising import a_practice, bots_answer
from tests.thorough import budget
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.features.practice.seats import PERSON, Sample
from tournaments.features.practice.start import begin_practice
from tournaments.features.practice.turns import PracticeState
from tournaments.models import Draft, Practice, User

pytestmark = [pytest.mark.django_db]
SHORT: dict[str, dict[str, object]] = {  # every kind of question, and an end in sight
    "zaibatsu": {"players": 2, "piles": "closed"},
    "kaiju": {"players": 2, "max_turns": budget(20, full=60)},
    "gigabucks": {"players": 2, "talk": "typed", "max_rounds": 25, "currency": 200},
    "network": {"players": 2},
    "shangzhou": {"players": 2, "talk": "private", "max_turns": 4, "home_layout": "choose", "max_expansions": 4},
}


class Forms(HTMLParser):
    """The forms of a page that answer: for each its controls by name, as (kind, values), and its buttons."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ways: list[dict[str, Any]] = []
        self._way: dict[str, Any] | None = None
        self._select = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form" and "data-way" in attributes:
            self._way = {"fixed": [], "controls": [], "buttons": []}
            self.ways.append(self._way)
        elif self._way is not None:
            self._control(tag, attributes)

    def _control(self, tag: str, attributes: dict[str, str]) -> None:
        assert self._way is not None
        name, value, kind = attributes.get("name", ""), attributes.get("value", ""), attributes.get("type", "")
        if tag == "button":
            self._way["buttons"].append((name, value))
        elif tag == "select":
            self._way["controls"].append(("select", name, []))
        elif tag == "option" or kind in ("radio", "checkbox"):
            self._choice(kind or "select", name, value)
        elif tag == "input" and kind == "hidden":
            self._way["fixed"].append((name, value))
        elif tag == "input":
            self._way["controls"].append((kind, name, [attributes.get("min", ""), attributes.get("max", ""), value]))

    def _choice(self, kind: str, name: str, value: str) -> None:
        assert self._way is not None
        last = self._way["controls"][-1] if self._way["controls"] else ("", "", [])
        if kind != "select" and (last[0], last[1]) != (kind, name):
            last = (kind, name, [])
            self._way["controls"].append(last)
        last[2].append(value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._way = None


def filled(form: dict[str, Any], dice: Random) -> dict[str, list[str]]:
    """The form as a person might fill it, who often leaves things as they are."""
    sent: dict[str, list[str]] = {}
    for name, value in [*form["fixed"], *_chosen(form, dice), dice.choice(form["buttons"])]:
        if name:
            sent.setdefault(name, []).append(value)
    return sent


def _chosen(form: dict[str, Any], dice: Random) -> Iterator[tuple[str, str]]:
    for kind, name, values in form["controls"]:
        if kind == "checkbox":
            yield from ((name, value) for value in values if dice.random() < 0.3)
        elif kind in ("select", "radio"):
            resigns = name.startswith("resign") and dice.random() > 0.02
            yield name, values[0] if resigns else dice.choice(values)
        elif kind == "number":
            low, high, usual = map(int, values)
            yield name, str(usual if dice.random() < 0.6 else dice.randint(low, high))
        else:
            yield name, dice.choice(["", "", "well played"])


def a_seated(game: str, person: User) -> Practice:
    options = to_plain(GAMES[game].read_options(SHORT[game]))
    ladder = a_ladder(game=game, rules=GAMES[game].version, options=options)
    return begin_practice(by=person, ladder=ladder, seats=[PERSON, Sample("random")], seed=f"a seed of {game}")


def play_by_the_page(client: Client, practice: Practice, dice: Random) -> Practice:
    """Play to the end by what the page shows alone. What is refused is said, and tried otherwise."""
    address, text = f"/play/{practice.pk}/", ""
    for _ in range(4_000):
        practice = Practice.objects.only("pk", "status", "turn").get(pk=practice.pk)
        if practice.status == Practice.Status.WAITING:
            assert bots_answer(practice) == "taken"
            text = ""
        elif practice.status == Practice.Status.ASKING:
            text = text or client.get(address).content.decode()
            answer = client.post(
                address, filled(dice.choice(Forms(text).ways), dice), headers={"accept": "application/json"}
            )
            state = json.loads(answer.content)
            text = state["panel"]
            assert ('role="alert"' in text) == ("Nothing was answered yet" in text)
        else:
            break
    return Practice.objects.get(pk=practice.pk)


@pytest.mark.parametrize("game", GAMES)
def test_a_person_can_play_every_game_to_its_end_with_the_controls_of_the_page(game: str) -> None:
    person = a_user()
    practice = play_by_the_page(signed_in(person), a_seated(game, person), Random(game))
    assert practice.status == "over", practice.reason
    verify(read_replay(bytes(practice.replay or b"")))
    text = signed_in(person).get(f"/play/{practice.pk}/").content.decode()
    assert "The result" in text
    assert "replay-film" in text


def test_without_an_account_the_lobby_leads_to_a_game_at_once(pages_world: World) -> None:
    text = signed_in(None).get("/play/").content.decode()
    assert 'href="/play/now/">Play now' in text
    assert "Choose seat and opponents" in text


def test_one_click_begins_a_game_and_seats_and_opponents_can_be_chosen(pages_world: World) -> None:
    client = signed_in(pages_world.owner)
    client.post("/play/under/arena/")
    assert sum("person" in seat for seat in Practice.objects.latest("pk").seats) == 1
    rival = pages_world.rival.versions.get()
    chosen = {"players": "2", "seat": "1", "opponent-1": f"version-{rival.pk}"}
    client.post("/play/under/arena/", chosen)
    assert Practice.objects.latest("pk").seats == [{"version": rival.pk}, {"person": True}]


def test_a_table_that_cannot_be_is_refused_with_everything_as_it_was_chosen(pages_world: World) -> None:
    draft = Draft.objects.create(owner=pages_world.other, game="zaibatsu", name="Secret", source="print(1)\n")
    client = signed_in(pages_world.owner)
    answer = client.post(
        "/play/under/arena/", {"seat": "2", "opponent-1": f"draft-{draft.pk}", "opponent-2": "sample-random"}
    )
    assert answer.status_code == 422
    assert "nobody is called" in answer.content.decode().lower()
    assert '<option value="2" selected>' in answer.content.decode()
    assert not Practice.objects.exists()


def test_a_person_sees_what_their_seat_may_see_until_it_is_over(pages_world: World) -> None:
    """The page of a position with others' secrets redrawn is the same page."""
    person = a_user()
    practice = a_seated("zaibatsu", person)
    text = signed_in(person).get(f"/play/{practice.pk}/").content.decode()
    hidden = PracticeState.of(practice).run.match.at.hands[1]  # type: ignore[attr-defined]
    assert hidden
    for card in hidden:
        assert CARDS[card].name not in text
    assert practice.seed not in text


GERMAN = {"Accept-Language": "de"}


def test_a_refused_answer_is_told_in_the_language_of_the_page_and_to_programs_in_english(pages_world: World) -> None:
    practice, client = a_practice(pages_world.owner, pages_world.ladder), signed_in(pages_world.owner)
    card = PracticeState.of(practice).run.match.questions[0].cards[0]  # type: ignore[attr-defined]
    sent = {"base": json.dumps({"t": "place", "card": card}), "pile:number": "9", "turn": "0"}
    answer = client.post(f"/play/{practice.pk}/", sent, headers=GERMAN)
    assert (answer.status_code, "Deine Antwort: legt auf Stapel 9; die Stapel sind 1 bis" in text_of(answer)) == (
        422,
        True,
    )
    sent["pile:number"] = "nine"
    answer = client.post(f"/play/{practice.pk}/", sent, headers=GERMAN)
    assert "Antwort.pile muss eine ganze Zahl sein, nicht &#x27;nine&#x27;" in text_of(answer)
    body = {"turn": 0, "action": {"t": "place", "card": card, "pile": 9}}
    path = f"/api/v1/practices/{practice.pk}/answers"
    problem = client.post(path, body, content_type="application/json", headers=GERMAN).json()
    assert problem["code"] == "illegal_answer"
    assert problem["detail"].startswith("places on pile 9; the piles are 1 to ")


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def test_the_state_comes_as_frames_since_the_last_one_seen(pages_world: World) -> None:
    practice = a_practice(pages_world.owner, pages_world.ladder)
    client = signed_in(pages_world.owner)
    sent = filled(Forms(client.get(f"/play/{practice.pk}/").content.decode()).ways[0], Random(5))
    client.post(f"/play/{practice.pk}/", {**sent, "sure": "yes"})
    bots_answer(practice)
    state = client.get(f"/play/{practice.pk}/state/?from=1").json()
    assert (state["status"], state["at"]) == ("asking", 3)
    assert [frame["at"] for frame in state["frames"]] == [2, 3]
    assert client.get(f"/play/{practice.pk}/state/?from=3").json()["frames"] == []


def test_a_game_can_be_left_and_played_again_one_seat_on(pages_world: World) -> None:
    practice = begin_practice(
        by=pages_world.owner, ladder=pages_world.ladder, seats=[PERSON, Sample("random"), Sample("marginal")]
    )
    client = signed_in(pages_world.owner)
    client.post(f"/play/{practice.pk}/again/")
    assert [seat.get("name", "person") for seat in Practice.objects.latest("pk").seats] == [
        "sample marginal",
        "person",
        "sample random",
    ]
    client.post(f"/play/{practice.pk}/leave/")
    assert Practice.objects.get(pk=practice.pk).status == "left"


def test_bots_alone_go_on_from_a_match_to_its_end(pages_world: World) -> None:
    match = pages_world.set.matches.order_by("turn")[0]
    version = pages_world.bot.versions.get()
    chosen = {f"seat-{seat}": f"version-{version.pk}" for seat in range(3)}
    signed_in(pages_world.owner).post("/play/fork/", {"match": str(match.pk), "at": "9", **chosen})
    practice = Practice.objects.get()
    assert (practice.status, practice.moment) == ("waiting", 9)
    assert bots_answer(practice) == "taken"
    answer = signed_in(pages_world.owner).get(f"/play/{practice.pk}/replay/")
    verify(read_replay(answer.content))
    assert signed_in(pages_world.owner).get(f"/play/{practice.pk}/film/?as=all").json()["frames"]


def test_without_a_script_what_would_be_sent_is_read_back_and_only_then_sent(pages_world: World) -> None:
    practice, client = a_practice(pages_world.owner, pages_world.ladder), signed_in(pages_world.owner)
    address = f"/play/{practice.pk}/"
    text = client.get(address).content.decode()
    assert " checked>" not in text
    assert " selected>" not in text
    sent = filled(Forms(text).ways[0], Random(5))
    read_back = client.post(address, sent, headers=GERMAN)
    assert (read_back.status_code, "Zu senden: Auf Stapel" in text_of(read_back)) == (200, True)
    assert Practice.objects.get(pk=practice.pk).script == []
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)"\s+value="([^"]*)">', text_of(read_back)))
    again = {name: unescape(value) for name, value in hidden.items()}
    changing = text_of(client.post(address, {**again, "sure": "no"}))
    assert f'value="{escape(sent["card:one"][0])}" checked' in changing
    assert Practice.objects.get(pk=practice.pk).script == []
    assert client.post(address, {**again, "sure": "yes"}).status_code == 302
    assert len(Practice.objects.get(pk=practice.pk).script) == 1


def test_without_a_script_an_answer_that_is_not_legal_is_refused_at_once(pages_world: World) -> None:
    practice, client = a_practice(pages_world.owner, pages_world.ladder), signed_in(pages_world.owner)
    sent = filled(Forms(client.get(f"/play/{practice.pk}/").content.decode()).ways[0], Random(5))
    del sent["card:one"]
    answer = client.post(f"/play/{practice.pk}/", sent)
    assert (answer.status_code, "Nothing was answered yet" in text_of(answer)) == (422, True)
