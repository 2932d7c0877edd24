"""What a run has left in the ledger and on the machine, and what is told of it."""

import argparse
import json
from dataclasses import asdict, dataclass
from statistics import median

from django.db import connection
from django.db.models import Count

from tests.faults import sound
from tests.faults.asking import recorded
from tests.faults.book import Book
from tests.faults.crowd import Visitors
from tests.faults.poison.bystanders import Bystanders
from tests.faults.poison.giving import Giving
from tests.faults.poison.lies import Liar
from tests.faults.poison.waits import Figure, rows, stopped
from tests.faults.stage import Stage
from tests.faults.web_memory import WebMemory
from tournaments.models import Attempt, Match

ALONE = 100  # poisons of a hundred faults


@dataclass(slots=True)
class FinalCheck:
    options: argparse.Namespace
    stage: Stage
    book: Book
    visitors: Visitors
    bystanders: Bystanders
    giving: Giving
    memory: WebMemory

    def report(self, seconds: float) -> int:
        """The exit code: 0 if nothing was found."""
        figures = self.bystanders.waits.figures()
        codes = self.stage.leave()
        lost, doubled = sound.lost(), sound.doubled()
        troubles = [f"{name} left with code {code}" for name, code in codes.items() if code] + self.stage.trouble
        troubles += [*sound.wrong(), *sound.changed(self.book.results), *sound.broken_promises(self.visitors.promised)]
        troubles += [*self.giving.troubles(), *Liar.harm(), *self._done_to_others(figures)]
        summary, lines = self._summary(lost, doubled), self._lines(figures)
        self._write(figures, summary)
        connection.close()
        self.stage.close()
        troubles += [*sound.orphans(str(self.stage.home))]
        troubles += [*sound.litter(self.stage.home, self.stage.data.folder / "bundles")]
        print("\n".join([*lines, *lost, *doubled, *troubles]))
        counts = ", ".join(f"{name} {number}" for name, number in summary.items())
        print(f"seed {self.options.seed}: {counts}, other troubles = {len(troubles)}, {seconds:.0f} s", flush=True)
        return 1 if lost or doubled or troubles else 0

    def _summary(self, lost: list[str], doubled: list[str]) -> dict[str, object]:
        given_up = Match.objects.filter(status__in=sound.OVER).count()
        return {
            "faults injected": self.book.faults,
            "matches held": Match.objects.count(),
            "recorded": recorded(),
            "given up with a reason": given_up,
            "lost =": len(lost),
            "doubled =": len(doubled),
        }

    def _lines(self, figures: dict[str, Figure]) -> list[str]:
        again = (self.stage.home / "again").read_text().splitlines()
        outcomes = dict(Attempt.objects.values_list("outcome").annotate(Count("pk")).order_by("outcome"))
        lines = [*self.book.lines(again, self.visitors), f"attempts: {outcomes}", "", *self.giving.lines()]
        return [*lines, "", f"The others, {self._among()}:", *rows(figures), *self._causes(figures), self.memory.line()]

    def _among(self) -> str:
        poison = self.options.poison
        return "among poison alone" if poison == ALONE else f"among faults, {poison} of a hundred of them poison"

    def _causes(self, figures: dict[str, Figure]) -> list[str]:
        """Return what happened in or shortly before each longest standstill."""
        return [f"{kind}: {self._cause(seen)}" for kind, seen in figures.items()]

    def _cause(self, seen: Figure) -> str:
        began = self.bystanders.waits.began
        happened = sorted((when - began, name) for when, name in [*self.book.timeline, *self.giving.timeline])
        return ", ".join(f"{name} at {at:.0f} s" for at, name in happened if seen.covers(at)) or "nothing"

    def _done_to_others(self, figures: dict[str, Figure]) -> list[str]:
        """Servers that are struck make others wait, and leave pages unanswered; poison must not."""
        if self.options.poison != ALONE:
            return []
        failing = sorted(self.bystanders.answers.items())
        pages = [f"the page {page} answered {status}, {times} times" for (page, status), times in failing]
        return [*stopped(figures), *pages]

    def _write(self, figures: dict[str, Figure], summary: dict[str, object]) -> None:
        if not self.options.json:
            return
        waits = {kind: asdict(figure) for kind, figure in figures.items()}
        poison = {"of a hundred": self.options.poison, "worked": self.giving.worked, "silent": self.giving.silent}
        counts = {name.removesuffix(" ="): number for name, number in summary.items()}
        seen = {
            "plain": plain_match(),
            "recoveries": self.book.recoveries,
            "waits": waits,
            "poison": poison,
            "web memory": self.memory.largest_mb,
            "timeline": sorted(self.book.timeline + self.giving.timeline),
            "began": self.bystanders.waits.began,
        }
        self.options.json.write_text(json.dumps(counts | seen))


def plain_match() -> float:
    """Seconds from an order to the result, of a match that nothing happened to: the median."""
    straight = Attempt.objects.filter(lease=1, outcome=Attempt.Outcome.RECORDED, match__set__checks=None)
    times = straight.values_list("sent_at", "ended_at")
    return median((ended - sent).total_seconds() for sent, ended in times if ended)
