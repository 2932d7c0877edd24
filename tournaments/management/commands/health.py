from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from tournaments.ops.monitoring.health import PARTS, check_health


class Command(BaseCommand):
    help = "Says of each part of the platform whether it works. The exit code is 1 if one does not."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--exclude", action="append", default=[], choices=PARTS, help="a part that may be away")

    def handle(self, *_: object, exclude: list[str], **__: object) -> None:
        parts = [part for part in check_health() if part.name not in exclude]
        for part in parts:
            self.stdout.write(f"{'ok' if part.well else 'FAILS':<6} {part.name:<11} {part.says}")
        if not all(part.well for part in parts):
            raise SystemExit(1)
