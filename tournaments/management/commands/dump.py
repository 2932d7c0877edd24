from argparse import ArgumentParser
from pathlib import Path
from time import process_time

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournaments.core.accounts.spaces import listed_for
from tournaments.core.errors import Refused
from tournaments.ledger.dumps.dump import dump
from tournaments.models import Ladder


class Command(BaseCommand):
    help = "Writes what is public of each ladder as JSON Lines and Parquet; what has not changed is not made again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ladder", nargs="*", help="slugs; without one, all public ladders")
        parser.add_argument("--to", type=Path, help="a folder; by default the one that the site serves under /data/")

    def handle(self, *_: object, ladder: list[str], to: Path | None, **__: object) -> None:
        ladders = Ladder.objects.filter(slug__in=ladder) if ladder else Ladder.objects.filter(listed_for(None))
        if unknown := sorted({*ladder} - {chosen.slug for chosen in ladders}):
            raise CommandError(f"There is no ladder {', '.join(unknown)}.")
        matches = {chosen.slug: self._dump(chosen, to or settings.DUMPS) for chosen in ladders.order_by("pk")}
        if failed := [slug for slug, number in matches.items() if number is None]:
            raise CommandError(f"Not dumped: {', '.join(failed)}.")
        if not any(matches.values()):
            what = "no public ladder" if not matches else f"no match of {', '.join(matches)}"
            raise CommandError(f"Nothing to dump: there is {what} in this database. Is it the one that you mean?")

    def _dump(self, ladder: Ladder, root: Path) -> int | None:
        """Return how many matches are in the dump; None if it fails, which stops no other."""
        begun = process_time()
        try:
            made = dump(ladder, root)
        except (Refused, OSError) as problem:
            self.stderr.write(f"{ladder.slug}: {problem}")
            return None
        matches = next(table["rows"] for table in made.manifest["tables"] if table["name"] == "matches")
        size = sum(file["bytes"] for file in made.manifest["files"]) / 1e6
        spent = process_time() - begun
        parts = f"{made.fresh} of {made.chunks} parts made"
        self.stdout.write(f"{ladder.slug}: {matches:,} matches, {size:.1f} MB, {parts}, {spent:.1f} s")
        return int(matches)
