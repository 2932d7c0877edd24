"""Practices in this process: bots that answer by the book, and reports as a practice worker hands them in."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core import Seat
from engine.records import to_plain
from engine.referee import Prompt, Reply, Table
from tournaments.features.practice.gathering import take_seat
from tournaments.features.practice.reports import receive_practice_report
from tournaments.features.practice.seats import INVITED, PERSON, Sample, SeatedPlayer, sitting
from tournaments.features.practice.start import begin_practice
from tournaments.features.practice.turns import PracticeState, answer_question, order_of_turn
from tournaments.models import Ladder, Practice, User
from workers.practice import Rehearsal, continue_match
from workers.practice_orders import PracticeReport


class ByTheBook:
    """A table at which everybody gives the default."""

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        return {seat: Reply(to_plain(prompt.question.default()), 1.0) for seat, prompt in prompts.items()}

    def dismiss(self, seat: Seat) -> None:
        """Do nothing: nobody has to leave."""


BY_THE_BOOK: Final = ByTheBook()


def a_practice(person: User, ladder: Ladder, **more: Any) -> Practice:
    """A person, asked first, with two samples."""
    options = {"first": 0} if ladder.game == "zaibatsu" else {}
    return begin_practice(
        by=person, ladder=ladder, seats=[PERSON, Sample("random"), Sample("random")], options=options, **more
    )


def a_shared_table(host: User, ladder: Ladder, *guests: User) -> Practice:
    """The host at seat 0, and seats for two people by invitation, or for as many as have followed it already."""
    options = {"first": 0} if ladder.game == "zaibatsu" else {}
    invited: list[SeatedPlayer] = [INVITED] * (len(guests) or 2)
    bots: list[SeatedPlayer] = [Sample("random")] * (2 - len(invited))
    practice = begin_practice(by=host, ladder=ladder, seats=[PERSON, *invited, *bots], options=options)
    for guest in guests:
        take_seat(key=practice.invite_key, by=guest)
    return Practice.objects.select_related("ladder", "owner").get(pk=practice.pk)


def bots_answer(
    practice: Practice, forge: Callable[[dict[str, Any]], object] | None = None, *, table: Table = BY_THE_BOOK
) -> str:
    """A turn is played and reported; the outcome. `forge` changes the report before it is sent."""
    order, _ = order_of_turn(Practice.objects.select_related("ladder", "owner").get(pk=practice.pk))
    report = PracticeReport(order.practice, order.turn, "tester/1", "played", seconds=0.1, secret=order.secret)
    report.cpu_ms = [1.0] * len(order.seats)
    continue_match(order, Rehearsal(table, order.people, {}), report)
    plain = to_plain(report)
    if forge:
        forge(plain)
    return send(plain)


def send(plain: object) -> str:
    return receive_practice_report(plain)


def person_at(practice: Practice, seat: Seat) -> User:
    rows = sitting(practice)
    return rows[seat].user if seat in rows else practice.owner


def answer_by_the_book(practice: Practice) -> None:
    """Answer as the first of the people who are asked."""
    state = PracticeState.of(practice)
    [seat, *_] = state.people_asked(practice)
    action = to_plain(state.run.match.questions[seat].default())
    answer_question(practice=practice, by=person_at(practice, seat), turn=len(practice.script), action=action)


def everything_by_the_book(practice: Practice) -> Practice:
    """The practice, played on to its end with everybody's defaults."""
    for _ in range(10_000):
        practice = Practice.objects.select_related("ladder", "owner").get(pk=practice.pk)
        if practice.status == Practice.Status.WAITING:
            bots_answer(practice)
        elif practice.status == Practice.Status.ASKING:
            answer_by_the_book(practice)
        else:
            break
    return practice
