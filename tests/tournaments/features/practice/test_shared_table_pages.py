"""Several people at one table, by its pages: each sees what their own seat may see, and nothing of the others'."""

import json
from random import Random
from typing import Any

import pytest
from django.test import Client

from bots.viewer.frames import frame_of
from bots.viewer.player import Perspective, Projector
from engine.games import GAMES
from engine.games.zaibatsu import CARDS
from engine.records import to_plain
from tests.factories import a_ladder, a_user
from tests.practising import a_shared_table, answer_by_the_book, everything_by_the_book
from tests.tournaments.features.practice.test_pages import SHORT, Forms, filled
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.features.practice.gathering import take_seat
from tournaments.features.practice.seats import INVITED, PERSON
from tournaments.features.practice.start import begin_practice
from tournaments.features.practice.turns import PracticeState, replay_of_practice
from tournaments.models import Practice, User

pytestmark = [pytest.mark.django_db]
SECRET = "what its stderr said"
JSON = {"accept": "application/json"}


def fresh(practice: Practice) -> Practice:
    return Practice.objects.select_related("ladder", "owner").get(pk=practice.pk)


def two_at(game: str, host: User, guest: User, answers: int) -> Practice:
    """A game of two people after so many answers."""
    options = to_plain(GAMES[game].read_options(SHORT[game]))
    ladder = a_ladder(game=game, rules=GAMES[game].version, options=options)
    practice = begin_practice(by=host, ladder=ladder, seats=[PERSON, INVITED], seed=f"a seed of {game}")
    take_seat(key=practice.invite_key, by=guest)
    for _ in range(answers):
        answer_by_the_book(fresh(practice))
    return fresh(practice)


def frames_of(practice: Practice, seat: int) -> list[Any]:
    """Frames that a bot's owner would be shown of a game in which this seat is theirs."""
    show = Projector(replay_of_practice(practice), Perspective.of(seat))
    show.begin()
    show.show([], [])
    frames = []
    while show.can_go_on:
        frames.append(frame_of(show.show(*show.step())))
    return list(json.loads(json.dumps(frames)))


@pytest.mark.parametrize("game", GAMES)
def test_pages_frames_and_api_show_each_what_their_seat_may_see(game: str) -> None:
    host, guest = a_user("hanna"), a_user("gregor")
    practice = two_at(game, host, guest, 1 if game == "network" else 9)  # two passes end that one
    position = PracticeState.of(practice)
    for seat, person in ((0, host), (1, guest)):
        state = signed_in(person).get(f"/play/{practice.pk}/state/?from=0").json()
        assert state["frames"] == frames_of(practice, seat)
        shown = ask("GET", f"practices/{practice.pk}", person).json()
        asked = seat in position.people_asked(practice)
        assert (shown["your_seat"], shown["asked"] is not None) == (seat, asked)
        assert not asked or shown["asked"]["view"] == to_plain(position.run.game.see(position.run.match.at, seat))
        page = signed_in(person).get(f"/play/{practice.pk}/").content.decode()
        assert practice.seed not in page + json.dumps(state) + json.dumps(shown)


def test_no_card_of_another_hand_is_on_anybodys_page(pages_world: World) -> None:
    practice = a_shared_table(pages_world.owner, pages_world.ladder, pages_world.other)
    hands: Any = PracticeState.of(practice).run.match.at.hands  # type: ignore[attr-defined]
    for seat, person in ((0, pages_world.owner), (1, pages_world.other)):
        shown = "".join(
            signed_in(person).get(f"/play/{practice.pk}/{part}").content.decode() for part in ("", "state/?from=0")
        )
        shown += ask("GET", f"practices/{practice.pk}", person).content.decode()
        for hand in (hand for other, hand in enumerate(hands) if other != seat):
            assert not [card for card in hand if CARDS[card].name in shown or f'"{card}"' in shown]
    assert signed_in(a_user()).get(f"/play/{practice.pk}/").status_code == 404


def test_what_a_program_is_told_differs_by_the_seat_alone(pages_world: World) -> None:
    practice = a_shared_table(pages_world.owner, pages_world.ladder, pages_world.other)
    documents = [
        ask("GET", f"practices/{practice.pk}", person).json() for person in (pages_world.owner, pages_world.other)
    ]
    differing = {key for key in documents[0] if documents[0][key] != documents[1][key]}
    assert differing == {"your_seat", "asked"}


def test_what_the_hosts_bots_said_stays_back_until_the_end(pages_world: World) -> None:
    practice = a_shared_table(pages_world.owner, pages_world.ladder, pages_world.other)
    evidence = {"stderr": {"2": SECRET}, "faults": []}
    Practice.objects.filter(pk=practice.pk).update(report=evidence)
    host, guest = signed_in(pages_world.owner), signed_in(pages_world.other)

    def seen_by(client: Client, person: User) -> bool:
        text = ask("GET", f"practices/{practice.pk}", person).content.decode()
        return SECRET in client.get(f"/play/{practice.pk}/").content.decode() + text

    assert (seen_by(host, pages_world.owner), seen_by(guest, pages_world.other)) == (False, False)
    everything_by_the_book(practice)
    Practice.objects.filter(pk=practice.pk).update(report=evidence)
    assert (seen_by(host, pages_world.owner), seen_by(guest, pages_world.other)) == (True, False)


def test_when_it_is_over_each_sees_the_whole_and_can_share_it(pages_world: World) -> None:
    practice = a_shared_table(pages_world.owner, pages_world.ladder, pages_world.other)
    guest = signed_in(pages_world.other)
    assert {guest.get(f"/play/{practice.pk}/{part}/").status_code for part in ("film", "replay")} == {404}
    everything_by_the_book(practice)
    assert {guest.get(f"/play/{practice.pk}/{part}/").status_code for part in ("film", "replay")} == {200}
    assert "otto (you)" in guest.get(f"/play/{practice.pk}/").content.decode()
    guest.post(f"/play/{practice.pk}/share/")
    link = f"/play/shared/{fresh(practice).share_key}/"
    assert Client().get(link).status_code == 200
    signed_in(pages_world.owner).post(f"/play/{practice.pk}/take-back/")
    assert Client().get(link).status_code == 404


def test_a_table_is_made_and_joined_and_played_by_its_pages(pages_world: World) -> None:
    host, guest = signed_in(pages_world.owner), signed_in(pages_world.other)
    chosen = {"players": "2", "seat": "0", "opponent-1": "invited", "hours": "72"}
    host.post("/play/under/arena/", chosen)
    practice = Practice.objects.latest("pk")
    table = host.get(f"/play/{practice.pk}/").content.decode()
    link = f"/play/join/{practice.invite_key}/"
    assert link in table
    assert "hand" not in host.get(f"/play/{practice.pk}/state/").json()
    offered = guest.get(link).content.decode()
    assert ("Take seat 1" in offered, "3 days" in offered) == (True, True)
    roster = host.get(f"/play/{practice.pk}/state/").json()["roster"]
    assert guest.post(link)["Location"] == f"/play/{practice.pk}/"
    assert host.get(f"/play/{practice.pk}/state/").json().get("roster") != roster
    both_play_once({0: host, 1: guest}, practice)


def both_play_once(clients: dict[int, Client], practice: Practice) -> None:
    """Play two answers. Whoever is not asked is told for whom the game waits, and has nothing to send."""
    for _ in range(2):
        [asked] = fresh(practice).waits_for
        pages = {seat: client.get(f"/play/{practice.pk}/").content.decode() for seat, client in clients.items()}
        assert "Waiting for" in pages[1 - asked]
        assert not Forms(pages[1 - asked]).ways
        assert clients[1 - asked].get(f"/play/{practice.pk}/state/").json()["status"] == "waiting"
        sent = filled(Forms(pages[asked]).ways[0], Random(5))
        taken = clients[asked].post(f"/play/{practice.pk}/", sent, headers=JSON).json()["panel"]
        assert ('role="alert"' in taken, "What you sent" in taken) == (False, False)
        late = clients[asked].post(f"/play/{practice.pk}/", sent, headers=JSON).json()["panel"]
        assert ("gone on since this page was shown" in late, "What you sent" in late) == (True, "Your turn" not in late)


def test_a_lobby_says_whose_turn_it_is(pages_world: World) -> None:
    a_shared_table(pages_world.owner, pages_world.ladder, pages_world.other)
    lobbies = [signed_in(person).get("/play/").content.decode() for person in (pages_world.owner, pages_world.other)]
    assert ["It is your turn" in lobby for lobby in lobbies] == [True, False]
    assert "Others have to answer" in lobbies[1]
