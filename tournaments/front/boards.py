"""A match and those who watch it: gathered in the loop, played in a thread, told in the loop again."""

from collections import deque
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Final

from tournaments.film.wire import Frame
from tournaments.front.screening import Screening, Word, present_lease, recorded, screening_of
from tournaments.front.viewers import ALIVE, Viewer, event

LINGER = 30.0  # seconds that a board waits for those who come back
DOUBT = 3.0  # seconds of silence after which the ledger is asked what became of the match
BEGINNING: Final = "0-0"


@dataclass(slots=True)
class Board:
    number: int
    viewers: set[Viewer] = field(default_factory=set)
    newcomers: list[Viewer] = field(default_factory=list)
    left: float = field(default_factory=monotonic)  # when the last one went
    heard_up_to: str = BEGINNING
    words: deque[tuple[float, int, Word]] = field(default_factory=deque)  # when they were said, and under which lease
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

    @property
    def listens(self) -> bool:
        return not self.over

    def hear(self, name: bytes, fields: dict[bytes, bytes]) -> None:
        """What was said under another name than a worker gives it, or in no shape, is passed over."""
        self.heard_up_to, self.asked = name.decode(), monotonic()
        lease, word = fields.get(b"lease", b""), Word.read(fields.get(b"word", b""))
        if word and lease.isdigit():
            self.words.append((int(name.partition(b"-")[0]) / 1000, int(lease), word))

    def tell(self) -> None:
        """After a round's work: what is new to all, and all that there is to those who are."""
        shown, newcomers = self.screening, self.newcomers
        if self.again:
            newcomers, self.again = list(self.viewers), False
        elif self.frame:
            chunk = self._event(self.frame)
            for viewer in self.viewers.difference(newcomers):
                viewer.give(chunk)
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
        scene = b""
        for viewer in viewers:
            lease, _, at = viewer.last.partition("-")
            known = lease == str(shown.lease) and at.isdigit()
            missed = shown.missed(int(at[:9])) if known else None
            if missed is None and not scene:
                scene = event("scene", asdict(shown.scene()), f"{shown.lease}-{shown.at}")
            viewer.give(scene if missed is None else b"".join(map(self._event, missed)) or ALIVE)

    def _end(self, shown: Screening | None) -> None:
        self.over = True
        trouble = self.trouble or (shown.trouble if shown else "")
        standing = shown.standing() if shown and shown.begun and not trouble else {}
        chunk = event("over", {**standing, "text": trouble, "url": f"/matches/{self.number}/"})
        for viewer in self.viewers:
            if not viewer.closed:
                viewer.give(chunk)
                viewer.end()

    # --- in the thread ---------------------------------------------------------------------------------------------

    def work(self) -> None:
        """One moment more, if it is due."""
        self.frame = None
        if self.over:
            return
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
        while self.words and self.words[0][0] + shown.delay <= self.now:
            _, lease, word = self.words.popleft()
            if lease > shown.lease and lease == present_lease(self.number):
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
