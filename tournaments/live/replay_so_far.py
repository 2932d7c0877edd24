"""A match under way as all may see it: what its worker tells is played again here, once for all who watch.

No secret leaves: only `Perspective()` looks at the position, and the seed that it takes to play comes from the
database.
"""

import json
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from time import monotonic

from django.db.models import Prefetch

from engine.referee import Result as Outcome
from engine.replay import Player, Replay, ReplayError, read
from tournaments.accounts.visibility import seen_by
from tournaments.models import Match, Result, Seat
from tournaments.viewer.boards import BOARDS
from tournaments.viewer.commentary import Part
from tournaments.viewer.frames import Frame, FrameLine, frame_of
from tournaments.viewer.player import Moment, Perspective, Projector
from tournaments.viewer.svg import merge

LOG = 80  # sentences that one who comes late is told
RECENT = 240  # frames for one who comes back
LEAD = 400  # answers that a show may be behind when it begins; what was before is seen as one picture
MOST, MOST_BYTES = 20_000, 16 << 20  # answers of a match
CATCHING_UP = 0.1  # seconds of one round: others are shown meanwhile
PATH = 300  # points of the chart for one who comes late

UNDER_WAY = (Match.Status.WAITING, Match.Status.LEASED)


@dataclass(frozen=True, slots=True)
class Word:
    """What a worker says of a match (`workers.live`), or what the ledger would."""

    begin: int
    answers: list[object]
    absent: dict[str, str]
    over: bool
    size: int = 0  # bytes

    @classmethod
    def read(cls, told: bytes) -> "Word | None":
        """Nothing where it is not of that shape; what the answers are is looked at when they are played."""
        try:
            word = json.loads(told)
            begin, answers, absent = word["from"], word["answers"], word.get("absent", {})
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        sound = type(begin) is int and isinstance(answers, list) and isinstance(absent, dict)
        return cls(begin, answers, absent, bool(word.get("over")), len(told)) if sound else None


@dataclass(slots=True)
class Scene:
    """All that there is to see, for one who has just come."""

    frame: Frame
    names: list[str]
    unit: str
    path: list[tuple[int, list[float]]]  # how everybody stood, at earlier moments


@dataclass(slots=True)
class Screening:
    """One attempt at a match, shown."""

    number: int
    replay: Replay
    lease: int
    delay: int  # seconds
    under_way: bool
    projector: Projector | None = None
    frames: deque[Frame] = field(default_factory=lambda: deque(maxlen=RECENT))
    parts: dict[str, str] = field(default_factory=dict)
    opening: deque[Part] = field(default_factory=lambda: deque(maxlen=LOG))
    told: deque[FrameLine] = field(default_factory=lambda: deque(maxlen=LOG))
    path: list[tuple[int, list[float]]] = field(default_factory=list)
    heard: bool = False
    size: int = 0  # bytes of what was heard
    whole: bool = False  # no more answers will come
    trouble: str = ""  # why it cannot be shown any further

    def hear(self, word: Word) -> None:
        """Take in what its worker said."""
        known = len(self.replay.answers)
        self.size += word.size
        if self.size > MOST_BYTES:
            self.trouble = "More was played than can be shown."
            return
        if not word.begin <= known < MOST:
            self.trouble = "A part of what was played is missing here."
            return
        self.replay.answers += word.answers[known - word.begin :]
        self.replay.absent |= word.absent
        self.heard, self.whole = True, self.whole or word.over

    @property
    def begun(self) -> bool:
        return bool(self.frames)

    @property
    def at(self) -> int:
        """How many answers have been shown."""
        return self.path[-1][0]

    @property
    def over(self) -> bool:
        return bool(self.trouble) or (self.begun and self.whole and not self._projector.can_go_on)

    @property
    def _projector(self) -> Projector:
        assert self.projector
        return self.projector

    def step(self) -> Frame | None:
        """One moment on, if it is there."""
        try:
            if self.trouble or not self.heard:
                return None
            if not self.begun:
                return self._begin()
            return self._note(self._projector.next()) if self._projector.can_go_on else None
        except ReplayError as error:
            self.trouble = f"This match cannot be shown here: {error.detail}"
            return None

    def _begin(self) -> Frame | None:
        """The first moment; of a match that is far ahead already, a later one, and what led there in words. It may take
        some rounds until it is reached."""
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
        self.told.extend(frame["told"])
        self._mark(frame["at"], frame["worth"])
        self.frames.append(frame)
        return frame

    def _mark(self, at: int, worth: list[float]) -> None:
        self.path.append((at, worth))
        if len(self.path) > PATH:
            del self.path[1:-1:2]

    def scene(self) -> Scene:
        """The present moment, whole."""
        last = self.frames[-1]
        frame: Frame = {**last, "parts": self.parts, "told": list(self.told), "turns": []}
        return Scene(frame, self._projector.names, self._projector.board.UNIT, self.path)

    def missed(self, at: int) -> list[Frame] | None:
        """The frames after that moment, if they are still here."""
        if not self.frames or at < self.frames[0]["at"]:
            return None
        return list(islice((frame for frame in self.frames if frame["at"] > at), RECENT))

    def standing(self) -> dict[str, object]:
        """How it ended."""
        run = self._projector.run
        result = run.conduct.result(run.game, run.match.at)
        return {"scores": result.scores, "places": result.places, "forfeits": result.forfeits}


def watched(number: int) -> Match | None:
    """The match, if it may be shown to all while it is played: of a ladder or an event, in a round that is released."""
    seats = Prefetch("seats", Seat.objects.select_related("version__bot").order_by("number"))
    found = Match.objects.filter(seen_by(None), pk=number, set__checks=None, set__ladder__isnull=False)
    return found.select_related("set__ladder", "result").prefetch_related(seats).first()


def screening_of(number: int) -> Screening | None:
    match = watched(number)
    if match is None or match.set.ladder is None or match.set.game not in BOARDS:
        return None
    under_way = match.status in UNDER_WAY
    return Screening(number, _unplayed(match), match.lease, match.set.ladder.live_delay, under_way)


def recorded(number: int) -> tuple[Word, datetime] | None:
    """What was played, and when that was recorded; nothing where it is not."""
    result = Result.objects.filter(match=number).first()
    if result is None:
        return None
    replay = read(bytes(result.replay))
    return Word(0, replay.answers, replay.absent, over=True), result.recorded_at


def present_lease(number: int) -> int | None:
    """Of a match under way; nothing when it is no longer."""
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
