import json
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.game import Luck
from engine.games import GAMES
from engine.luck import shares_beaten, summed_surprises, throws_of
from engine.luck_value import LuckError
from engine.records import to_plain
from engine.replay import ReplayError, read_replay
from tournaments.features.luck.value_fit import Sample, fitted_luck_value
from tournaments.models import Ladder, Result, Seat
from tournaments.ops.launcher.up_options import between

FEWEST = 100  # matches: fewer say more of those matches than of luck


class Command(BaseCommand):
    help = "Fits a value of luck on the rated matches of ladders, and prints it as JSON with its hash."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ladders", nargs="+", metavar="ladder", help="of one game: seasons that are over")
        parser.add_argument("--name", required=True, help="of the value")
        parser.add_argument(
            "--latest", type=between(1, 10**6), default=5000, help="matches of each ladder, the latest (5000)"
        )

    def handle(self, *_: object, ladders: list[str], name: str, latest: int, **__: Any) -> None:
        found = [_ladder(slug) for slug in ladders]
        games = {ladder.game for ladder in found}
        if len(games) > 1:
            raise CommandError(f"a value is of one game; these ladders are of {', '.join(sorted(games))}", returncode=2)
        game = GAMES[games.pop()]
        if not game.luck:
            raise CommandError(f"{game.title} does not tell luck", returncode=2)
        matches = [match for ladder in found for match in self.matches(ladder, game.luck, latest)]
        if len(matches) < FEWEST:
            raise CommandError(f"a value needs {FEWEST} matches with rolls; here are {len(matches)}", returncode=2)
        self.stdout.write(json.dumps(to_plain(fitted_luck_value(name, game, chain.from_iterable(matches)))))

    def matches(self, ladder: Ladder, luck: Luck[Any], latest: int) -> Iterator[list[Sample]]:
        """The seats of every match that can be played again; the others are named."""
        rated = Result.objects.filter(match__set__ladder=ladder, match__set__rated=True).order_by("-match")
        for match in rated.values_list("match", flat=True)[:latest]:
            try:
                if seats := samples_of_match(match, luck):
                    yield seats
            except (ReplayError, LuckError) as error:
                self.stderr.write(f"match {match} is left out: {error.code}: {error}")


def samples_of_match(match: int, luck: Luck[Any]) -> list[Sample]:
    """Return the samples of a match's seats; none where no dice were rolled."""
    replay = read_replay(bytes(Result.objects.values_list("replay", flat=True).get(match=match)))
    throws = throws_of(replay, luck)
    versions = Seat.objects.filter(match=match).order_by("number").values_list("version", flat=True)
    seats = zip(versions, shares_beaten(throws.places), summed_surprises(throws), strict=True) if throws.rolls else ()
    return [Sample((version, len(throws.places)), float(share), found) for version, share, found in seats]


def _ladder(slug: str) -> Ladder:
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise CommandError(f"there is no ladder {slug!r}", returncode=2)
    return ladder
