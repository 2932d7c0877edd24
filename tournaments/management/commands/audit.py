from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from tournaments.audit import BrokenLog
from tournaments.audit.log import head, log_lines


class Command(BaseCommand):
    help = "Writes the public log of organisers' acts as JSON Lines, or its head, to be published somewhere else."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--head", action="store_true", help="check the log, and write its head alone")

    def handle(self, *_: object, head: bool, **__: object) -> None:
        if head:
            self._head()
        else:
            self.stdout.writelines(log_lines())

    def _head(self) -> None:
        try:
            self.stdout.write(str(head()))
        except BrokenLog as broken:
            raise CommandError(str(broken)) from None
