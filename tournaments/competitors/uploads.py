"""What those who run bots do with them: create, upload, activate, enter a ladder, withdraw."""

from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from bots.archive import BundleError
from bots.bundle import read_bundle
from engine.games import GAMES
from tournaments.accounts.names import alike, check_name, taken
from tournaments.accounts.permissions import check_runs
from tournaments.accounts.quotas import counted_alone
from tournaments.competitors.upload_check import begin_check, take_over
from tournaments.errors import Refused
from tournaments.ladders.classic_elo import STREAK
from tournaments.ladders.disqualified import barring
from tournaments.ladders.standings import GONE
from tournaments.matchmaking.trials import end_trials
from tournaments.models import Bot, Bundle, Entry, Ladder, Trial, User, Version


@transaction.atomic
def create_bot(*, owner: User, game: str, name: str) -> Bot:
    """A bot without a version. Raises Refused: unknown_game, bad_name, name_taken, too_many_bots."""
    if game not in GAMES:
        raise Refused("unknown_game", f"there is no game {game!r:.60}; there are {', '.join(GAMES)}")
    check_name("bot", name)
    if other := alike(Bot.objects.filter(game=game), "name", name):
        raise Refused("name_taken", taken(f"a bot in {GAMES[game].title}", other, name))
    counted_alone(owner)
    if owner.bots.count() >= settings.BOTS_AN_OWNER:
        raise Refused(
            "too_many_bots", f"you have {settings.BOTS_AN_OWNER} bots, which is as many as one owner may have"
        )
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, game=game, name=name)
    except IntegrityError:
        raise Refused("name_taken", taken(f"a bot in {GAMES[game].title}", name, name)) from None


@transaction.atomic
def upload(*, bot: Bot, by: User, data: bytes, filename: str, note: str = "") -> Version:
    """A new version of a bot, its check begun; of an upload that is sent again while it is checked, that same version.
    Raises Refused with the bundle's own codes, or not_yours, check_running, too_many_uploads, already_active."""
    check_runs(bot, by)
    try:
        found = read_bundle(data, filename)
    except BundleError as error:
        raise Refused(error.code, error.detail) from None
    counted_alone(bot.owner)
    Bot.objects.select_for_update().get(pk=bot.pk)
    sent = bot.versions.filter(status=Version.Status.CHECKING, bundle=found.sha256, need=found.need).first()
    if sent:  # a connection broke before the answer came
        return sent
    _may_upload(bot)
    if bot.versions.filter(status=Version.Status.ACTIVE, bundle=found.sha256, need=found.need).exists():
        raise Refused(
            "already_active", "these very bytes are the active version already; change something and upload again"
        )
    bundle, _ = Bundle.objects.get_or_create(sha256=found.sha256, defaults={"content": data, "size": len(data)})
    last = bot.versions.aggregate(last=Max("number"))["last"] or 0
    version = Version.objects.create(
        bot=bot,
        number=last + 1,
        bundle=bundle,
        filename=_line(filename)[-100:],
        need=found.need,
        note=_line(note)[:200],
    )
    begin_check(version=version)
    return version


def _may_upload(bot: Bot) -> None:
    if checking := bot.versions.filter(status=Version.Status.CHECKING).first():
        raise Refused("check_running", f"{checking} is still being checked; upload the next one when that is done")
    lately = Version.objects.filter(bot__owner=bot.owner_id, created_at__gt=timezone.now() - timedelta(days=1))
    if lately.count() >= settings.UPLOADS_A_DAY:
        raise Refused("too_many_uploads", f"an owner may upload {settings.UPLOADS_A_DAY} times in 24 hours; try later")


def _line(text: str) -> str:
    """What was written, as one line that can be stored and shown."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


@transaction.atomic
def activate(*, version: Version, by: User) -> None:
    """Let a retired version play again. Raises Refused: not_yours, not_retired."""
    check_runs(version.bot, by)
    Bot.objects.select_for_update().get(pk=version.bot_id)
    version.refresh_from_db(fields=["status"])
    if version.status == Version.Status.ACTIVE:
        return
    if version.status != Version.Status.RETIRED:
        raise Refused("not_retired", f"{version} cannot play: {version.get_status_display()}")
    take_over(version=version)
    end_trials(bot=version.bot, reason=f"{version} plays now")
    Trial.objects.filter(candidate=version, status=Trial.Status.PASSED).update(status=Trial.Status.PROMOTED)


@transaction.atomic
def enter(*, ladder: Ladder, bot: Bot, by: User) -> Entry:
    """The bot plays in the ladder from now on. Raises Refused: not_yours, wrong_game, ladder_closed, ladder_frozen,
    python_only, disqualified, already_entered, suspended."""
    check_runs(bot, by)
    if bot.game != ladder.game:
        raise Refused("wrong_game", f"{bot} plays {GAMES[bot.game].title}; {ladder} is a ladder of {ladder.game_title}")
    if ladder.status == Ladder.Status.CLOSED:
        raise Refused("ladder_closed", f"{ladder} is closed; its standings are final")
    _check_open(ladder)
    if ladder.division == Ladder.Division.FUEL and bot.versions.filter(status=Version.Status.ACTIVE).exclude(
        need="python"
    ):
        raise Refused("python_only", f"{ladder} runs its bots in WebAssembly: in Python, with its own library alone")
    Bot.objects.select_for_update().get(pk=bot.pk)
    if barring(ladder, bot):
        raise Refused("disqualified", f"{bot} is disqualified in {ladder}; its page and the audit log say why")
    entry, fresh = Entry.objects.get_or_create(ladder=ladder, bot=bot)
    if not fresh and entry.status == Entry.Status.PLAYING:
        raise Refused("already_entered", f"{bot} is in {ladder} already")
    if entry.status == Entry.Status.SUSPENDED or _keeps_forfeiting(ladder, bot):
        raise Refused("suspended", f"{bot} is suspended in {ladder} because it kept forfeiting; upload a new version")
    entry.status = Entry.Status.PLAYING
    entry.save(update_fields=["status"])
    return entry


def _keeps_forfeiting(ladder: Ladder, bot: Bot) -> bool:
    """By the ledger, which forgets nothing when a bot leaves."""
    forfeiting = ladder.ratings.filter(streak__gte=STREAK, version__bot=bot)
    return forfeiting.filter(version__status=Version.Status.ACTIVE).exists()


@transaction.atomic
def withdraw(*, entry: Entry, by: User) -> Entry:
    """The bot is paired no more; sets under way are played to their end. Raises Refused: not_yours, ladder_frozen,
    not_entered, disqualified."""
    check_runs(entry.bot, by)
    _check_open(entry.ladder)
    left = Entry.objects.filter(pk=entry.pk).exclude(status__in=GONE).update(status=Entry.Status.WITHDRAWN)
    if not left and barring(entry.ladder, entry.bot):
        raise Refused("disqualified", f"{entry.bot} is disqualified in {entry.ladder}; it has left already")
    if not left:
        raise Refused("not_entered", f"{entry.bot} has been withdrawn from {entry.ladder} before")
    entry.refresh_from_db(fields=["status"])
    return entry


def _check_open(ladder: Ladder) -> None:
    if ladder.status == Ladder.Status.FROZEN:
        raise Refused("ladder_frozen", f"{ladder} is frozen: nobody enters or withdraws until it is thawed")
