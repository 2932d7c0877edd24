from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.models import Ladder
from tournaments.ratings.seat_effects import seat_effects
from tournaments.ratings.table import fit_of
from tournaments.ratings.table_behaviour import Suspicion, suspicions

LINES = 20


class Command(BaseCommand):
    help = (
        "Shows an organiser what seats were worth in a ladder, and who seemed to favour whom at tables of more than "
        "two: evidence, with how often a ladder without favours would show as much. Never a verdict."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ladder", help="its slug")

    def handle(self, *_: object, ladder: str, **__: object) -> None:
        board = Ladder.objects.filter(slug=ladder).first()
        if board is None:
            raise CommandError(f"there is no ladder {ladder!r}", returncode=2)
        ledger = ledger_of(board)
        if not ledger.sets:
            raise CommandError(f"no set of {board} is rated yet, so nothing can be said", returncode=2)
        ratings = fit_of(ledger)
        names = {key: f"{version.bot} v{version.number}" for key, version in ledger.versions.items()}
        self.stdout.write(f"{board}: {len(ledger.sets)} sets\n\nseat       Elo")
        for seats in sorted(set(board.sizes)):
            for effect in seat_effects(ledger.sets, ratings, seats):
                self.stdout.write(f"{effect.seat} of {seats}   {effect.elo:+6.1f} +- {effect.ci95:.1f}")
        self.stdout.write("\nkind        who takes more      in whose company    sets  points     z  in honest ladders")
        for line in suspicions(ledger.sets, ratings)[:LINES]:
            self.stdout.write(row(line, names))


def row(line: Suspicion, names: dict[int, str]) -> str:
    beginning = f"{line.kind:<10}  {names[line.version]:<18}  {names[line.other]:<18}"
    return f"{beginning}  {line.sets:>4}  {line.points:+6.3f}  {line.z:4.1f}  {line.false_alarms:.0%}"
