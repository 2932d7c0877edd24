"""A match and those who watch it: gathered in the loop, played in a thread, told in the loop again."""

from collections import deque
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any, Final

from tournaments.broker.failing_items import BOOK
from tournaments.live.replay_so_far import Screening, Word, present_lease, recorded, screening_of
from tournaments.live.subscribers import ALIVE, Viewer, act_for_each, event, give_each
from tournaments.viewer.frames import Frame
from workers.live import read_entry

LINGER = 30.0  # seconds that a board waits for those who come back
DOUBT = 3.0  # seconds of silence after which the ledger is asked what became of the match
BEGINNING: Final = "0-0"
DIGITS = 18  # of a lease
WAITING_BYTES = 32 << 20  # of words whose time has not come
FAILED = "This match cannot be shown just now."


class TooMuch(Exception):
    """More was said of the match than is taken; the message says how much."""


@dataclass(slots=True)
class Board:
    number: int
    viewers: set[Viewer] = field(default_factory=set)
    newcomers: list[Viewer] = field(default_factory=list)
    left: float = field(default_factory=monotonic)  # when the last one went
    heard_up_to: str = BEGINNING
    words: deque[tuple[float, int, Word]] = field(default_factory=deque)  # when they were said, and under which lease
    waiting: int = 0  # bytes of them
    fault: Exception | None = None  # raised by something that was done for it in the loop
    asked: float = field(default_factory=monotonic)  # the ledger, last; or heard something
    now: float = 0.0  # by the broker's clock
    screening: Screening | None = None
    again: bool = False  # a later attempt has begun
    settled: bool = False  # the ledger has said all that it knows
    trouble: str = ""  # why it is not shown
    frame: Frame | None = None  # of this round
    over: bool = False

    # --- in the loop -----------------------------------------------------------------------------------------------

    def join(self, viewer: Viewer) -> None:
        self.viewers.add(viewer)
        self.newcomers.append(viewer)

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)
        self.left = monotonic()

    @property
    def deserted(self) -> bool:
        return not self.viewers and monotonic() - self.left > LINGER

    def __str__(self) -> str:
        return f"match {self.number}"

    @property
    def clients(self) -> set[str]:
        return {viewer.client for viewer in self.viewers}

    @property
    def ended(self) -> bool:
        """It shows nothing more; that is no success, by which what was noted of it would be forgotten."""
        return self.over or bool(self.trouble)

    @property
    def listens(self) -> bool:
        return not self.ended

    def may_read(self, kept: Any, most: int) -> bool:
        """Whether what is kept of the match is little enough to be read. Raises what says that the broker is away."""
        if isinstance(kept, int) and kept > most:
            self.fault = TooMuch(f"{kept} bytes are kept in the broker of what was said; at most {most} are read")
        return self.fault is None and not self._failed_to_read(kept)

    def hear_all(self, found: Any) -> None:
        """What the broker answered. Raises what says that it is away; all else ends here."""
        if self._failed_to_read(found):
            return
        try:
            for _, words in found.items() if isinstance(found, dict) else found or ():
                for name, fields in words[0] if isinstance(found, dict) else words:
                    self.hear(name, fields)
        except Exception as error:  # noqa: BLE001 - `work` raises it, where it is noted
            self.fault = error

    def _failed_to_read(self, found: Any) -> bool:
        if not isinstance(found, Exception):
            return False
        if BOOK.is_away(found):
            raise found
        self.fault = found
        return True

    def hear(self, name: bytes, fields: dict[bytes, bytes]) -> None:
        """What was said under another name than a worker gives it, or in no shape, is passed over."""
        self.heard_up_to, self.asked = name.decode(), monotonic()
        lease, plain = read_entry(fields)
        word = Word.read(plain)
        if not (word and lease.isdigit() and len(lease) <= DIGITS):
            return
        self.words.append((int(name.partition(b"-")[0]) / 1000, int(lease), word))
        self.waiting += word.size
        if self.waiting > WAITING_BYTES:
            raise TooMuch(f"{self.waiting} bytes of what was said wait for their time; at most {WAITING_BYTES} may")

    def tell(self) -> None:
        """After a round's work: what is new to all, and all that there is to those who are. Whatever fails in it ends
        with these viewers, who come back by themselves."""
        try:
            self._tell()
        except Exception as error:  # noqa: BLE001 - `work` raises it, where it is noted
            self.fault = error
            act_for_each(self.viewers, Viewer.close)

    def _tell(self) -> None:
        shown, newcomers = self.screening, self.newcomers
        if self.again:
            newcomers, self.again = list(self.viewers), False
        elif self.frame:
            give_each(self.viewers.difference(newcomers), self._event(self.frame))
        if shown and shown.begun:
            self._welcome(newcomers, shown)
            self.newcomers = []
        if self.trouble or (shown and shown.over):
            self._end(shown)

    def _event(self, frame: Frame) -> bytes:
        assert self.screening
        return event("frame", frame, f"{self.screening.lease}-{frame['at']}")

    def _welcome(self, viewers: list[Viewer], shown: Screening) -> None:
        """Whoever comes back gets what was missed, if that is still here; others the present moment, whole."""
        scene = event("scene", asdict(shown.scene()), f"{shown.lease}-{shown.at}") if viewers else b""

        def welcome(viewer: Viewer) -> None:
            lease, at = viewer.seen or (0, 0)
            missed = shown.missed(at) if lease == shown.lease else None
            viewer.give(scene if missed is None else b"".join(map(self._event, missed)) or ALIVE)

        act_for_each(viewers, welcome)

    def _end(self, shown: Screening | None) -> None:
        trouble = self.trouble or (shown.trouble if shown else "")
        standing = shown.standing() if shown and shown.begun and not trouble else {}
        self.end(trouble, **standing)

    def end(self, text: str, **standing: object) -> None:
        """For all who watch."""
        self.over, self.frame = True, None
        chunk = event("over", {**standing, "text": text, "url": f"/matches/{self.number}/"})

        def dismiss(viewer: Viewer) -> None:
            if not viewer.closed:
                viewer.give(chunk)
                viewer.end()

        act_for_each(self.viewers, dismiss)

    # --- in the thread ---------------------------------------------------------------------------------------------

    def fail(self) -> None:
        """It raised something, and what that was is noted; or it has done so before, and rests."""
        self.frame, self.trouble = None, self.trouble or FAILED

    def work(self) -> bool:
        """One moment more, if it is due. Whether there was one. Raises what was raised in the loop, too."""
        self.frame = None
        if self.fault:
            fault, self.fault = self.fault, None
            raise fault
        self._work()
        return self.frame is not None

    def _work(self) -> None:
        if self.screening is None:
            self.screening = screening_of(self.number)
        if self.screening is None:
            self.trouble = "This match is not shown."
            return
        if not self.screening.whole and (monotonic() - self.asked > DOUBT or not self.screening.under_way):
            self._doubt(self.screening)
        self._take(self.screening)
        self.frame = self.screening.step()

    def _take(self, shown: Screening) -> None:
        """The words whose time has come."""
        present: int | None = None
        while self.words and self.words[0][0] + shown.delay <= self.now:
            _, lease, word = self.words.popleft()
            self.waiting -= word.size
            if lease > shown.lease and lease == (present := present or present_lease(self.number) or -1):
                shown = self.screening = screening_of(self.number) or shown
                self.again = True
            if lease == shown.lease:
                shown.hear(word)

    def _doubt(self, shown: Screening) -> None:
        """Nothing was heard for a while: if the match is over, the ledger says what the worker did not."""
        self.asked = monotonic()
        if self.settled or present_lease(self.number) is not None:
            return
        self.settled = True
        if found := recorded(self.number):
            word, when = found
            self.words.append((when.timestamp(), shown.lease, word))
        else:
            self.trouble = "This match was not played to its end."
