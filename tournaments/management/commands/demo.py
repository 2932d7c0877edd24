from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import timedelta
from itertools import islice
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from bots.bundle import read_bundle
from bots.characters import characters_of
from bots.contents import bundle_fingerprint
from bots.contest import sample_files
from bots.field import rungs_of, source
from bots.games import module_of
from bots.rated_options import rated_margin, rated_options
from engine.game import AnyGame
from engine.games import GAMES
from engine.records import to_plain
from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM
from tournaments.core.accounts.names import alike
from tournaments.core.errors import Refused
from tournaments.features.events.lifecycle import announce, create
from tournaments.features.events.registration import register
from tournaments.features.faces.badges import read_again
from tournaments.ledger.competitors.disk_space import check_disk
from tournaments.ledger.competitors.uploads import create_bot, upload
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Bot, Event, Ladder, User, Version
from tournaments.ops.launcher.up_options import between

OWNER = "boardroom"
FIELD = "field-{game}"  # who owns the rungs of a game: those of all games are more bots than one owner may have
ANCHOR = "random"
PLAYERS = 3  # as many as each game has samples in Python: they fill a table, where that size is allowed
COUNTED = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")
# Some samples take seconds for a match, and all ladders share the workers: five ladders at this pace begin a set every
# 20 s, and the machine keeps time for bots that are new.
CUP_OF = "zaibatsu"  # one small event, so that there is one to see: three sets of two matches
CUP_BEGINS = timedelta(minutes=5)  # by then the samples are checked
PACE = {"sets_wanted": 30, "pace_seconds": 100}


class Command(BaseCommand):
    help = "Makes ladders with sample bots and the field's rungs in them, to have something to see. Again, nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", metavar="game", help=f"all, or some of: {', '.join(GAMES)}")
        parser.add_argument(
            "--rungs", type=between(0, 1000), metavar="N", help="of the field the N weakest alone; 0 for none"
        )

    @transaction.atomic
    def handle(self, *_: object, games: list[str], rungs: int | None, verbosity: int, **__: Any) -> None:
        if unknown := set(games) - GAMES.keys():
            raise CommandError(f"There is no game {min(unknown)!r}; there are: {', '.join(GAMES)}.", returncode=2)
        try:
            check_disk()
        except Refused as refused:
            raise CommandError(f"No samples are made: {refused}.") from None
        owner = the_owner(OWNER)
        for game in games or GAMES:
            ladder = the_ladder(GAMES[game])
            for name in samples_in_python(game):
                path = sample_files(game)[name]
                the_bot(owner, ladder, name, Upload(path.read_bytes(), path.name, "a sample bot"))
            anchor(ladder, owner)
            self.enter_the_field(ladder, rungs)
            if game == CUP_OF:
                the_cup(ladder, owner)
            if verbosity:
                self.stdout.write(f"ladder {ladder.slug}: {ladder.entries.count()} bots")

    def enter_the_field(self, ladder: Ladder, most: int | None) -> None:
        """The rungs, called as their characters. What another release of the field made of them is uploaded anew."""
        for name, rung in islice(rungs_of(ladder.game).items(), most):
            data = source(ladder.game, rung.family, rung.numbers)
            try:
                owner = the_owner(FIELD.format(game=ladder.game))
                the_bot(owner, ladder, name, Upload(data, f"{name}.py", f"a rung of the field: {rung.family}"))
            except (
                CommandError,
                Refused,
            ) as why:  # such as the bot that another rung was before, or a name that is taken
                self.stderr.write(f"ladder {ladder.slug}: {name} stays as it was: {why}")


class Upload(NamedTuple):
    data: bytes
    filename: str
    note: str


def the_owner(name: str) -> User:
    owner, new = User.objects.get_or_create(username=name)
    if new:
        owner.set_unusable_password()
        owner.save()
    elif owner.has_usable_password():
        raise CommandError(f"bots of the demo belong to the user {name}, and somebody has signed up by that name")
    return owner


def the_ladder(game: AnyGame) -> Ladder:
    players = min(max(PLAYERS, game.players[0]), game.players[-1])
    settings = {
        "title": game.title,
        "description": f"{COUNTED[players]} at a table of {game.title}. Upload a bot and see how far it climbs.",
        "game": game.name,
        "rules": game.version,
        "margin": rated_margin(game.name),
        "options": to_plain(game.read_options({**demo_options(game.name), "players": players})),
    }
    return Ladder.objects.get_or_create(slug=game.name, defaults={**settings, **PACE})[0]


def demo_options(game: str) -> Mapping[str, object]:
    """Return options where the game's defaults are not the best for bots that all meet daily."""
    options: Mapping[str, object] = getattr(module_of(game, "options"), "LADDER", {})
    return {**rated_options(game), **options}


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
    announce(event=create(event=cup, by=PLATFORM), by=PLATFORM, reason=Sentence("Something to see on a new site."))
    for entry in ladder.entries.filter(bot__owner=owner).select_related("bot"):
        register(event=cup, bot=entry.bot, by=owner)


def samples_in_python(game: str) -> list[str]:
    """The others need a language that a worker may lack."""
    return [name for name in sample_files(game) if "." not in name]


def the_bot(owner: User, ladder: Ladder, name: str, sample: Upload) -> None:
    """Enter the rung or sample of that name in the ladder, unless somebody else took its name first. Raises Refused."""
    game, character = ladder.game, characters_of(ladder.game).get(name)
    called = character.name if character else name
    own = Bot.objects.filter(Q(house=name) | Q(house="", name__iexact=name), game=game, owner=owner).first()
    bot = own or Bot.objects.filter(game=game, name__iexact=called).first()
    bot = bot or create_bot(owner=owner, game=game, name=called)
    if bot.owner != owner:
        return
    if bot.house != name:
        present_character(bot, name, called)
    if needs_upload(bot, bundle_fingerprint(read_bundle(sample.data, sample.filename))):
        upload(bot=bot, by=owner, data=sample.data, filename=sample.filename, note=sample.note)
    if not ladder.entries.filter(bot=bot).exists():
        enter_in_ladder(ladder=ladder, bot=bot, by=owner)


def present_character(bot: Bot, house: str, called: str) -> None:
    """Mark the bot as the house's, by its character's name. Who has beaten it meanwhile earns a badge."""
    is_free = not alike(Bot.objects.filter(game=bot.game).exclude(pk=bot.pk), "name", called)
    Bot.objects.filter(pk=bot.pk).update(house=house, name=called if is_free else bot.name)
    read_again(bot)


def needs_upload(bot: Bot, contents: str) -> bool:
    same_contents = bot.versions.filter(contents=contents).exclude(status=Version.Status.REJECTED)
    return not bot.versions.filter(status=Version.Status.CHECKING).exists() and not same_contents.exists()
