from hashlib import sha256
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

import bots.samples
from engine.games import GAMES
from engine.records import to_plain
from tournaments.entering import create_bot, enter, upload
from tournaments.models import Bot, Ladder, User, Version

OWNER, GAME = "boardroom", "zaibatsu"
SAMPLES = ("random", "marginal", "blend")  # each beats the one before


class Command(BaseCommand):
    help = (
        "Makes a ladder with the sample bots in it, so that there is something to see. Changes nothing the second time."
    )

    @transaction.atomic
    def handle(self, *_: object, **__: object) -> None:
        owner, new = User.objects.get_or_create(username=OWNER)
        if new:
            owner.set_unusable_password()
            owner.save()
        elif owner.has_usable_password():
            raise CommandError(f"the sample bots belong to the user {OWNER}, and somebody has signed up by that name")
        ladder = the_ladder()
        for name in SAMPLES:
            the_bot(owner, ladder, name)
        self.stdout.write(f"ladder {ladder.slug}: {ladder.entries.count()} bots")


def the_ladder() -> Ladder:
    game = GAMES[GAME]
    settings = {
        "title": game.title,
        "game": game.name,
        "rules": game.version,
        "options": to_plain(game.read_options({})),
    }
    settings["description"] = f"{game.title} as the rulebook has it. Upload a bot and see how far it climbs."
    return Ladder.objects.get_or_create(slug=GAME, defaults=settings)[0]


def the_bot(owner: User, ladder: Ladder, name: str) -> None:
    """The sample bot of that name in the ladder, unless somebody else took the name first."""
    bot = Bot.objects.filter(game=GAME, name__iexact=name).first() or create_bot(owner=owner, game=GAME, name=name)
    if bot.owner != owner:
        return
    path = Path(bots.samples.__file__).parent / f"{GAME}_{name}.py"
    data = path.read_bytes()
    if needs_upload(bot, data):
        upload(bot=bot, by=owner, data=data, filename=path.name, note="a sample bot")
    if not ladder.entries.filter(bot=bot).exists():
        enter(ladder=ladder, bot=bot, by=owner)


def needs_upload(bot: Bot, data: bytes) -> bool:
    latest = bot.versions.order_by("number").last()
    if latest is None:
        return True
    return latest.status != Version.Status.CHECKING and latest.bundle_id != sha256(data).hexdigest()
