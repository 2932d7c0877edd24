"""New bots and new versions of them."""

from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from bots.archive import BundleError
from bots.bundle import Bundle, read_bundle, source_files
from bots.contents import bundle_fingerprint
from bots.doctor.imported import unread_module
from bots.languages import MOST_ADDED
from bots.languages.python import Python
from engine.games import GAMES
from engine.sentences import Sentence
from tournaments.core.accounts.names import alike, check_name, normalized_name, taken
from tournaments.core.accounts.permissions import check_runs
from tournaments.core.accounts.pseudonyms import name_of_bot
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spaces import check_joined
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.accounts.suspension import check_owner, check_writes
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.config.sentence_data import data_of
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.ledger.competitors.bundles import keep_bundle
from tournaments.ledger.competitors.clones import check_is_new, check_no_clone, ladders_of_bot
from tournaments.ledger.competitors.upload_check import begin_check
from tournaments.ledger.competitors.upload_sizes import most_for
from tournaments.models import Bot, Space, User, Version
from workers.syntax_reader import read_apart

BUILT_MB = declare(
    Budget(
        name="bots that are built, with their programs at their largest",
        resource="Checks and builds",
        most=512,
        unit="MB",
        seconds=86_400,
        holder="owner of the uploads",
        where="tournaments.ledger.competitors.uploads.upload",
        sentence="one owner may upload %(most)s MB a day of bots that are built, where each counts with the largest "
        "program that it may become; try again tomorrow",
        setting="BUILT_MB_A_DAY",
    )
)


@transaction.atomic
def create_bot(*, owner: User, game: str, name: str, space: Space | None = None) -> Bot:
    """A bot without a version, of the site itself or of a space, where its name may be drawn. Raises Refused:
    unknown_game, space_account, not_member, bad_name, mixed_scripts, name_taken, too_many_bots."""
    if game not in GAMES:
        raise Refused(
            "unknown_game", "there is no game %(game)s; there are %(games)s", game=f"{game:.60}", games=", ".join(GAMES)
        )
    check_joined(owner, space)
    check_writes(owner, space.pk if space else None)
    name = name_of_bot(owner, game, space, normalized_name(name))
    check_name("bot", name)
    if other := alike(Bot.objects.filter(game=game, space=space), "name", name):
        raise Refused("name_taken", taken(Sentence("a bot in %(game)s", game=GAMES[game].title), other, name))
    counted_alone(owner)
    if owner.bots.count() >= settings.BOTS_AN_OWNER:
        raise Refused(
            "too_many_bots",
            "you have %(bots_an_owner)s bots, the most that one owner may have",
            bots_an_owner=settings.BOTS_AN_OWNER,
        )
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, game=game, name=name, space=space)
    except IntegrityError:
        raise Refused("name_taken", taken(Sentence("a bot in %(game)s", game=GAMES[game].title), name, name)) from None


@transaction.atomic
def upload(*, bot: Bot, by: User, data: bytes, filename: str, note: str = "") -> Version:
    """A new version of a bot, its check begun; of an upload that is sent again while it is checked, that same version.
    Raises Refused with the bundle's own codes, or not_yours, account_suspended, check_running, too_many_uploads,
    already_active, already_uploaded, same_contents, in_panel, deadline_over, over_budget, disk_full."""
    check_runs(bot, by)
    check_owner(bot.owner, by, bot.space_id)
    try:
        found = read_bundle(data, filename, most_for(bot) << 20)
    except BundleError as error:
        raise Refused(error.code, error.detail) from None
    unread = check_syntax(found, filename)
    counted_alone(bot.owner)
    Bot.objects.select_for_update().get(pk=bot.pk)
    sent = bot.versions.filter(status=Version.Status.CHECKING, bundle=found.sha256, need=found.need).first()
    if sent:  # a connection broke before the answer came
        return sent
    _may_upload(bot)
    for feature in features():
        feature.before_upload(bot)
    if found.language.built:
        spend_budget(BUILT_MB, bot.owner_id, -(-(MOST_ADDED + sum(map(len, found.files.values()))) >> 20))
    contents = bundle_fingerprint(found)
    check_is_new(bot, contents)
    check_no_clone(bot, [contents], ladders_of_bot(bot))
    bundle = keep_bundle(found.sha256, data)
    last = bot.versions.aggregate(last=Max("number"))["last"] or 0
    version = Version.objects.create(
        bot=bot,
        number=last + 1,
        bundle=bundle,
        contents=contents,
        filename=_line(filename)[-100:],
        need=found.need,
        note=_line(note)[:200],
        report=unread,
        report_data=data_of(unread),
    )
    begin_check(version=version)
    return version


def check_syntax(bundle: Bundle, filename: str) -> str:
    """Return what its owner should know of a module that a Python bot may import later.

    Raises Refused: not_python, for one that would not start.
    """
    if not isinstance(bundle.language, Python):
        return ""
    named = {path: bundle.files[path] for path in source_files(bundle.language, bundle.files)}
    fault = read_apart(bundle.manifest.entry, named)
    if fault and fault.at_start:
        path = filename if len(bundle.files) == 1 and filename.endswith(".py") else fault.path
        raise Refused(
            "not_python",
            "correct %(path)s, line %(line)s: Python says “%(why)s”",
            path=path,
            line=fault.line,
            why=fault.why,
        )
    return unread_module(fault) if fault else ""


def _may_upload(bot: Bot) -> None:
    if checking := bot.versions.filter(status=Version.Status.CHECKING).first():
        raise Refused(
            "check_running",
            "%(checking)s is still being checked; upload the next one when that is done",
            checking=checking,
        )
    lately = Version.objects.filter(bot__owner=bot.owner_id, created_at__gt=timezone.now() - timedelta(days=1))
    if lately.count() >= settings.UPLOADS_A_DAY:
        raise Refused(
            "too_many_uploads",
            "an owner may upload %(uploads_a_day)s times in 24 hours; try later",
            uploads_a_day=settings.UPLOADS_A_DAY,
        )


def _line(text: str) -> str:
    """The text as one line that can be stored and shown."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
