"""Several people at one table: who sits, whose turn it is, what becomes of those who are late or leave."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.games import GAMES
from engine.records import to_plain
from engine.replay import read_replay, verify
from tests.factories import a_ladder, a_user
from tests.practising import bots_answer, everything_by_the_book
from tournaments.core.errors import Refused
from tournaments.features.practice import slow_play
from tournaments.features.practice.gathering import (
    fill_seat,
    renew_invitation,
    start_now,
    take_invitation_back,
    take_seat,
)
from tournaments.features.practice.seats import INVITED, PERSON, Sample, SeatedPlayer, person_seat
from tournaments.features.practice.slow_play import come_back, end_practice, leave_practice, sweep_practice_deadlines
from tournaments.features.practice.start import begin_practice, play_again
from tournaments.features.practice.turns import PracticeState, answer_question, order_of_turn
from tournaments.models import FailingItem, Ladder, Notice, Practice, PracticeSeat, User

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]
BOT = Sample("random")


@pytest.fixture
def host() -> User:
    return a_user("hanna")


@pytest.fixture
def guest() -> User:
    return a_user("gregor")


def a_table_of(game: str = "zaibatsu", players: int = 3, **options: Any) -> Ladder:
    chosen = to_plain(GAMES[game].read_options({"players": players, **options}))
    return a_ladder(game=game, rules=GAMES[game].version, options=chosen)


def a_table(host: User, *guests: User, seats: tuple[SeatedPlayer, ...] = (PERSON, INVITED, BOT)) -> Practice:
    """The host is asked first; every guest has followed the invitation."""
    practice = begin_practice(by=host, ladder=a_table_of(players=len(seats), first=0), seats=seats, hours=8)
    for guest in guests:
        take_seat(key=practice.invite_key, by=guest)
    return fresh(practice)


def fresh(practice: Practice) -> Practice:
    return Practice.objects.select_related("ladder", "owner").get(pk=practice.pk)


def by_the_book(practice: Practice, by: User, turn: int | None = None) -> Practice:
    now = fresh(practice)
    seat = person_seat(now, by)
    assert seat is not None
    question = PracticeState.of(now).run.match.questions.get(seat)
    action = to_plain(question.default()) if question else {}
    answer_question(practice=now, by=by, turn=len(now.script) if turn is None else turn, action=action)
    return fresh(practice)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def time_runs_out(practice: Practice) -> Practice:
    Practice.objects.filter(pk=practice.pk).update(until=timezone.now() - timedelta(seconds=1))
    sweep_practice_deadlines()
    return fresh(practice)


def notices(person: User) -> list[str]:
    notices = person.notices.filter(kind="game").order_by("pk")
    return [notice.key.partition(" ")[2].partition(" ")[2] for notice in notices]


def test_a_table_waits_for_its_people_and_begins_when_all_seats_are_taken(host: User, guest: User) -> None:
    practice = a_table(host)
    assert (practice.status, practice.seats[:2]) == ("gathering", [{"invited": True}] * 2)
    key = practice.invite_key
    take_seat(key=key, by=host)  # sits there already
    take_seat(key=key, by=guest)
    practice = fresh(practice)
    assert (practice.status, practice.waits_for, practice.invite_key) == ("asking", [0], "")
    assert [person_seat(practice, person) for person in (host, guest, a_user())] == [0, 1, None]
    assert refusal(lambda: take_seat(key=key, by=a_user())) == "unknown_invitation"
    assert notices(host) == ["begun"]


def test_the_host_takes_invitations_back_gives_seats_to_bots_and_begins(host: User, guest: User) -> None:
    practice = a_table(host, seats=(PERSON, INVITED, INVITED, INVITED))
    former = practice.invite_key
    for verb in (renew_invitation, take_invitation_back, start_now, end_practice):
        assert refusal(lambda verb=verb: verb(practice=practice, by=guest)) == "not_found"  # type: ignore[misc]
    take_invitation_back(practice=practice, by=host)
    assert refusal(lambda: take_seat(key=former, by=guest)) == "unknown_invitation"
    renew_invitation(practice=practice, by=host)
    take_seat(key=fresh(practice).invite_key, by=guest)
    assert refusal(lambda: fill_seat(practice=practice, by=host, seat=1, player=BOT)) == "not_free"
    assert refusal(lambda: fill_seat(practice=practice, by=host, seat=2, player=INVITED)) == "not_a_bot"
    fill_seat(practice=practice, by=host, seat=2, player=BOT)
    assert fresh(practice).status == "gathering"
    start_now(practice=practice, by=host)
    practice = fresh(practice)
    assert (practice.status, [*map(len, practice.seats)]) == ("asking", [1, 1, 4, 4])
    assert refusal(lambda: start_now(practice=practice, by=host)) == "not_gathering"


def test_with_bots_in_all_other_seats_it_is_the_hosts_own_game(host: User) -> None:
    practice = a_table(host)
    start_now(practice=practice, by=host)
    practice = fresh(practice)
    assert (practice.seats[0], practice.until, practice.hours) == ({"person": True}, None, None)
    assert everything_by_the_book(practice).status == "over"


def test_people_and_bots_play_to_the_end_and_all_can_see_it(host: User, guest: User) -> None:
    practice = everything_by_the_book(a_table(host, guest))
    assert practice.status == "over"
    replay = read_replay(bytes(practice.replay or b""))
    verify(replay)
    assert [player.name for player in replay.players] == ["hanna", "gregor", "sample random"]
    assert notices(guest) == ["over"]
    again = play_again(practice=practice, by=guest)
    assert [next(iter(seat)) for seat in again.seats] == ["sample", "invited", "invited"]
    assert (person_seat(again, guest), person_seat(again, host), again.hours) == (2, None, 8)


def test_who_is_not_asked_cannot_answer_and_of_two_answers_one_counts(host: User, guest: User) -> None:
    practice = a_table(host, guest)
    assert refusal(lambda: by_the_book(practice, guest)) == "not_your_turn"
    by_the_book(practice, host)
    assert refusal(lambda: by_the_book(practice, host, turn=0)) == "not_your_turn"
    assert (fresh(practice).waits_for, len(fresh(practice).script)) == ([1], 1)
    stranger = a_user()
    assert refusal(lambda: answer_question(practice=practice, by=stranger, turn=1, action={})) == "not_found"


def test_people_who_are_asked_at_once_answer_in_any_order_and_their_time_is_one(host: User, guest: User) -> None:
    ladder = a_table_of("shangzhou", players=2, talk="off", home_layout="choose")
    practice = begin_practice(by=host, ladder=ladder, seats=[PERSON, INVITED])
    take_seat(key=practice.invite_key, by=guest)
    practice = fresh(practice)
    while len(practice.waits_for) < 2:
        asked = host if practice.waits_for == [0] else guest
        practice = by_the_book(practice, asked)
    until, step = practice.until, len(practice.script)
    by_the_book(practice, guest, turn=step)
    assert (fresh(practice).waits_for, fresh(practice).until) == ([0], until)
    assert refusal(lambda: by_the_book(practice, guest)) == "not_your_turn"
    practice = by_the_book(practice, host, turn=step)  # the page is as old as the question, and so still good
    assert [line[0] for line in practice.script[step:]] == [0, 1]


def test_whoever_lets_the_time_pass_has_the_default_answered_and_after_three_times_at_once(
    host: User, guest: User
) -> None:
    practice = by_the_book(a_table(host, guest), host)
    for _ in range(3):
        assert practice.waits_for == [1]
        practice = time_runs_out(practice)
        practice = played_until_asked(practice, host)
    assert [[seat, what] for _, seat, what in practice.absences] == [[1, "late"]] * 3 + [[1, "away"]]
    assert practice.sitting.get(user=guest).state == "away"
    assert any(key.startswith("away") for key in notices(guest))
    assert practice.waits_for == [0]
    practice = played_until_asked(by_the_book(practice, host), host)
    assert practice.waits_for == [0]  # the other has not been waited for
    come_back(practice=practice, by=guest)
    practice = by_the_book(practice, host)
    assert practice.waits_for == [1]
    assert refusal(lambda: come_back(practice=practice, by=guest)) == "not_away"


def played_until_asked(practice: Practice, host: User) -> Practice:
    """Bots answer, and the host, until the guest is asked; or the host, where nobody waits for the guest."""
    for _ in range(60):
        practice = fresh(practice)
        away = PracticeSeat.objects.filter(practice=practice, state="away").exists()
        if practice.waits_for == [1] or (away and practice.waits_for == [0]):
            break
        if practice.status == "waiting":
            bots_answer(practice)
        else:
            by_the_book(practice, host)
    return fresh(practice)


def test_whoever_has_not_answered_after_a_while_is_told_once(host: User, guest: User) -> None:
    practice = a_table(host, guest)
    assert sweep_practice_deadlines() == 0
    for expected in (1, 0):
        Practice.objects.filter(notify_at__isnull=False).update(notify_at=timezone.now() - timedelta(seconds=1))
        assert sweep_practice_deadlines() == expected
    assert notices(host) == ["begun", "turn 0"]
    by_the_book(practice, host)
    assert fresh(practice).notify_at is not None
    assert not Notice.objects.filter(user=guest, key__contains="turn").exists()


def test_a_guest_who_leaves_and_a_host_who_does_do_not_end_the_others_game(host: User, guest: User) -> None:
    third = a_user("theo")
    practice = a_table(host, guest, third, seats=(PERSON, INVITED, INVITED))
    leave_practice(practice=practice, by=host)
    practice = fresh(practice)
    assert (practice.status, practice.absences) == ("asking", [[0, 0, "left"]])
    assert practice.waits_for == [1]
    assert refusal(lambda: by_the_book(practice, host)) == "not_your_turn" if person_seat(practice, host) else True
    leave_practice(practice=practice, by=guest)
    practice = fresh(practice)
    assert (practice.waits_for, practice.until) == ([2], None)  # nobody else waits
    leave_practice(practice=practice, by=third)
    assert (fresh(practice).status, fresh(practice).reason) == ("left", "all of its people have left")


def test_only_the_host_ends_it_and_the_others_are_told(host: User, guest: User) -> None:
    practice = a_table(host, guest)
    assert refusal(lambda: end_practice(practice=practice, by=guest)) == "not_found"
    end_practice(practice=practice, by=host)
    assert (fresh(practice).status, fresh(practice).reason, notices(guest)) == ("left", "its host ended it", ["over"])


def test_accounts_that_are_shut_stop_no_game(host: User, guest: User) -> None:
    practice = by_the_book(a_table(host, guest, a_user("theo"), seats=(PERSON, INVITED, INVITED)), host)
    User.objects.filter(pk=guest.pk).update(is_active=False)
    practice = time_runs_out(practice)
    assert practice.waits_for == [2]
    User.objects.filter(pk=host.pk).update(is_active=False)
    assert everything_by_the_book(practice).status == "over"


def test_a_table_for_which_nobody_comes_is_closed_with_a_reason(host: User, guest: User) -> None:
    practice = time_runs_out(a_table(host, guest, seats=(PERSON, INVITED, INVITED)))
    assert (practice.status, practice.invite_key) == ("left", "")
    assert "in 7 days" in practice.reason
    assert notices(guest) == ["over"]


def test_a_seat_that_is_left_before_the_start_is_free_again(host: User, guest: User) -> None:
    practice = a_table(host, guest, seats=(PERSON, INVITED, INVITED))
    leave_practice(practice=practice, by=guest)
    take_seat(key=practice.invite_key, by=a_user())
    take_seat(key=practice.invite_key, by=guest)
    assert (fresh(practice).status, person_seat(fresh(practice), guest)) == ("asking", 2)


def test_what_one_may_have_counts_the_tables_of_others(host: User, guest: User, settings: Any) -> None:
    settings.PRACTICES_OPEN = 1
    practice = a_table(host)
    begin_practice(by=guest, ladder=practice.ladder, seats=[PERSON, BOT, BOT])
    assert refusal(lambda: take_seat(key=practice.invite_key, by=guest)) == "too_many_open"
    assert (
        refusal(lambda: begin_practice(by=host, ladder=practice.ladder, seats=[PERSON, INVITED], hours=0))
        == "too_many_open"
    )
    settings.PRACTICES_OPEN = 9
    assert (
        refusal(lambda: begin_practice(by=host, ladder=practice.ladder, seats=[PERSON, INVITED], hours=0))
        == "bad_hours"
    )


def test_one_game_that_cannot_go_on_stops_no_other(host: User, guest: User, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = a_table(host, guest), a_table(guest, host)
    real = slow_play._answer_for_the_late

    def fails(practice: Practice) -> None:
        if practice.pk == broken.pk:
            raise RuntimeError("nobody thought of it")
        real(practice)

    monkeypatch.setattr(slow_play, "_answer_for_the_late", fails)
    Practice.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert sweep_practice_deadlines() == 1
    assert (fresh(broken).absences, len(fresh(sound).absences)) == ([], 1)
    assert FailingItem.objects.get().item == f"practice {broken.pk}"


def test_a_worker_is_told_of_people_without_their_names(host: User, guest: User) -> None:
    order, _ = order_of_turn(a_table(host, guest))
    assert order.seats == [-1, -1, 0]
