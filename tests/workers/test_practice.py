"""One turn of a practice in the real sandbox: bots are brought to where it stands, and then asked in earnest."""

import re

from engine.dice import commitment
from engine.games import GAMES
from engine.games.zaibatsu import ToPlace
from engine.records import to_plain
from engine.referee import Result
from engine.replay import Playback, Replay, advance, playback
from tests.workers.hall import HONEST, Hall, Site, a_worker, an_order, until
from workers.match import Kit
from workers.practice import report_turn
from workers.practice_orders import PERSON, PracticeOrder, PracticeReport

# Says on stderr how often it was asked, and passes or places like the book.
COUNTING = (
    "import sys\nfrom bots.sdk import play\nasked = 0\n"
    "def choose(view, question):\n    global asked\n    asked += 1\n"
    "    print('asked', asked, file=sys.stderr, flush=True)\n    return question.default()\nplay(choose)\n"
)


def dies_at(number: int) -> str:
    return COUNTING.replace("    print(", f"    if asked == {number}:\n        raise SystemExit(7)\n    print(")


def a_practice(site: Site, *sources: str, person: int = 0) -> PracticeOrder:
    """A person and bots of these sources, at a table of Zaibatsu that nobody has played at yet."""
    bots = [site.put(source) for source in sources]
    terms = an_order(bots, options={"players": len(bots) + 1}, matches=0)
    terms.matches = []
    seats = list(range(len(bots)))
    seats.insert(person, PERSON)
    return PracticeOrder(1, 1, terms, seats, [])


def standing(order: PracticeOrder) -> Playback:
    """The match after the whole steps of the script, by the engine."""
    terms = order.terms
    replay = Replay(
        game=terms.game,
        rules=terms.rules,
        options=terms.options,
        seed=terms.seed,
        commitment=commitment(terms.seed),
        players=[],
        strikes=terms.strikes,
        absent={},
        answers=order.script,
        result=Result([], [], [], []),
        position="",
        digest="",
    )
    run = playback(replay)
    while 0 < len(run.match.questions) <= len(order.script) - run.step:
        advance(replay, run)
    return run


def played(order: PracticeOrder, kit: Kit) -> PracticeReport:
    report = report_turn(order, kit)
    assert report.outcome == "played", report.reason
    order.script += report.answers
    return report


def answer(order: PracticeOrder) -> None:
    """The person, whoever asks, answers by the book."""
    run = standing(order)
    while (seat := min(order.people)) in run.match.questions:
        order.script.append([seat, to_plain(run.match.questions[seat].default()), 0.0])
        run = standing(order)


def test_bots_answer_until_a_person_is_asked_and_to_the_end(site: Site, kit: Kit) -> None:
    order = a_practice(site, HONEST, COUNTING, person=1)
    turns = 0
    while not standing(order).match.over:
        turns += 1
        played(order, kit)
        assert standing(order).match.over or 1 in standing(order).match.questions
        answer(order)
    assert turns > 10
    assert GAMES["zaibatsu"].scores(standing(order).match.at)


def test_each_turn_a_bot_is_asked_again_from_the_first_question(site: Site, kit: Kit) -> None:
    order = a_practice(site, COUNTING)
    for _ in range(3):
        report = played(order, kit)
        answer(order)
    questions = sum(line[0] == 1 for line in order.script)
    assert report.stderr[0].text.splitlines()[-1] == f"asked {questions}"


def test_the_script_stands_for_what_a_bot_says_on_the_way(site: Site, kit: Kit) -> None:
    order = a_practice(site, HONEST, person=1)
    order.terms.options["first"] = 0
    first = standing(order).match.questions[0]
    assert isinstance(first, ToPlace)
    unlike = [0, {"t": "place", "card": max(first.cards), "pile": first.piles[-1]}, 1.0]
    order.script = [unlike]
    answer(order)
    played(order, kit)
    assert order.script[0] == unlike
    assert [line[0] for line in order.script] == [0, 1, 0]


def test_a_bot_that_dies_on_the_way_is_at_fault_when_it_is_next_asked(site: Site, kit: Kit) -> None:
    order = a_practice(site, COUNTING)
    for _ in range(3):
        played(order, kit)
        answer(order)
    length = len(order.script)
    order.terms.competitors = [site.put(dies_at(2))]
    report = played(order, kit)
    faults = [line for line in order.script if len(line) == 4]
    assert faults[0][3] == "crashed"
    assert order.script.index(faults[0]) >= length
    assert "exit code 7" in report.faults[0].detail


def test_a_bot_that_does_not_start_forfeits_and_the_game_goes_on(site: Site, kit: Kit) -> None:
    order = a_practice(site, "def choose(:\n", HONEST)
    order.terms.options["first"] = 1
    assert played(order, kit).faults[0].verdict == "crashed"
    answer(order)
    played(order, kit)
    assert any(line[3:] == ["forfeited"] for line in order.script if line[0] == 1)


def test_a_practice_without_people_is_played_to_its_end(site: Site, kit: Kit) -> None:
    order = a_practice(site, HONEST, HONEST + "#\n")
    order.seats[0] = 1
    played(order, kit)
    assert standing(order).match.over


def test_a_practice_worker_takes_turns_and_no_sets(site: Site, hall: Hall) -> None:
    order = a_practice(site, HONEST)
    hall.order(an_order([site.put(HONEST), site.put(HONEST + "#\n")]))
    with a_worker(hall, WORKER_PRACTICES="1"):
        hall.practise(order)
        report = until("a turn", hall.turn)
    assert report.outcome == "played"
    assert not hall.collect()


def test_of_a_survey_it_tells_what_bots_say_in_the_place_of_the_script(site: Site, kit: Kit) -> None:
    order = a_practice(site, HONEST)
    while not standing(order).match.over:
        played(order, kit)
        answer(order)
    order.practice, order.seats = -1, [0, 0]
    order.terms.competitors = [site.put(HONEST)]
    digests = played_alone(order, kit)
    assert len(digests) == len(order.script)
    assert all(re.fullmatch("[0-9a-f]{12}", digest) for digest in digests)
    order.terms.competitors = [site.put(HONEST.replace("question.default()", "{'t': 'pass'} if 0 else 7"))]
    assert {*played_alone(order, kit)} == {""}  # never a legal answer
    order.terms.competitors = [site.put(dies_at(3))]
    gone = played_alone(order, kit)
    assert [digest for digest in gone if digest] == [digests[index] for index in first_two_of_each(order)]


def played_alone(order: PracticeOrder, kit: Kit) -> list[str]:
    report = report_turn(order, kit)
    assert (report.outcome, report.faults) == ("played", [])
    return report.answers


def first_two_of_each(order: PracticeOrder) -> list[int]:
    places = [[index for index, line in enumerate(order.script) if line[0] == seat][:2] for seat in (0, 1)]
    return sorted(places[0] + places[1])
