from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from tournaments.ledger.ladders.official_fit import recompute
from tournaments.models import Ladder


class Command(BaseCommand):
    help = "Computes ratings from nothing but the recorded results, and says what came out differently: nothing should."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ladder", nargs="?", help="its slug; all ladders if none is named")

    def handle(self, *_: object, ladder: str | None, **__: object) -> None:
        ladders = Ladder.objects.filter(slug=ladder) if ladder else Ladder.objects.order_by("slug")
        if ladder and not ladders:
            raise CommandError(f"there is no ladder {ladder!r}")
        if not ladders:
            self.stdout.write("There is no ladder.")
        for chosen in ladders:
            self._recompute(chosen)

    def _recompute(self, ladder: Ladder) -> None:
        differences = recompute(ladder=ladder)
        for version, (before, after) in differences.items():
            self.stdout.write(f"{ladder.slug}: {version}: {before} before, {after} now")
        sets = ladder.sets.filter(rated=True).count()
        self.stdout.write(
            f"{ladder.slug}: {sets} sets, {ladder.ratings.count()} versions, difference {len(differences)}"
        )
