"""One match: ask, take the answer or the default in its place, count faults, keep the record.

The referee knows no processes and no clocks. It is handed a `Table` that answers for all seats; what went wrong on the
way to an answer arrives as a verdict. Any match goes on to its end by the rules, and its replay
can be stored: when all answers together fill ROOM, a seat that used more than an even share is not asked again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from engine.core import Event, IllegalAction, Match, Position, Question, Seat
from engine.game import AnyGame, Options
from engine.json_text import to_json
from engine.records import Record, show, to_plain
from engine.seats import places_by_score


class Verdict(StrEnum):
    """How a seat fared technically. All but OK are faults; OURS is the platform's, the others the bot's."""

    OK = "ok"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    ILLEGAL_ANSWER = "illegal answer"
    BAD_PROTOCOL = "bad protocol"
    OUTPUT_LIMIT = "output limit"
    SECURITY = "security"
    OURS = "ours"


STANDS_IN = "forfeited"  # beside an answer: the seat had forfeited before, `Question.stand_in` answers for it
MENDABLE = (Verdict.ILLEGAL_ANSWER, Verdict.BAD_PROTOCOL)  # after these the bot still runs and can be asked again

# Bytes of all answers of a match. Those who took less than an even part of it go on to theirs, so that the answers take
# up less than twice as much, and defaults from there on little: a replay stays below `engine.replay.BIGGEST_FILE`.
ROOM = 2_000_000
AROUND = 32  # bytes of an answer's line in a replay besides the action: the seat, the time and mostly a fault


class PlatformFault(Exception):
    """The platform is to blame: the attempt is void, and no bot is charged."""


@dataclass(slots=True)
class Prompt:
    """What a seat is sent: the question, its view, and the events since its last question."""

    question: Question[Record]
    view: Record
    events: list[Event]


@dataclass(slots=True)
class Reply:
    """What came back. `action` is plain data; `ms` is CPU milliseconds; `detail` is evidence for the bot's owner."""

    action: object = None
    ms: float = 0.0
    verdict: Verdict = Verdict.OK
    detail: str = ""


class Table(Protocol):
    """The players at the seats of a match."""

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        """Return one reply for each prompt, by seat. Raises PlatformFault."""
        ...

    def dismiss(self, seat: Seat) -> None:
        """Let the bot of a seat go that has forfeited: it is not asked again."""
        ...


@dataclass(slots=True)
class Answer(Record):
    """One line of the record: who answered what, its CPU time, and the fault that put the default in its place."""

    seat: Seat
    action: Record
    ms: float
    fault: str = ""


@dataclass(slots=True)
class Fault(Record):
    """Evidence for the owner of a seat that faulted, at the index of the answer it was asked for (-1: at the start)."""

    seat: Seat
    answer: int
    verdict: str
    detail: str
    asked: object = None
    given: object = None


@dataclass(slots=True)
class Result(Record):
    """How a match ended. `places` are 1, 1, 3 by score, or by the game's finer ranking; seats that forfeited share the
    last place."""

    scores: list[int]
    places: list[int]
    verdicts: list[str]  # the first fault of each seat, or "ok"
    forfeits: list[bool]


@dataclass(slots=True)
class Conduct:
    """How the seats behave. A seat forfeits at its `strikes`-th fault, or at once if its bot is gone."""

    strikes: int
    verdicts: list[str]
    faults: list[int]
    forfeits: list[bool]

    @classmethod
    def of(cls, seats: int, strikes: int) -> "Conduct":
        return cls(strikes, [Verdict.OK.value] * seats, [0] * seats, [False] * seats)

    def charge(self, seat: Seat, verdict: Verdict, *, absent: bool = False) -> None:
        """Count a fault of `seat`; with `absent`, its bot did not even start."""
        if not self.faults[seat]:
            self.verdicts[seat] = verdict.value
        self.faults[seat] += 1
        self.forfeits[seat] |= absent or verdict not in MENDABLE or self.faults[seat] >= self.strikes

    def result(self, game: AnyGame, position: Position) -> Result:
        ranking = game.ranking or game.scores
        return Result(
            game.scores(position), places_by_score(ranking(position), self.forfeits), self.verdicts, self.forfeits
        )


@dataclass(slots=True)
class Played:
    """A match played to its end."""

    answers: list[Answer]
    result: Result
    faults: list[Fault]
    at: Position
    strikes: int


@dataclass(slots=True)
class Referee:
    """Plays one match at one table."""

    game: AnyGame
    match: Match[Position]
    table: Table
    conduct: Conduct
    unheard: list[list[Event]]  # by seat: events since its last question
    taken: list[int]  # by seat: the bytes that its answers take up
    answers: list[Answer] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def play(self, absent: Mapping[Seat, Reply]) -> Played:
        """Play to the end. `absent` are the faults of seats whose bot did not start. Raises PlatformFault."""
        self.begin(absent)
        while not self.match.over:
            self.step()
        result = self.conduct.result(self.game, self.match.at)
        return Played(self.answers, result, self.faults, self.match.at, self.conduct.strikes)

    def begin(self, absent: Mapping[Seat, Reply]) -> None:
        for seat, reply in absent.items():
            self._fault(seat, reply, None)
        self._listen()

    def step(self) -> None:
        """Ask all seats with an open question at once, and move the match on. Raises PlatformFault."""
        prompts = {seat: self._prompt(seat) for seat in self.match.questions if self._may_answer(seat)}
        replies = self.table.ask(prompts) if prompts else {}
        if missing := prompts.keys() - replies.keys():
            raise PlatformFault(f"the table gave no reply for seat {min(missing)}")
        actions: dict[Seat, Record] = {}
        is_legal = True  # as far as is known
        for seat in sorted(self.match.questions):
            answer = self._answer(seat, replies.get(seat))
            self.answers.append(answer)
            actions[seat] = answer.action
            is_legal &= seat in replies and not answer.fault
            self.taken[seat] += size_of(answer.action)
        (self.match.move if is_legal else self.match.apply)(actions)
        self._listen()

    def _may_answer(self, seat: Seat) -> bool:
        """Whether it is asked: it has not forfeited, nor used more than an even part of a ROOM that is full."""
        has_room = sum(self.taken) <= ROOM or self.taken[seat] * len(self.taken) <= ROOM
        return has_room and not self.conduct.forfeits[seat]

    def _prompt(self, seat: Seat) -> Prompt:
        events, self.unheard[seat] = self.unheard[seat], []
        return Prompt(self.match.questions[seat], self.game.see(self.match.at, seat), events)

    def _answer(self, seat: Seat, reply: Reply | None) -> Answer:
        question = self.match.questions[seat]
        if reply is None and not self.conduct.forfeits[seat]:
            return Answer(seat, question.default(), 0.0)
        if reply is None:
            return Answer(seat, question.stand_in(), 0.0, STANDS_IN)
        if reply.verdict is Verdict.OK:
            try:
                return Answer(seat, self.match.read(seat, reply.action), reply.ms)
            except IllegalAction as error:
                reply = Reply(reply.action, reply.ms, Verdict.ILLEGAL_ANSWER, error.reason)
        self._fault(seat, reply, question)
        return Answer(seat, question.default(), reply.ms, reply.verdict.value)

    def _fault(self, seat: Seat, reply: Reply, question: Question[Record] | None) -> None:
        if reply.verdict in (Verdict.OK, Verdict.OURS):
            raise PlatformFault(reply.detail or f"the table gave no bot's fault for seat {seat}, but {reply.verdict!r}")
        index = len(self.answers) if question else -1
        given = None if reply.action is None else show(reply.action, 400)
        self.faults.append(Fault(seat, index, reply.verdict.value, reply.detail, to_plain(question), given))
        self.conduct.charge(seat, reply.verdict, absent=question is None)
        if self.conduct.forfeits[seat]:
            self.table.dismiss(seat)

    def _listen(self) -> None:
        for event in self.match.hear():
            for seat, unheard in enumerate(self.unheard):
                if (seen := event.seen_by(seat)) is not None:
                    unheard.append(seen)


def size_of(action: Record | Mapping[str, object]) -> int:
    """Return the bytes that an answer takes up in a replay, or little less."""
    return len(to_json(action)) + AROUND


def run_match(
    game: AnyGame,
    options: Options,
    seed: str,
    table: Table,
    *,
    strikes: int = 3,
    absent: Mapping[Seat, Reply] | None = None,
) -> Played:
    """Play one match of `game`. `absent` are the faults of seats whose bot did not start. Raises PlatformFault."""
    return seat_referee(game, options, seed, table, strikes).play(absent or {})


def seat_referee(game: AnyGame, options: Options, seed: str, table: Table, strikes: int) -> Referee:
    """Return a referee before the first question, for callers that go step by step."""
    unheard: list[list[Event]] = [[] for _ in range(options.players)]
    conduct = Conduct.of(options.players, strikes)
    return Referee(game, game.start(options, seed), table, conduct, unheard, [0] * options.players)
