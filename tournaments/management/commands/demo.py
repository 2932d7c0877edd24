from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from bots.bundle import read_bundle
from bots.contents import fingerprint
from bots.contest import sample_files
from engine.game import AnyGame
from engine.games import GAMES
from engine.records import to_plain
from tournaments.audit.log import PLATFORM
from tournaments.competitors.uploads import create_bot, upload
from tournaments.events.lifecycle import announce, create
from tournaments.events.registration import register
from tournaments.ladders.entries import enter
from tournaments.models import Bot, Event, Ladder, User, Version

OWNER = "boardroom"
ANCHOR = "random"
PLAYERS = 3  # as many as each game has samples in Python: they fill a table, where that size is allowed
COUNTED = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")
OPTIONS: dict[str, dict[str, object]] = {  # where the game's own defaults are not the best for bots that all meet daily
    "gigabucks": {"bidding": "proxy"},
    "network": {"map": "generated"},
    "shangzhou": {"trading": "off"},  # one owner may hold two seats
}
# Some samples take seconds for a match, and all ladders share the workers: five ladders at this pace begin a set every
# 20 s, and the machine keeps time for bots that are new.
CUP_OF = "zaibatsu"  # one small event, so that there is one to see: three sets of two matches
CUP_BEGINS = timedelta(minutes=5)  # by then the samples are checked
PACE = {"sets_wanted": 30, "pace_seconds": 100}


class Command(BaseCommand):
    help = "Makes ladders with the sample bots in them, so that there is something to see. The second time, nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", metavar="game", help=f"all, or some of: {', '.join(GAMES)}")

    @transaction.atomic
    def handle(self, *_: object, games: list[str], verbosity: int, **__: Any) -> None:
        if unknown := set(games) - GAMES.keys():
            raise CommandError(f"There is no game {min(unknown)!r}; there are: {', '.join(GAMES)}.", returncode=2)
        owner = the_owner()
        for game in games or GAMES:
            ladder = the_ladder(GAMES[game])
            for name in samples_in_python(game):
                the_bot(owner, ladder, name)
            anchor(ladder, owner)
            if game == CUP_OF:
                the_cup(ladder, owner)
            if verbosity:
                self.stdout.write(f"ladder {ladder.slug}: {ladder.entries.count()} bots")


def the_owner() -> User:
    owner, new = User.objects.get_or_create(username=OWNER)
    if new:
        owner.set_unusable_password()
        owner.save()
    elif owner.has_usable_password():
        raise CommandError(f"the sample bots belong to the user {OWNER}, and somebody has signed up by that name")
    return owner


def the_ladder(game: AnyGame) -> Ladder:
    players = min(max(PLAYERS, game.players[0]), game.players[-1])
    settings = {
        "title": game.title,
        "description": f"{COUNTED[players]} at a table of {game.title}. Upload a bot and see how far it climbs.",
        "game": game.name,
        "rules": game.version,
        "options": to_plain(game.read_options({**OPTIONS.get(game.name, {}), "players": players})),
    }
    return Ladder.objects.get_or_create(slug=game.name, defaults={**settings, **PACE})[0]


def anchor(ladder: Ladder, owner: User) -> None:
    """The sample that answers by lot is held at 1000, so that the numbers of all months compare."""
    first = Version.objects.filter(bot__owner=owner, bot__game=ladder.game, bot__name__iexact=ANCHOR).first()
    if first and not ladder.anchor:
        ladder.anchor = first
        ladder.save(update_fields=["anchor"])


def the_cup(ladder: Ladder, owner: User) -> None:
    """The sample bots meet each other once, two at a table."""
    if Event.objects.filter(slug="samples-cup").exists():
        return
    cup = Event(
        slug="samples-cup",
        title="The samples’ cup",
        description="The sample bots meet, two at a table. Register yours before it begins.",
        ladder=ladder,
        spec={"t": "round_robin", "seats": 2},
        starts_at=timezone.now() + CUP_BEGINS,
    )
    announce(event=create(event=cup, by=PLATFORM), by=PLATFORM, reason="Something to see on a new site.")
    for entry in ladder.entries.filter(bot__owner=owner).select_related("bot"):
        register(event=cup, bot=entry.bot, by=owner)


def samples_in_python(game: str) -> list[str]:
    """The others need a language that a worker may lack."""
    return [name for name in sample_files(game) if "." not in name]


def the_bot(owner: User, ladder: Ladder, name: str) -> None:
    """The sample bot of that name in the ladder, unless somebody else took the name first."""
    game = ladder.game
    bot = Bot.objects.filter(game=game, name__iexact=name).first() or create_bot(owner=owner, game=game, name=name)
    if bot.owner != owner:
        return
    path = sample_files(game)[name]
    data = path.read_bytes()
    if needs_upload(bot, fingerprint(read_bundle(data, path.name))):
        upload(bot=bot, by=owner, data=data, filename=path.name, note="a sample bot")
    if not ladder.entries.filter(bot=bot).exists():
        enter(ladder=ladder, bot=bot, by=owner)


def needs_upload(bot: Bot, contents: str) -> bool:
    known = bot.versions.filter(contents=contents).exclude(status=Version.Status.REJECTED)
    return not bot.versions.filter(status=Version.Status.CHECKING).exists() and not known.exists()
