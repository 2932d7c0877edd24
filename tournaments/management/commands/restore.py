from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from redis import RedisError

from engine.sentences import Sentence
from tournaments.core.broker import queues
from tournaments.core.errors import Refused
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.matchmaking.seed_chains import end_all
from tournaments.models import Ladder
from tournaments.ops.backups.restore import restore


class Command(BaseCommand):
    help = "Brings a backup back into an empty database, all of it or none, and checks its ratings."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--create", default="", metavar="NAME", help="a database to make for it, on the server of DATABASE_URL"
        )

    def handle(self, *_: object, file: Path, create: str, **__: object) -> None:
        try:
            seal = restore(file.absolute(), create=create, say=self.say)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        self.say("All rows are there. Now the tables are brought up to date, and all ratings are computed again.")
        call_command("migrate", verbosity=0)
        end_all(
            reason=Sentence(
                "a backup of %(made_at)s was brought back: links after it may have been shown already",
                made_at=seal.made_at,
            )
        )
        with suppress(RedisError):
            if not create:
                queues.broker().flushdb()  # what it holds is of another past
        self.stdout.write(
            f"{sum(seal.rows.values()):,} rows of {len(seal.rows)} tables are back, as of {seal.made_at}."
        )
        differences = sum(len(recompute(ladder=ladder)) for ladder in Ladder.objects.all())
        self.stdout.write(f"Ratings computed again from the recorded results: difference {differences}.")
        if create:
            self.stdout.write(f"Let DATABASE_URL name the database {create}, and start again.")
        if differences:
            raise CommandError("The ratings in this backup were not those of its results; now they are.")

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
