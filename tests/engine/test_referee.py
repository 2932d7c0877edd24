"""The referee: prompts, defaults in place of faults, strikes, forfeits and the result."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from engine.auctions import ToBid
from engine.core import Seat
from engine.games.zaibatsu import ZAIBATSU, Place, ToPlace
from engine.games.zaibatsu import Options as Zaibatsu
from engine.records import to_plain
from engine.referee import STANDS_IN, Answer, Conduct, Fault, PlatformFault, Prompt, Reply, Verdict, run_match
from engine.replay import Player, ReplayError, record, verify
from engine.seats import clockwise, places_by_score
from tests.engine.sealed import SEALED, Bid, Options, Revealed, Secret


@dataclass
class Scripted:
    """Seats that answer by a script, then with a pass."""

    script: dict[Seat, list[Reply]]
    prompts: list[dict[Seat, Prompt]] = field(default_factory=list)
    dismissed: list[Seat] = field(default_factory=list)

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        self.prompts.append(dict(prompts))
        return {seat: self.script[seat].pop(0) if self.script.get(seat) else bid(0) for seat in prompts}

    def dismiss(self, seat: Seat) -> None:
        self.dismissed.append(seat)


@dataclass
class Defaults(Scripted):
    """Seats that answer by a script, then with the default."""

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        replies = super().ask(prompts)
        return {
            seat: Reply(to_plain(prompts[seat].question.default()))
            if reply.action == {"t": "bid", "amount": 0}
            else reply
            for seat, reply in replies.items()
        }


def bid(amount: object, ms: float = 1.0) -> Reply:
    return Reply({"t": "bid", "amount": amount}, ms)


def test_seats_asked_at_once_are_prompted_at_once() -> None:
    table = Scripted({0: [bid(3)], 1: [bid(5, 2.5), bid(9)]})
    played = run_match(SEALED, Options(), "seed", table)
    assert [sorted(prompts) for prompts in table.prompts] == [[0, 1], [1]]
    assert played.answers == [Answer(0, Bid(3), 1.0), Answer(1, Bid(5), 2.5), Answer(1, Bid(9), 1.0)]
    assert played.result.verdicts == ["ok", "ok"]
    assert played.faults == []


def test_a_prompt_holds_the_events_since_the_last_one_as_the_seat_sees_them() -> None:
    table = Scripted({1: [bid(5)]})
    position = run_match(SEALED, Options(), "seed", table).at
    first, second = table.prompts
    assert [first[seat].events for seat in (0, 1)] == [[Secret(seat, position.secrets[seat])] for seat in (0, 1)]  # type: ignore[attr-defined]
    assert second[1].events == [Revealed([0, 5])]


@pytest.mark.parametrize("action", [None, [], {"t": "bid", "amount": 99}, {"t": "bid", "amount": "5"}, float("nan")])
def test_for_an_illegal_answer_the_default_stands_and_evidence_is_kept(action: object) -> None:
    table = Scripted({0: [Reply(action, 4.0)], 1: [bid(5)]})
    played = run_match(SEALED, Options(), "seed", table)
    assert played.answers[0] == Answer(0, Bid(0), 4.0, "illegal answer")
    (fault,) = played.faults
    assert (fault.seat, fault.answer, fault.verdict) == (0, 0, "illegal answer")
    assert fault.asked == {"t": "bid", "low": 1, "high": 9}
    assert fault.detail
    assert played.result.verdicts == ["illegal answer", "ok"]
    assert played.result.forfeits == [False, False]


def test_evidence_names_the_answer_of_each_seat_asked_at_once() -> None:
    played = run_match(SEALED, Options(), "seed", Scripted({0: [bid(-1)], 1: [bid(-2)]}))
    assert [(fault.seat, fault.answer, fault.given) for fault in played.faults] == [
        (0, 0, "{'amount': -1, 't': 'bid'}"),
        (1, 1, "{'amount': -2, 't': 'bid'}"),
    ]


def test_the_strike_too_many_forfeits_and_the_default_stands_in() -> None:
    bad = [bid(-1), bid(-1)]
    table = Defaults({1: bad})
    played = run_match(ZAIBATSU, Zaibatsu(3, 0), "seed", table, strikes=2)
    mine = [answer for answer in played.answers if answer.seat == 1]
    assert [answer.fault for answer in mine[:3]] == ["illegal answer", "illegal answer", STANDS_IN]
    assert {answer.fault for answer in mine[2:]} == {STANDS_IN}
    assert {answer.ms for answer in mine[2:]} == {0.0}
    assert table.dismissed == [1]
    assert sum(1 in prompts for prompts in table.prompts) == 2
    assert played.result.forfeits == [False, True, False]
    assert played.result.places[1] == 3


@pytest.mark.parametrize("verdict", [Verdict.CRASHED, Verdict.TIMED_OUT, Verdict.OUT_OF_MEMORY, Verdict.SECURITY])
def test_a_bot_that_is_gone_forfeits_at_once(verdict: Verdict) -> None:
    table = Defaults({2: [Reply(verdict=verdict, detail="gone", ms=7.0)]})
    played = run_match(ZAIBATSU, Zaibatsu(3, 2), "seed", table)
    assert table.dismissed == [2]
    assert played.faults == [Fault(2, 0, verdict.value, "gone", to_plain(first_question(table)), None)]
    assert played.result.verdicts == ["ok", "ok", verdict.value]


def first_question(table: Scripted) -> ToPlace:
    ((prompt,),) = (tuple(table.prompts[0].values()),)
    assert isinstance(prompt.question, ToPlace)
    return prompt.question


def test_a_bot_that_did_not_start_is_never_asked() -> None:
    table = Defaults({})
    absent = {0: Reply(verdict=Verdict.BAD_PROTOCOL, detail="no greeting")}
    played = run_match(ZAIBATSU, Zaibatsu(2, 0), "seed", table, absent=absent)
    assert played.faults == [Fault(0, -1, "bad protocol", "no greeting", None, None)]
    assert {answer.fault for answer in played.answers if answer.seat == 0} == {STANDS_IN}
    assert played.answers[0].action == Place(min(first_hand(played.answers)), 1)
    assert (played.result.verdicts, played.result.forfeits) == (["bad protocol", "ok"], [True, False])
    assert played.result.places == [2, 1]


def first_hand(answers: list[Answer]) -> list[str]:
    return [answer.action.card for answer in answers[:12:2] if isinstance(answer.action, Place)]


def test_a_game_may_say_what_a_seat_does_that_has_forfeited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ToBid, "stand_in", lambda question: Bid(question.high))
    absent = {1: Reply(verdict=Verdict.CRASHED)}
    played = run_match(ZAIBATSU, Zaibatsu(2, 0), "seed", Defaults({}), absent=absent)
    bids = [answer.action for answer in played.answers if answer.seat == 1 and isinstance(answer.action, Bid)]
    assert bids[0] == Bid(10)
    replay = record(ZAIBATSU, Zaibatsu(2, 0), "seed", [Player("a"), Player("b")], played)
    verify(replay)
    monkeypatch.undo()
    with pytest.raises(ReplayError, match="this was taken in its place"):
        verify(replay)


def test_when_all_forfeit_the_match_still_ends_and_all_share_the_place() -> None:
    absent = {seat: Reply(verdict=Verdict.CRASHED) for seat in range(3)}
    table = Scripted({})
    played = run_match(ZAIBATSU, Zaibatsu(3), "seed", table, absent=absent)
    assert table.prompts == []
    assert played.result.places == [1, 1, 1]


def test_the_platforms_own_fault_voids_the_match() -> None:
    with pytest.raises(PlatformFault, match="the host stalled"):
        run_match(SEALED, Options(), "seed", Scripted({0: [Reply(verdict=Verdict.OURS, detail="the host stalled")]}))


def test_a_table_that_leaves_a_seat_out_is_the_platforms_fault() -> None:
    class Deaf(Scripted):
        def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
            return {seat: bid(0) for seat in prompts if seat}

    with pytest.raises(PlatformFault, match="no reply for seat 0"):
        run_match(SEALED, Options(), "seed", Deaf({}))


def test_the_first_fault_is_the_verdict() -> None:
    conduct = Conduct.of(2, strikes=3)
    conduct.charge(1, Verdict.BAD_PROTOCOL)
    conduct.charge(1, Verdict.ILLEGAL_ANSWER)
    assert (conduct.verdicts, conduct.forfeits) == (["ok", "bad protocol"], [False, False])
    conduct.charge(1, Verdict.ILLEGAL_ANSWER)
    assert conduct.forfeits == [False, True]


@pytest.mark.parametrize(
    ("scores", "last", "expected"),
    [([5, 9, 9], (), [3, 1, 1]), ([1, 2, 3], (False, False, True), [2, 1, 3]), ([7], (), [1]), ([4, 4], (), [1, 1])],
)
def test_places_are_shared_and_forfeits_come_last(
    scores: list[int], last: tuple[bool, ...], expected: list[int]
) -> None:
    assert places_by_score(scores, last) == expected


def test_clockwise_is_to_the_left() -> None:
    assert clockwise(2, 4) == [2, 3, 0, 1]
