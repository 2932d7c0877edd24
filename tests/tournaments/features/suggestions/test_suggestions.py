"""Who may ask what a seat should have done, what workers are sent and believed, and what is shown."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client, TestCase
from django.utils import timezone

from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Verdict
from engine.replay import read_replay, write_replay
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version
from tests.practising import a_practice, everything_by_the_book
from tests.spaces import a_space
from tests.tournaments.features.examinations.test_examinations import online
from tests.tournaments.web.api.asking import Answer, ask, refused
from tests.tournaments.web.pages.html import Html
from tournaments.core.broker import queues
from tournaments.features.suggestions import recordings, rules
from tournaments.features.suggestions.tasks import receive_suggestion
from tournaments.models import MatchSet, Result, Seat, Spending, Suggestion, User
from workers.examination_orders import examination_queue
from workers.suggestion_orders import SuggestionReport, read_suggestion
from workers.suggestions import asked_at, suggest

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


def a_seat(**ladder: Any) -> Seat:
    """One of Ada's, in a match that is over."""
    played = a_completed_set(a_ladder(**ladder), [a_version(a_bot(name=name)) for name in ("Ada", "Bob", "Cleo")])
    return Seat.objects.select_related("version__bot__owner").get(
        match=played.matches.first(), version__bot__name="Ada"
    )


def answers_of(seat: Seat) -> list[int]:
    """The numbers of its answers."""
    lines: list[Any] = read_replay(bytes(Result.objects.get(match=seat.match_id).replay)).answers
    return [number for number, line in enumerate(lines) if line[0] == seat.number]


def ask_about(seat: Seat, number: int, by: User | None = None) -> Answer:
    person = by or seat.version.bot.owner
    return ask("POST", f"matches/{seat.match_id}/suggestions", person, {"at": number})


def go_on() -> int:
    """Continue suggestions, with what is sent once it is committed."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        return rules.continue_suggestions()


def worked(row: Suggestion, forge: Callable[[dict[str, Any]], object] | None = None) -> str:
    """A worker follows the present order and reports; `forge` changes the report before it is sent."""
    row.refresh_from_db()
    replay = rules.replay_of_suggestion(row)
    assert replay
    order = read_suggestion(to_plain(rules.order_of_suggestion(row, replay)))
    report = SuggestionReport(order.suggestion, order.turn, "tester/1", "tried", secret=order.secret)
    report.tried, report.playouts = suggest(asked_at(order.replay, order.at), 60, 100.0)
    plain = to_plain(report)
    if forge:
        forge(plain)
    return receive_suggestion(plain)


def an_asked(seat: Seat) -> Suggestion:
    assert ask_about(seat, answers_of(seat)[-1]).status_code == 201
    online("tester/1")
    assert go_on() == 1
    return Suggestion.objects.get()


def sent() -> int:
    length = queues.broker().llen(examination_queue())
    assert isinstance(length, int)
    return length


def page_of(seat: Seat, person: User) -> Html:
    client = Client()
    client.force_login(person)
    answer = client.get(f"/matches/{seat.match_id}/suggestions/")
    assert answer.status_code == 200
    return Html(answer.content.decode())


def test_an_owner_asks_a_worker_tries_and_the_page_lets_people_look_first() -> None:
    seat = a_seat()
    owner = seat.version.bot.owner
    row = an_asked(seat)
    assert (row.status, sent(), go_on()) == ("asked", 1, 0)
    assert "A worker tries other answers." in page_of(seat, owner).text
    assert worked(row) == "taken"
    row.refresh_from_db()
    assert (row.status, row.playouts, len(row.tried) > 1) == ("done", row.playouts, True)
    read = page_of(seat, owner)
    assert "Look at the position first: would you have done something else?" in read.text
    assert "as played" in read.text
    shown = ask("GET", f"matches/{seat.match_id}/suggestions", owner).json()["results"]
    assert [(line["at"], line["status"], line["tried"]) for line in shown] == [(row.at, "done", row.tried)]


def test_the_pages_of_a_match_and_of_a_game_lead_there_for_those_whose_seat_it_is() -> None:
    seat = a_seat()
    client = Client()
    client.force_login(seat.version.bot.owner)
    address = f"/matches/{seat.match_id}/suggestions/"
    assert address in client.get(f"/matches/{seat.match_id}/").content.decode()
    assert address not in Client().get(f"/matches/{seat.match_id}/").content.decode()
    answer = client.post(address, {"at": answers_of(seat)[0]}, follow=True)
    assert "A worker tries other answers as soon as one is free." in answer.content.decode()
    assert Suggestion.objects.get().asked_by == seat.version.bot.owner


def test_a_person_asks_about_an_own_game_and_nobody_else_does() -> None:
    ann = a_user("ann")
    game = everything_by_the_book(a_practice(ann, a_ladder()))
    number = next(number for number, line in enumerate(read_replay(bytes(game.replay or b"")).answers) if line[0] == 0)  # type: ignore[index]
    path = f"practices/{game.pk}/suggestions"
    assert ask("POST", path, ann, {"at": number}).status_code == 201
    online("tester/1")
    assert go_on() == 1
    assert worked(Suggestion.objects.get()) == "taken"
    client = Client()
    client.force_login(ann)
    assert "as played" in client.get(f"/play/{game.pk}/suggestions/").content.decode()
    assert f"/play/{game.pk}/suggestions/" in client.get(f"/play/{game.pk}/").content.decode()
    assert ask("GET", path, a_user()).status_code == 404
    assert ask("POST", path, a_user(), {"at": number}).status_code == 404


def test_asked_twice_it_is_one_and_costs_one() -> None:
    seat = a_seat()
    number = answers_of(seat)[0]
    assert [ask_about(seat, number).status_code for _ in range(3)] == [201, 201, 201]
    assert Suggestion.objects.count() == 1
    assert Spending.objects.get(budget=rules.A_DAY.name).amount == 1


def test_ten_at_once_are_bounded_for_a_person_a_day_and_for_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = a_seat()
    numbers = answers_of(seat)[:10]
    monkeypatch.setattr(rules, "A_DAY", replace(rules.A_DAY, most=4))
    tried = [ask_about(seat, number) for number in numbers]
    assert [answer.status_code for answer in tried] == [201] * 4 + [429] * 6
    assert refused(tried[-1]) == (429, "over_budget")
    monkeypatch.setattr(rules, "AT_ONCE", replace(rules.AT_ONCE, most=4))
    Spending.objects.all().delete()
    assert refused(ask_about(seat, numbers[-1])) == (429, "over_budget")
    assert Suggestion.objects.count() == 4


def test_no_answer_of_others_nor_one_that_is_none_is_asked_about() -> None:
    seat = a_seat()
    other = next(number for number in range(100) if number not in answers_of(seat))
    for number in (other, 100_000):
        assert refused(ask_about(seat, number)) == (409, "not_your_turn")
    assert ask("POST", f"matches/{seat.match_id}/suggestions", seat.version.bot.owner, {"at": "x"}).status_code == 400


def test_a_bot_that_gave_no_answer_of_its_own_is_told_so() -> None:
    versions = [a_version(a_bot(name=name)) for name in ("Ada", "Bob", "Cleo")]
    played = a_completed_set(a_ladder(), versions, faults={versions[0].pk: Verdict.CRASHED})
    seat = Seat.objects.select_related("version__bot__owner").get(match=played.matches.first(), version=versions[0])
    for number in (answers_of(seat)[0], answers_of(seat)[-1]):
        assert refused(ask_about(seat, number)) == (409, "not_played")
    assert not Suggestion.objects.exists()


def test_a_match_of_other_rules_is_refused_with_a_sentence() -> None:
    seat = a_seat()
    replay = read_replay(bytes(Result.objects.get(match=seat.match_id).replay))
    replay.rules += 1
    Result.objects.filter(match=seat.match_id).update(replay=write_replay(replay))
    assert refused(ask_about(seat, answers_of(seat)[0])) == (409, "other_rules")
    assert "which this release no longer plays" in page_of(seat, seat.version.bot.owner).text


def test_a_game_without_a_field_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = a_seat()
    monkeypatch.setattr(recordings, "has_field", lambda game: game not in GAMES)
    assert refused(ask_about(seat, answers_of(seat)[0])) == (409, "wrong_game")


def test_strangers_see_and_ask_nothing_and_an_open_set_tells_nothing() -> None:
    seat = a_seat()
    number, owner = answers_of(seat)[0], seat.version.bot.owner
    assert ask_about(seat, number, a_user()).status_code == 404
    assert refused(ask("GET", f"matches/{seat.match_id}/suggestions")) == (401, "not_signed_in")
    MatchSet.objects.update(status="open", ended_at=None, rated=False)
    assert ask_about(seat, number, owner).status_code == 404
    assert not Suggestion.objects.exists()


def test_what_is_in_a_private_space_is_not_there_for_others_and_goes_to_its_own_workers() -> None:
    ann = a_user("ann")
    space = a_space("bio1", members=[ann])
    seat = a_seat()
    MatchSet.objects.filter(pk=seat.match.set_id).update(space=space)
    assert ask_about(seat, answers_of(seat)[0]).status_code == 404  # its owner is no member
    space.members.create(user=seat.version.bot.owner)
    assert ask_about(seat, answers_of(seat)[0]).status_code == 201
    online("lab@bio1/1", "tester/1")
    type(space).objects.update(own_workers_alone=True)
    go_on()
    assert sent() == 0


def test_a_dead_worker_and_an_empty_broker_lose_nothing_and_it_ends() -> None:
    row = an_asked(a_seat())
    queues.broker().flushdb()
    online("tester/1")
    assert (rules.resend_suggestions(), go_on(), sent()) == (1, 2, 1)
    for _ in range(rules.MOST_TURNS):
        Suggestion.objects.update(until=Now() - timedelta(seconds=1))
        go_on()
    row.refresh_from_db()
    assert (row.status, row.reason) == ("failed", "no worker here has done it")
    assert worked(row).startswith("refused: turn")


def test_a_release_with_other_rules_gives_up_what_waits() -> None:
    seat = a_seat()
    ask_about(seat, answers_of(seat)[0])
    Suggestion.objects.update(rules=99)
    online("tester/1")
    assert (go_on(), sent(), Suggestion.objects.get().status) == (1, 0, "failed")
    assert ask_about(seat, answers_of(seat)[0]).json()["status"] == "waiting", "it can be asked for again"


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "no answers": lambda plain: plain.update(tried=[]),
    "too many": lambda plain: plain.update(tried=plain["tried"] * 9),
    "no others": lambda plain: plain.update(tried=plain["tried"][:1] * 2),
    "another given": lambda plain: plain.update(tried=plain["tried"][::-1]),
    "no such chance": lambda plain: plain["tried"][1].update(chance=1.5),
    "no interval": lambda plain: plain["tried"][1].update(margin=1e300),
    "no such interval": lambda plain: plain["tried"][1].update(margin=-1.0),
    "an illegal answer": lambda plain: plain["tried"][1].update(answer={"t": "bid", "amount": 10**9}),
    "a text": lambda plain: plain["tried"][1].update(answer="<script>" * 9999),
    "too many play-outs": lambda plain: plain.update(playouts=10**9),
}


@pytest.mark.parametrize("forged", FORGED)
def test_what_cannot_be_is_refused_and_asked_again(forged: str) -> None:
    row = an_asked(a_seat())
    assert worked(row, FORGED[forged]).startswith("refused: ")
    row.refresh_from_db()
    assert (row.status in ("waiting", "asked"), row.tried) == (True, [])


def test_only_who_was_sent_the_turn_is_believed_and_a_report_counts_once() -> None:
    row = an_asked(a_seat())
    assert worked(row, lambda plain: plain.update(secret="0" * 64)).startswith("refused: tester was not sent turn")
    assert worked(row, lambda plain: plain.update(outcome="begun", tried=[])) == "noted"
    assert worked(row) == "taken"
    before = Suggestion.objects.values().get()
    assert worked(row).startswith("refused: turn")
    assert Suggestion.objects.values().get() == before


def test_a_worker_that_says_again_that_it_has_begun_gains_no_time() -> None:
    row = an_asked(a_seat())
    soon = timezone.now() + timedelta(seconds=9)
    for gained in (True, False):
        Suggestion.objects.update(until=soon)
        assert worked(row, lambda plain: plain.update(outcome="begun", tried=[])) == "noted"
        assert (Suggestion.objects.get().until > soon) == gained  # type: ignore[operator]


def test_what_a_worker_gives_back_is_sent_again_and_nothing_to_try_is_an_end() -> None:
    row = an_asked(a_seat())
    assert worked(row, lambda plain: plain.update(outcome="returned", tried=[])) == "noted"
    assert go_on() == 1
    assert worked(row, lambda plain: plain.update(outcome="nothing", tried=[])) == "taken"
    row.refresh_from_db()
    assert (row.status, row.turn) == ("failed", 2)


def test_a_worker_learns_no_names_and_nothing_of_what_came_after() -> None:
    row = an_asked(a_seat())
    replay = rules.replay_of_suggestion(row)
    assert replay
    order = rules.order_of_suggestion(row, replay)
    assert (len(order.replay.answers), {player.name for player in order.replay.players}) == (row.at + 1, {""})
    assert order.replay.result.scores == []
