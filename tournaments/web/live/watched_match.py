"""A match and its viewers: messages are read in the loop, played in a thread, and sent in the loop again."""

from collections import deque
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any, Final

from bots.viewer.frames import Frame
from bots.viewer.language import ENGLISH, say, told_in
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.config.match_languages import match_language
from tournaments.web.live.replay_so_far import LiveMessage, LiveReplay, live_replay_of, present_lease, recorded_answers
from tournaments.web.live.subscribers import ALIVE, StreamViewer, act_for_each, give_each, server_sent_event
from workers.live import read_entry

LINGER = 30.0  # seconds that a board waits for viewers who come back
DOUBT = 3.0  # seconds of silence after which the ledger is checked for the match's end
BEGINNING: Final = "0-0"
DIGITS = 18  # of a lease
WAITING_BYTES = 32 << 20  # of messages whose time has not come
FAILED = "This match cannot be shown just now."


class TooManyBytes(Exception):
    """The match has more messages than are accepted; the message says how much."""


@dataclass(slots=True)
class WatchedMatch:
    number: int
    language: str = ""  # "" is English
    viewers: set[StreamViewer] = field(default_factory=set)
    newcomers: list[StreamViewer] = field(default_factory=list)
    left: float = field(default_factory=monotonic)  # when the last one went
    last_id: str = BEGINNING
    messages: deque[tuple[float, int, LiveMessage]] = field(default_factory=deque)  # with their time and lease
    waiting: int = 0  # bytes of them
    fault: Exception | None = None  # raised by work for it in the loop
    ledger_checked: float = field(default_factory=monotonic)  # when the ledger was checked last, or a message came
    now: float = 0.0  # by the broker's clock
    live_replay: LiveReplay | None = None
    again: bool = False  # a later attempt has begun
    settled: bool = False  # the ledger has nothing more
    problem: str = ""  # why it is not shown
    frame: Frame | None = None  # of this round
    over: bool = False

    # --- in the loop -----------------------------------------------------------------------------------------------

    def join(self, viewer: StreamViewer) -> None:
        self.viewers.add(viewer)
        self.newcomers.append(viewer)

    def leave(self, viewer: StreamViewer) -> None:
        self.viewers.discard(viewer)
        self.left = monotonic()

    @property
    def deserted(self) -> bool:
        return not self.viewers and monotonic() - self.left > LINGER

    def __str__(self) -> str:
        return f"match {self.number} {self.language}".rstrip()

    @property
    def clients(self) -> set[str]:
        return {viewer.client for viewer in self.viewers}

    @property
    def ended(self) -> bool:
        """It shows nothing more. That does not count as a success, which would clear its failures."""
        return self.over or bool(self.problem)

    @property
    def is_open(self) -> bool:
        return not self.ended

    def may_read(self, kept: Any, most: int) -> bool:
        """Whether the match's stream is small enough to be read. Raises the errors of a broker that is away."""
        if isinstance(kept, int) and kept > most:
            self.fault = TooManyBytes(f"{kept} bytes are kept in the broker of what was said; at most {most} are read")
        return self.fault is None and not self._failed_to_read(kept)

    def receive_all(self, answer: Any) -> None:
        """Take in the broker's answer. Raises the errors of a broker that is away; all others end here."""
        if self._failed_to_read(answer):
            return
        try:
            for _, messages in answer.items() if isinstance(answer, dict) else answer or ():
                for name, fields in messages[0] if isinstance(answer, dict) else messages:
                    self.receive(name, fields)
        except Exception as error:  # noqa: BLE001 - `work` raises it, where it is noted
            self.fault = error

    def _failed_to_read(self, answer: Any) -> bool:
        if not isinstance(answer, Exception):
            return False
        if FAILING_ITEMS.is_away(answer):
            raise answer
        self.fault = answer
        return True

    def receive(self, name: bytes, fields: dict[bytes, bytes]) -> None:
        """Malformed messages are ignored."""
        self.last_id, self.ledger_checked = name.decode(), monotonic()
        lease, plain = read_entry(fields)
        message = LiveMessage.read(plain)
        if not (message and lease.isdigit() and len(lease) <= DIGITS):
            return
        self.messages.append((int(name.partition(b"-")[0]) / 1000, int(lease), message))
        self.waiting += message.size
        if self.waiting > WAITING_BYTES:
            raise TooManyBytes(
                f"{self.waiting} bytes of what was said wait for their time; at most {WAITING_BYTES} may"
            )

    def send(self) -> None:
        """Send, after a round's work, the new frame to all and the whole scene to new viewers.

        An error disconnects the viewers, which reconnect by themselves.
        """
        try:
            self._send()
        except Exception as error:  # noqa: BLE001 - `work` raises it, where it is noted
            self.fault = error
            act_for_each(self.viewers, StreamViewer.close)

    def _send(self) -> None:
        shown, newcomers = self.live_replay, self.newcomers
        if self.again:
            newcomers, self.again = list(self.viewers), False
        elif self.frame:
            give_each(self.viewers.difference(newcomers), self._event(self.frame))
        if shown and shown.begun:
            self._welcome(newcomers, shown)
            self.newcomers = []
        if self.problem or (shown and shown.over):
            self._end(shown)

    def _event(self, frame: Frame) -> bytes:
        assert self.live_replay
        return server_sent_event("frame", frame, f"{self.live_replay.lease}-{frame['at']}")

    def _welcome(self, viewers: list[StreamViewer], shown: LiveReplay) -> None:
        """Send viewers who come back what they missed, if it is still kept; others the whole present moment."""
        scene = server_sent_event("scene", asdict(shown.scene()), f"{shown.lease}-{shown.at}") if viewers else b""

        def welcome(viewer: StreamViewer) -> None:
            lease, moment = viewer.seen or (0, 0)
            missed = shown.missed(moment) if lease == shown.lease else None
            viewer.give(scene if missed is None else b"".join(map(self._event, missed)) or ALIVE)

        act_for_each(viewers, welcome)

    def _end(self, shown: LiveReplay | None) -> None:
        problem = self.problem or (shown.problem if shown else "")
        standing = shown.standing() if shown and shown.begun and not problem else {}
        self.end(problem, **standing)

    def end(self, text: str, **standing: object) -> None:
        """End it for all viewers."""
        self.over, self.frame = True, None
        with self.told():
            text = say(text)
        chunk = server_sent_event("over", {**standing, "text": text, "url": f"/matches/{self.number}/"})

        def dismiss(viewer: StreamViewer) -> None:
            if not viewer.closed:
                viewer.give(chunk)
                viewer.end()

        act_for_each(self.viewers, dismiss)

    def told(self) -> AbstractContextManager[None]:
        return told_in(match_language(self.language or ENGLISH.name))

    # --- in the thread ---------------------------------------------------------------------------------------------

    def fail(self) -> None:
        """It raised an error, which is noted; or it did so before, and rests."""
        with self.told():
            self.frame, self.problem = None, self.problem or say(FAILED)

    def work(self) -> bool:
        """Draw the next moment, if it is due. Returns whether there was one. Also raises the errors from the loop."""
        self.frame = None
        if self.fault:
            fault, self.fault = self.fault, None
            raise fault
        with self.told():
            self._work()
        return self.frame is not None

    def _work(self) -> None:
        if self.live_replay is None:
            self.live_replay = live_replay_of(self.number)
        if self.live_replay is None:
            self.problem = say("This match is not shown.")
            return
        if not self.live_replay.whole and (monotonic() - self.ledger_checked > DOUBT or not self.live_replay.under_way):
            self._doubt(self.live_replay)
        self._take(self.live_replay)
        self.frame = self.live_replay.step()

    def _take(self, shown: LiveReplay) -> None:
        """Take the messages whose time has come."""
        present: int | None = None
        while self.messages and self.messages[0][0] + shown.delay <= self.now:
            _, lease, message = self.messages.popleft()
            self.waiting -= message.size
            if lease > shown.lease and lease == (present := present or present_lease(self.number) or -1):
                shown = self.live_replay = live_replay_of(self.number) or shown
                self.again = True
            if lease == shown.lease:
                shown.receive(message)

    def _doubt(self, shown: LiveReplay) -> None:
        """Look in the ledger, since no message came for a while: if the match is over, it has what was not sent."""
        self.ledger_checked = monotonic()
        if self.settled or present_lease(self.number) is not None:
            return
        self.settled = True
        if recording := recorded_answers(self.number):
            message, when = recording
            self.messages.append((when.timestamp(), shown.lease, message))
        else:
            self.problem = say("This match was not played to its end.")
