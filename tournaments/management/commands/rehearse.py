import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from bots.formats.model import Entrant
from bots.formats.settings import Spec, read_stored
from bots.formats.validation import check_playable
from tournaments.core.errors import Refused
from tournaments.features.events.event_format import playable_format
from tournaments.features.events.seeding import seeds_of
from tournaments.ledger.formats.simulation import side_by_side, simulate
from tournaments.ledger.ladders.standings import active_versions
from tournaments.models import Entry, Ladder, Result
from tournaments.ops.launcher.up_options import between


class Command(BaseCommand):
    help = "Simulates formats with the present ratings of a ladder, side by side, before an event is announced."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ladder", help="its slug")
        parser.add_argument("formats", nargs="+", metavar="format", help='such as \'{"t": "swiss", "rounds": 5}\'')
        parser.add_argument("--events", type=between(1, 10_000), default=100, help="how many are simulated (100)")
        parser.add_argument("--workers", type=between(1, 10_000), default=2, help="that will play at once (2)")

    def handle(self, *_: object, ladder: str, formats: list[str], events: int, workers: int, **__: object) -> None:
        rehearsed = Ladder.objects.filter(slug=ladder).first()
        if rehearsed is None:
            raise CommandError(f"there is no ladder {ladder!r}")
        field, minutes = seeded_field(rehearsed), minutes_of(rehearsed)
        specs = {text: read_format_file(text, rehearsed, field) for text in formats}
        self.stdout.write(
            f"{rehearsed}: {len(field)} bots, {60 * minutes:.1f} s a match, {workers} workers, {events} events"
        )
        expectations = {
            text: simulate(spec, field, minutes=minutes, workers=workers, events=events) for text, spec in specs.items()
        }
        self.stdout.write(side_by_side(expectations))


def read_format_file(text: str, ladder: Ladder, field: list[Entrant]) -> Spec:
    try:
        spec = read_stored(playable_format(ladder, json.loads(text)))
        check_playable(spec, field)
    except json.JSONDecodeError as error:
        raise CommandError(f"{text} is not JSON: {error}") from None
    except Refused as refused:
        raise CommandError(f"{text}: {refused.detail}") from None
    return spec


def seeded_field(ladder: Ladder) -> list[Entrant]:
    """The bots that play there, as they would be seeded."""
    playing = set(ladder.entries.filter(status=Entry.Status.PLAYING).values_list("bot", flat=True))
    versions = [version for version in active_versions(ladder) if version.bot_id in playing]
    return [Entrant(bot, *seed) for bot, seed in seeds_of(ladder, versions).items()]


def minutes_of(ladder: Ladder) -> float:
    """A match, by the latest results; a guess where there are none."""
    latest = Result.objects.filter(match__set__ladder=ladder).order_by("-pk").values_list("seconds", flat=True)[:200]
    return (sum(latest) / len(latest) if latest else 10.0) / 60
