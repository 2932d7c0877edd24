"""A match under way as the public may see it: its worker's messages are replayed here, once for all viewers.

No secret leaves: only `Perspective()` looks at the position, and the seed that playing needs comes from the database.
"""

import json
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from time import monotonic

from django.db.models import Prefetch, Q

from bots.viewer.commentary import Part
from bots.viewer.frames import Frame, FrameLine, frame_of
from bots.viewer.language import say
from bots.viewer.player import Moment, Perspective, Projector
from bots.viewer.svg import merge
from engine.games import GAMES
from engine.referee import Result as Outcome
from engine.replay import Player, Replay, ReplayError, read_replay
from tournaments.core.accounts.visibility import released_to
from tournaments.models import Match, Result, Seat

LOG = 80  # sentences that a new viewer gets
RECENT = 240  # frames for a viewer who comes back
LEAD = 400  # answers that the show may be behind when it begins; those before are shown as one picture
MOST, MOST_BYTES = 20_000, 16 << 20  # answers of a match
CATCHING_UP = 0.1  # seconds of one round, so that other boards are shown meanwhile
PATH = 300  # points of the chart for a new viewer

UNDER_WAY = (Match.Status.WAITING, Match.Status.LEASED)


@dataclass(frozen=True, slots=True)
class LiveMessage:
    """A worker's message about a match (`workers.live`), or the same made from the ledger."""

    begin: int
    answers: list[object]
    absent: dict[str, str]
    over: bool
    size: int = 0  # bytes

    @classmethod
    def read(cls, data: bytes) -> "LiveMessage | None":
        """Return a worker's message, None if it is malformed; its answers are checked when they are played."""
        try:
            message = json.loads(data)
            begin, answers, absent = message["from"], message["answers"], message.get("absent", {})
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        sound = type(begin) is int and isinstance(answers, list) and isinstance(absent, dict)
        return cls(begin, answers, absent, bool(message.get("over")), len(data)) if sound else None


@dataclass(slots=True)
class LiveScene:
    """The whole present moment, for a new viewer."""

    frame: Frame
    names: list[str]
    unit: str
    path: list[tuple[int, list[float]]]  # everybody's score at earlier moments


@dataclass(slots=True)
class LiveReplay:
    """One attempt at a match as it is shown."""

    number: int
    replay: Replay
    lease: int
    delay: int  # seconds
    under_way: bool
    projector: Projector | None = None
    frames: deque[Frame] = field(default_factory=lambda: deque(maxlen=RECENT))
    parts: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    opening: deque[Part] = field(default_factory=lambda: deque(maxlen=LOG))
    log: deque[FrameLine] = field(default_factory=lambda: deque(maxlen=LOG))
    path: list[tuple[int, list[float]]] = field(default_factory=list)
    has_messages: bool = False
    size: int = 0  # bytes of all messages
    whole: bool = False  # no more answers will come
    problem: str = ""  # why it cannot be shown any further

    def receive(self, message: LiveMessage) -> None:
        """Add a message of its worker."""
        count = len(self.replay.answers)
        self.size += message.size
        if self.size > MOST_BYTES:
            self.problem = say("More was played than can be shown.")
            return
        if not message.begin <= count < MOST:
            self.problem = say("A part of what was played is missing here.")
            return
        self.replay.answers += message.answers[count - message.begin :]
        self.replay.absent |= message.absent
        self.has_messages, self.whole = True, self.whole or message.over

    @property
    def begun(self) -> bool:
        return bool(self.frames)

    @property
    def at(self) -> int:
        """How many answers have been shown."""
        return self.path[-1][0]

    @property
    def over(self) -> bool:
        return bool(self.problem) or (self.begun and self.whole and not self._projector.can_go_on)

    @property
    def _projector(self) -> Projector:
        assert self.projector
        return self.projector

    def step(self) -> Frame | None:
        """The next moment, if its answers are there."""
        try:
            if self.problem or not self.has_messages:
                return None
            if not self.begun:
                return self._begin()
            return self._note(self._projector.next()) if self._projector.can_go_on else None
        except ReplayError as error:
            self.problem = say("This match cannot be shown here: %(why)s", why=error.detail)
            return None

    def _begin(self) -> Frame | None:
        """The first moment; of a match that is far ahead already, a later one, with the log up to there. It may take
        some rounds to reach it."""
        if self.projector is None:
            self.projector = Projector(self.replay, Perspective())
            self.opening.extend(self.projector.begin())
        show, until = self.projector, monotonic() + CATCHING_UP
        while show.can_go_on and len(self.replay.answers) - show.run.step > LEAD:
            self.opening.extend(show.step()[0])
            self._mark(show.run.step, show.worth)
            if monotonic() > until and len(self.replay.answers) - show.run.step > LEAD:
                return None
        return self._note(show.show(list(self.opening), []))

    def _note(self, moment: Moment) -> Frame:
        frame = frame_of(moment)
        self.parts = merge(self.parts, frame["parts"]) if self.parts else frame["parts"]
        self.words |= frame["words"]
        self.log.extend(frame["told"])
        self._mark(frame["at"], frame["worth"])
        self.frames.append(frame)
        return frame

    def _mark(self, moment: int, worth: list[float]) -> None:
        self.path.append((moment, worth))
        if len(self.path) > PATH:
            del self.path[1:-1:2]

    def scene(self) -> LiveScene:
        """The whole present moment."""
        last = self.frames[-1]
        frame: Frame = {**last, "parts": self.parts, "words": self.words, "told": list(self.log), "turns": []}
        return LiveScene(frame, self._projector.names, say(self._projector.board.UNIT), self.path)

    def missed(self, moment: int) -> list[Frame] | None:
        """Return the frames after that moment, if they are still kept."""
        if not self.frames or moment < self.frames[0]["at"]:
            return None
        return list(islice((frame for frame in self.frames if frame["at"] > moment), RECENT))

    def standing(self) -> dict[str, object]:
        """The final scores, places and forfeits."""
        run = self._projector.run
        result = run.conduct.result(run.game, run.match.at)
        return {"scores": result.scores, "places": result.places, "forfeits": result.forfeits}


def match_to_watch(number: int, among: Q = Q()) -> Match | None:  # noqa: B008  it is never changed
    """Return the match, if everybody who sees its space may see it while it is played.

    So it is of a ladder or an event, in a released round. `among`: matches that the asker may see.
    """
    seats = Prefetch("seats", Seat.objects.select_related("version__bot").order_by("number"))
    matches = Match.objects.filter(
        released_to(None, "set__"), among, pk=number, set__checks=None, set__ladder__isnull=False
    )
    return matches.select_related("set__ladder", "result").prefetch_related(seats).first()


def live_replay_of(number: int) -> LiveReplay | None:
    match = match_to_watch(number)
    if match is None or match.set.ladder is None or match.set.game not in GAMES:
        return None
    under_way = match.status in UNDER_WAY
    return LiveReplay(number, _unplayed(match), match.lease, match.set.ladder.live_delay, under_way)


def recorded_answers(number: int) -> tuple[LiveMessage, datetime] | None:
    """The recorded answers, and when they were recorded; None if they are not."""
    result = Result.objects.filter(match=number).first()
    if result is None or not result.replay:
        return None
    replay = read_replay(bytes(result.replay))
    return LiveMessage(0, replay.answers, replay.absent, over=True), result.recorded_at


def present_lease(number: int) -> int | None:
    """The lease of a match under way, else None."""
    return Match.objects.filter(pk=number, status__in=UNDER_WAY).values_list("lease", flat=True).first()


def _unplayed(match: Match) -> Replay:
    seats = match.seats.all()
    return Replay(
        game=match.set.game,
        rules=match.set.rules,
        options=match.set.options,
        seed=match.set.seed,
        commitment=match.set.commitment,
        players=[Player(seat.version.bot.name, seat.version.number) for seat in seats],
        strikes=match.set.strikes,
        absent={},
        answers=[],
        result=Outcome([], [], [], []),
        position="",
        digest="",
    )
