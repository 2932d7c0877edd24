from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournaments.core.errors import Refused
from tournaments.ops.backups.backup import backup


class Command(BaseCommand):
    help = "Writes the whole database to a file, while everything runs. Secrets of the environment are not in it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_: object, file: Path, **__: object) -> None:
        try:
            seal = backup(file.absolute(), say=self.say)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        rows, size = sum(seal.rows.values()), file.stat().st_size / (1 << 20)
        self.stdout.write(
            f"{file}: {rows:,} rows of {len(seal.rows)} tables, {size:.1f} MB, read again and whole.\n"
            "SECRET_KEY and WORKER_TOKEN are not in it (secrets in the data folder, or your .env): keep them too, "
            "and apart from it."
        )

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
