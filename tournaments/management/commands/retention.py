from argparse import ArgumentParser
from datetime import timedelta

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.ledger.retention import FORGETTABLE
from tournaments.ops.launcher.up_options import between

DAYS, MOST_DAYS = 90, 36_500


class Command(BaseCommand):
    help = "Forgets what nobody needs after some time. Results, replays of what counts, ratings and acts stay for ever."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=between(1, MOST_DAYS), default=DAYS, help=f"how old a thing must be to go ({DAYS})"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say how much would go")

    def handle(self, *_: object, days: int, dry_run: bool, **__: object) -> None:
        old = timezone.now() - timedelta(days=days)
        for kind in FORGETTABLE:
            number = kind.count(old) if dry_run else sum(kind.go(old))
            self.stdout.write(f"{number:>9,} {kind.title} {'would go' if dry_run else 'have gone'}")
