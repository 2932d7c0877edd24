"""The named steps of the flow, from a new set to its ratings, at each of which a process can be made to end.

A process that was started by `stepped` looks, whenever it passes a step, whether the step is armed: a file of its name
lies in the folder `armed`. Whoever takes the file away first kills or stops itself on the spot.
"""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}


@dataclass(frozen=True, slots=True)
class Step:
    """Just before a function of a program is called, or just after it has returned."""

    name: str
    program: str
    function: str  # "module:name", where its caller looks for it
    after: bool = False


BEFORE, AFTER = False, True
STEPS = (
    Step("set on paper, nothing leased", "dispatcher", "tournaments.ledger.matchmaking.ladder_sets:create_set", AFTER),
    Step("leases taken, not committed", "dispatcher", "tournaments.ledger.dispatch.orders:_order", BEFORE),
    Step("leases committed, order not sent", "dispatcher", "tournaments.ledger.dispatch.orders:_send_order", BEFORE),
    Step("order sent", "dispatcher", "tournaments.core.broker.queues:send_order", AFTER),
    Step("lease run out, not given back", "dispatcher", "tournaments.ledger.dispatch.sweep:release", BEFORE),
    Step("lease given back, not committed", "dispatcher", "tournaments.ledger.dispatch.sweep:release", AFTER),
    Step("set folded, not committed", "dispatcher", "tournaments.ledger.ladders.classic_elo:_publish", AFTER),
    Step("set rated", "dispatcher", "tournaments.ledger.ladders.classic_elo:rate_ladder", AFTER),
    Step("ratings fitted, not committed", "dispatcher", "tournaments.ratings.fit:fit_ratings", AFTER),
    Step("ratings fitted", "dispatcher", "tournaments.ledger.ladders.official_fit:refit", AFTER),
    Step("order taken", "worker", "workers.tasks:play_set", BEFORE),
    Step("match begun", "worker", "workers.tasks:_judge", BEFORE),
    Step("bots started", "worker", "workers.match:seat_referee", BEFORE),
    Step("match played, report not sent", "worker", "workers.tasks:sized", BEFORE),
    Step("report sent", "worker", "workers.tasks:hand_in", AFTER),
    Step("set played, order not acknowledged", "worker", "workers.tasks:play_set", AFTER),
    Step("report received", "recorder", "tournaments.ledger.recording.tasks:receive_set", BEFORE),
    Step("replay verified", "recorder", "tournaments.ledger.recording.set_reports:verified_replay", AFTER),
    Step("result written, not committed", "recorder", "tournaments.ledger.recording.entering:_write", AFTER),
    Step("set complete, not committed", "recorder", "tournaments.ledger.recording.entering:conclude_set", AFTER),
    Step(
        "result committed, report not acknowledged", "recorder", "tournaments.ledger.recording.tasks:receive_set", AFTER
    ),
    Step("upload stored, not committed", "web", "tournaments.ledger.competitors.uploads:begin_check", AFTER),
    Step("upload committed, not answered", "web", "tournaments.site.bots_api:upload", AFTER),
    Step("bundle found, not sent", "web", "tournaments.site.bundles_api:client_holds", BEFORE),
)


@dataclass(frozen=True, slots=True)
class Trap:
    """Where steps are armed, and what was caught: one folder for all processes of a run."""

    folder: Path

    def make(self) -> None:
        for name in ("armed", "taken"):
            (self.folder / name).mkdir()

    def arm(self, step: Step, how: str) -> None:
        """The next process at this step does so to itself: "kill" or "stop"."""
        fresh = self.folder / f".{step.name}"
        fresh.write_text(how)
        fresh.rename(self.folder / "armed" / step.name)

    def disarm(self, step: Step) -> None:
        (self.folder / "armed" / step.name).unlink(missing_ok=True)

    def caught(self, step: Step) -> int | None:
        """Return the process that stepped into it; once. None if none has yet."""
        taken = self.folder / "taken" / step.name
        try:
            pid = int(taken.read_text())
        except FileNotFoundError:
            return None
        taken.unlink()
        return pid

    def spring(self, step: Step) -> None:
        """Called by the process that passes the step."""
        armed, mine = self.folder / "armed" / step.name, self.folder / f".{step.name}-{os.getpid()}"
        if not armed.exists():
            return
        try:
            armed.rename(mine)
        except FileNotFoundError:  # somebody else took it
            return
        how = mine.read_text()
        mine.write_text(str(os.getpid()))
        mine.rename(self.folder / "taken" / step.name)
        os.kill(os.getpid(), SIGNALS[how])
