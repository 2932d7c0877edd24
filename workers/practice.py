"""One turn of a practice: bots catch up with the game, and are then asked until it is a person's turn.

A bot has its state in its process, so it is asked from the first question on, and the script's answer stands for what
it says. A bot that is gone by then, though the script does not say so, is at fault when it is next asked in earnest;
other faults on the way there are forgotten, as its answers are.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from time import monotonic
from typing import Any

from bots.bundle import Bundle
from bots.languages import Missing
from engine.core import Seat
from engine.games import GAMES
from engine.records import RecordError, canonical, to_plain
from engine.referee import MENDABLE, PlatformFault, Prompt, Referee, Reply, Table, Verdict, seat_referee
from workers.bundles import CannotFetch, ticket
from workers.languages import NotHere
from workers.match import Kit, open_table, terms_of_order
from workers.orders import Stderr
from workers.practice_orders import PERSON, PracticeOrder, PracticeReport
from workers.sandbox.errors import SandboxError

log = logging.getLogger(__name__)
Line = Sequence[Any]  # of the script


def report_turn(order: PracticeOrder, kit: Kit) -> PracticeReport:
    """The report of one turn: "played" whatever the bots did, "void" with the reason if the platform failed."""
    report = PracticeReport(order.practice, order.turn, kit.worker, "void", secret=order.secret)
    began = monotonic()
    try:
        _play(order, kit, report)
    except (CannotFetch, NotHere, Missing, PlatformFault, SandboxError, OSError) as error:
        report.reason = str(error)
    except Exception as error:  # a fault of our own must end this turn only
        log.exception("this worker failed")
        report.reason = f"the worker failed: {type(error).__name__}: {error}"
    report.seconds = round(monotonic() - began, 3)
    return report


def _play(order: PracticeOrder, kit: Kit, report: PracticeReport) -> None:
    terms, bundles = order.terms, [_bundle(order, competitor, kit) for competitor in order.seats]
    game, options = GAMES[terms.game], GAMES[terms.game].read_options(terms.options)
    with open_table(terms, kit, bundles, game, options, terms_of_order(terms, kit)) as table:
        rehearsal = Rehearsal(table, order.people, table.start())
        referee = continue_match(order, rehearsal, report)
        if referee.match.over:
            result = referee.conduct.result(game, referee.match.at)
            table.end(result.places, result.scores)
    if order.practice < 0:
        report.answers = [*rehearsal.digests]
    bots = [seat for seat, bundle in enumerate(bundles) if bundle]
    report.stderr = [Stderr(seat, text) for seat in bots if (text := table.stderr(seat))]
    report.cpu_ms = [round(table.cpu_s(seat) * 1000, 1) if bundle else 0.0 for seat, bundle in enumerate(bundles)]
    report.outcome = "played"


def _bundle(order: PracticeOrder, number: int, kit: Kit) -> Bundle | None:
    if number == PERSON:
        return None
    competitor = order.terms.competitors[number]
    shown = ticket("practice", order.practice, order.turn, order.secret)
    return kit.shelf.take(competitor.bundle, competitor.filename, shown)


def continue_match(order: PracticeOrder, rehearsal: "Rehearsal", report: PracticeReport) -> Referee:
    """Play the script, then let the bots answer until a person is asked who has given nothing; or to the end."""
    terms = order.terms
    game = GAMES[terms.game]
    referee = seat_referee(game, game.read_options(terms.options), terms.seed, rehearsal, terms.strikes)
    referee.begin({})
    while _rehearse(order, rehearsal, referee):
        referee.step()
    played = len(referee.answers)
    while _ask(order, rehearsal, referee):
        referee.step()
    report.answers = [_line(answer) for answer in referee.answers[played:]]
    report.faults = [fault for fault in referee.faults if fault.answer >= played]
    return referee


def _rehearse(order: PracticeOrder, rehearsal: "Rehearsal", referee: Referee) -> bool:
    """Whether the script has the next step whole; if so it is laid out."""
    used, seats = len(referee.answers), len(referee.match.questions)
    rehearsal.lay_out(order.script[used : used + seats], in_earnest=False)
    return 0 < seats <= len(order.script) - used


def _ask(order: PracticeOrder, rehearsal: "Rehearsal", referee: Referee) -> bool:
    """Whether the next step can be played: there is one, and no person must answer first."""
    rehearsal.lay_out(order.script[len(referee.answers) :], in_earnest=True)
    return not referee.match.over and not (order.people & referee.match.questions.keys()) - rehearsal.lines.keys()


def _line(answer: Any) -> list[Any]:
    return [answer.seat, to_plain(answer.action), round(float(answer.ms), 1), *([answer.fault] if answer.fault else [])]


@dataclass(slots=True)
class Rehearsal:
    """A table at which lines of the script stand for answers. `lost` are bots that are gone, and how that came."""

    table: Table
    people: frozenset[Seat]
    lost: dict[Seat, Reply]
    lines: dict[Seat, Line] = field(default_factory=dict)
    in_earnest: bool = False
    digests: list[str] = field(default_factory=list)  # by line that was laid out: the digest of what the bot says

    def lay_out(self, lines: Sequence[Line], *, in_earnest: bool) -> None:
        """Lay out the lines of the next step."""
        self.lines, self.in_earnest = {line[0]: line for line in lines}, in_earnest

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        """One reply for each prompt. Raises PlatformFault."""
        bots = {seat: prompt for seat, prompt in prompts.items() if seat not in self.people and seat not in self.lost}
        replies = self.table.ask(bots) if bots else {}
        if not self.in_earnest:
            self.lost |= {seat: reply for seat, reply in replies.items() if _is_gone(reply)}
            self.digests += [digest(prompts.get(seat), replies.get(seat)) for seat in self.lines]
        answers = {**replies, **self.lost, **{seat: _scripted(line) for seat, line in self.lines.items()}}
        return {seat: answers[seat] for seat in prompts}

    def dismiss(self, seat: Seat) -> None:
        """The seat has forfeited and will not be asked again."""
        self.table.dismiss(seat)


def digest(prompt: Prompt | None, reply: Reply | None) -> str:
    """The digest of a legal answer, however it was spelt; "" where there is none."""
    if prompt is None or reply is None or reply.verdict is not Verdict.OK:
        return ""
    try:
        action = prompt.question.read(reply.action)
    except RecordError:
        return ""
    return "" if prompt.question.error(action) else blake2b(canonical(action).encode(), digest_size=6).hexdigest()


def _is_gone(reply: Reply) -> bool:
    return reply.verdict is not Verdict.OK and reply.verdict not in MENDABLE


def _scripted(line: Line) -> Reply:
    """A fault in the script counts again as it did then."""
    _, action, ms, *fault = line
    return Reply(None, ms, Verdict(fault[0])) if fault else Reply(action, ms)
