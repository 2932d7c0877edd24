"""Several leaders, each with groups of ladders of its own."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.db import connection

from tests.factories import a_bot, a_ladder, a_version, an_upload
from tournaments import dispatcher
from tournaments.broker import queues
from tournaments.broker.leader import EVERY, Leadership, holdings, somebody_leads
from tournaments.broker.led_groups import ALL, LED, SLOTS, of_groups, slots_of
from tournaments.broker.told_by_leaders import TOLD, tell
from tournaments.dispatch.fair_share import our_part
from tournaments.dispatch.leases import cancel
from tournaments.dispatch.orders import dispatch
from tournaments.matchmaking.ladder_sets import create_sets, pair
from tournaments.models import Attempt, Entry, Ladder, MatchSet
from workers import presence
from workers.orders import TAG
from workers.presence import Here
from workers.settings_numbers import whole_number

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]


class Process:
    """A dispatcher as far as it leads: in a thread, with a session of its own."""

    def __init__(self, groups: int) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._leadership = Leadership(groups)
        self.slots: frozenset[int] = frozenset()

    def look(self, now: float) -> frozenset[int]:
        self.slots = self._thread.submit(self._leadership.slots, now).result()
        return self.slots

    def die(self) -> None:
        session = self._thread.submit(_close).result()
        self._thread.shutdown()
        self.slots = frozenset()
        while session in holdings().others:  # the server hears of it in its own time
            time.sleep(0.01)


def _close() -> int:
    """The session of the thread that calls this. Returns its number."""
    session = connection.connection.info.backend_pid if connection.connection else 0
    connection.close()
    return int(session)


@pytest.fixture
def crew() -> Iterator[list[Process]]:
    made: list[Process] = []
    yield made
    for one in made:
        one.die()


@pytest.fixture(autouse=True)
def _all_again() -> Iterator[None]:
    yield
    LED.slots = ALL


def looks(crew: list[Process], times: int = 1, *, after: float = 0.0) -> list[int]:
    """How many slots each has after so many looks of all."""
    for number in range(times):
        for one in crew:
            one.look(after + number * EVERY)
    return [len(one.slots) for one in crew]


def test_one_process_leads_all_groups_and_shares_them_with_those_who_come(crew: list[Process]) -> None:
    crew.append(Process(4))
    assert looks(crew) == [SLOTS]
    crew.append(Process(4))
    assert looks(crew, 3, after=10) == [SLOTS / 2, SLOTS / 2]
    assert looks(crew, 5, after=20) == [SLOTS / 2, SLOTS / 2]  # and it stays so
    assert crew[0].slots | crew[1].slots == ALL


def test_the_groups_of_a_leader_that_dies_are_led_after_one_look(crew: list[Process]) -> None:
    crew += [Process(4), Process(4), Process(4)]
    looks(crew, 6)
    crew.pop().die()
    looks(crew, 1, after=100)
    assert crew[0].slots | crew[1].slots == ALL


def test_without_groups_the_second_process_waits_and_takes_over(crew: list[Process]) -> None:
    crew += [Process(1), Process(1)]
    assert looks(crew, 4) == [SLOTS, 0]
    crew.pop(0).die()
    assert looks(crew, 1, after=20) == [SLOTS]
    assert somebody_leads()


def test_no_slot_is_ever_led_twice_whatever_number_of_groups_each_was_told(crew: list[Process]) -> None:
    draw = Random(7)
    crew += [Process(draw.choice([1, 2, 3, 7, 60])) for _ in range(4)]
    for moment in range(60):
        draw.choice(crew).look(moment * EVERY / 2)
        if moment % 15 == 14:
            crew.pop(draw.randrange(len(crew))).die()
            crew.append(Process(draw.choice([1, 2, 5])))
        led = Counter(slot for one in crew for slot in one.slots)
        assert max(led.values(), default=0) <= 1
    assert looks(crew, 8, after=1000)
    assert frozenset().union(*(one.slots for one in crew)) == ALL


def test_a_session_that_ends_takes_the_lead_with_it(crew: list[Process]) -> None:
    crew += [Process(2), Process(2)]
    looks(crew, 3)
    with connection.cursor() as cursor:
        others = list(holdings().others)
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [others[0]])
    assert len(holdings().taken) == SLOTS / 2


def test_groups_part_the_slots() -> None:
    for groups in (1, 2, 7, 60):
        assert sorted(slot for group in range(groups) for slot in slots_of(group, groups)) == sorted(ALL)


def entered(ladder: Ladder, bots: int = 4) -> Ladder:
    Entry.objects.bulk_create(Entry(ladder=ladder, bot=a_version().bot) for _ in range(bots))
    return ladder


def at_work(workers: int) -> None:
    here = [str(Here.of(f"w{number}/1", TAG, ["python"])) for number in range(workers)]
    queues.broker().zadd(presence.WORKERS, dict.fromkeys(here, 2**40))


def sent_of_ladders() -> Counter[int]:
    """How many sets of each are sent and not over."""
    sets = MatchSet.objects.filter(matches__attempts__outcome=Attempt.Outcome.SENT).distinct()
    return Counter(one.ladder_id for one in sets if one.ladder_id)


def leads(*ladders: Ladder) -> None:
    """From now on this process leads those groups of sixty in which these are."""
    LED.slots = of_groups((ladder.pk % SLOTS for ladder in ladders), SLOTS)


def test_a_leader_deals_and_sends_for_its_own_ladders_alone() -> None:
    here, there = entered(a_ladder(players=2)), entered(a_ladder(players=2))
    at_work(10)
    leads(here)
    dispatcher.step()
    assert set(sent_of_ladders()) == {here.pk}
    leads(there)
    dispatcher.step()
    assert set(sent_of_ladders()) == {here.pk, there.pk}


def test_what_belongs_to_no_ladder_is_done_by_the_leader_of_the_first_group() -> None:
    an_upload(a_bot())
    LED.slots = slots_of(1, 2)
    assert dispatch() == 0
    LED.slots = slots_of(0, 2)
    assert dispatch() == 1


def test_ladders_of_two_leaders_get_equal_shares_though_one_looks_thrice_as_often() -> None:
    ladders = [a_ladder(players=2), a_ladder(players=2)]
    pairs = [[a_version().pk, a_version().pk] for _ in range(10)]
    for ladder in ladders:
        create_sets(ladder, pairs * 6)
    draw = Random(5)
    at_work(10)  # room for 20
    for turn in [ladders[0], ladders[0], ladders[0], ladders[1]] * 3:
        leads(turn)
        dispatch()
        for match_set in draw.sample(list(MatchSet.objects.filter(matches__status="leased").distinct()), 5):
            cancel(match_set=match_set, reason="it was played")
    for turn in ladders:
        leads(turn)
        dispatch()
    sent = sent_of_ladders()
    assert 20 <= sum(sent.values()) <= 21
    assert abs(sent[ladders[0].pk] - sent[ladders[1].pk]) <= 2


def test_what_other_leaders_want_is_heard_and_what_is_no_list_is_not() -> None:
    LED.slots = slots_of(0, 2)
    assert tell("pairing", ["a", "b"]) == []
    queues.broker().set(TOLD.format("pairing", 3), "[[[")
    LED.slots = slots_of(1, 2)
    assert tell("pairing", ["c"]) == ["a", "b"]
    LED.slots = ALL
    assert tell("pairing", []) == []


def test_the_room_for_waiting_sets_is_shared_with_ladders_of_other_leaders() -> None:
    ladders = [entered(a_ladder(players=2)), entered(a_ladder(players=2))]
    leads(ladders[1])
    tell("pairing", ["there"])
    leads(ladders[0])
    assert pair() == 2  # of four that may wait, where there is one worker at most


def test_parts_of_the_room_are_those_that_one_leader_would_give() -> None:
    draw = Random(3)
    for _ in range(200):
        ours, theirs = ([draw.randrange(20) for _ in range(draw.randrange(1, 6))] for _ in range(2))
        room = draw.randrange(60)
        lines = [[held, False] for held in theirs] + [[held, True] for held in ours]
        given = 0
        for _ in range(room):
            least = min(lines)
            least[0] += 1
            given += least[1]
        part = our_part(room, ours, theirs)
        assert given <= part + len(theirs)
        assert part <= given + len(ours)
        assert room <= part + our_part(room, theirs, ours) <= room + 2


def test_a_number_of_groups_that_is_none_is_refused() -> None:
    assert whole_number({"LEADER_GROUPS": "12"}, "LEADER_GROUPS", 1, SLOTS) == 12
    assert whole_number({"LEADER_GROUPS": ""}, "LEADER_GROUPS", 1, SLOTS) == 1
    for wrong in ("0", "61", "two", "-1", "1.5", "²"):
        with pytest.raises(ValueError, match="LEADER_GROUPS must be a whole number from 1 to 60"):
            whole_number({"LEADER_GROUPS": wrong}, "LEADER_GROUPS", 1, SLOTS)
