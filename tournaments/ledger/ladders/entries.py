"""A bot enters a ladder, or is withdrawn."""

from django.db import transaction

from engine.games import GAMES
from tournaments.core.accounts.permissions import check_runs
from tournaments.core.accounts.quotas import count_entering, counted_alone
from tournaments.core.accounts.spaces import check_joined, check_of_space
from tournaments.core.accounts.suspension import check_owner
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.ledger.competitors import entry_states
from tournaments.ledger.competitors.clones import FIELDED, check_no_clone
from tournaments.ledger.competitors.upload_sizes import check_upload_size
from tournaments.ledger.ladders import absences
from tournaments.ledger.ladders.classic_elo import STREAK
from tournaments.ledger.ladders.disqualified import barring
from tournaments.models import Bot, Entry, Ladder, User, Version


@transaction.atomic
def enter_in_ladder(*, ladder: Ladder, bot: Bot, by: User) -> Entry:
    """The bot plays in the ladder from now on. Raises Refused: not_yours, account_suspended, other_space, not_member,
    space_account, wrong_game, ladder_closed, ladder_frozen, python_only, bundle_too_large, disqualified,
    already_entered, suspended, same_contents, deadline_over, over_budget."""
    check_runs(bot, by)
    check_owner(bot.owner, by, ladder.space_id)
    check_of_space(bot, ladder)
    check_joined(by, ladder.space)
    count_entering(by)
    ladder = locked_ladder(ladder)
    _check_game(ladder, bot)
    _check_takes_entries(ladder)
    _check_division(ladder, bot)
    counted_alone(bot.owner)  # late days are counted over several ladders
    Bot.objects.select_for_update().get(pk=bot.pk)
    _check_not_barred(ladder, bot)
    check_upload_size(ladder, bot)
    for feature in features():
        feature.before_entry(ladder, bot)
    check_no_clone(bot, bot.versions.filter(status__in=FIELDED).values_list("contents", flat=True), [ladder])
    entry, fresh = Entry.objects.get_or_create(ladder=ladder, bot=bot)
    _check_may_play(ladder, bot, None if fresh else entry)
    if not fresh:
        absences.comes_back(entry)
    entry_states.enter_again(entry)
    return entry


def _check_game(ladder: Ladder, bot: Bot) -> None:
    if bot.game != ladder.game:
        raise Refused(
            "wrong_game",
            "%(bot)s plays %(title)s; %(ladder)s is a ladder of %(game_title)s",
            bot=bot,
            title=GAMES[bot.game].title,
            ladder=ladder,
            game_title=ladder.game_title,
        )


def _check_takes_entries(ladder: Ladder) -> None:
    if ladder.status == Ladder.Status.CLOSED:
        raise Refused("ladder_closed", "%(ladder)s is closed; its standings are final", ladder=ladder)
    _check_open(ladder)


def _check_division(ladder: Ladder, bot: Bot) -> None:
    active = bot.versions.filter(status=Version.Status.ACTIVE)
    if ladder.division == Ladder.Division.FUEL and active.exclude(need="python"):
        raise Refused(
            "python_only",
            "%(ladder)s runs bots in WebAssembly: only Python, with its standard library",
            ladder=ladder,
        )


def _check_not_barred(ladder: Ladder, bot: Bot) -> None:
    if barring(ladder, bot):
        raise Refused(
            "disqualified",
            "%(bot)s is disqualified in %(ladder)s; its page and the audit log say why",
            bot=bot,
            ladder=ladder,
        )


def _check_may_play(ladder: Ladder, bot: Bot, before: Entry | None) -> None:
    """`before`: the entry that it had before this one."""
    if before and before.status == Entry.Status.PLAYING:
        raise Refused("already_entered", "%(bot)s is in %(ladder)s already", bot=bot, ladder=ladder)
    if (before and before.status == Entry.Status.SUSPENDED) or _keeps_forfeiting(ladder, bot):
        raise Refused(
            "suspended",
            "%(bot)s is suspended in %(ladder)s because it kept forfeiting; upload a new version",
            bot=bot,
            ladder=ladder,
        )


def _keeps_forfeiting(ladder: Ladder, bot: Bot) -> bool:
    """Return whether the bot forfeits, by the ledger, which keeps its records when a bot leaves."""
    forfeiting = ladder.ratings.filter(streak__gte=STREAK, version__bot=bot)
    return forfeiting.filter(version__status=Version.Status.ACTIVE).exists()


@transaction.atomic
def withdraw_bot(*, entry: Entry, by: User) -> Entry:
    """The bot is paired no more; sets under way are played to their end. Raises Refused: not_yours, ladder_frozen,
    not_entered, disqualified, in_panel."""
    check_runs(entry.bot, by)
    _check_open(locked_ladder(entry.ladder))
    for feature in features():
        feature.before_withdrawal(entry.ladder, entry.bot)
    left = entry_states.mark_withdrawn(entry)
    if not left and barring(entry.ladder, entry.bot):
        raise Refused(
            "disqualified",
            "%(bot)s is disqualified in %(ladder)s; it has left already",
            bot=entry.bot,
            ladder=entry.ladder,
        )
    if not left:
        raise Refused(
            "not_entered", "%(bot)s has already been withdrawn from %(ladder)s", bot=entry.bot, ladder=entry.ladder
        )
    absences.note_leaving(entry)
    entry.refresh_from_db(fields=["status"])
    return entry


def locked_ladder(ladder: Ladder) -> Ladder:
    """The ladder as it is now, and until the transaction ends."""
    return Ladder.objects.select_for_update(no_key=True, of=("self",)).select_related("space").get(pk=ladder.pk)


def _check_open(ladder: Ladder) -> None:
    if ladder.status == Ladder.Status.FROZEN:
        raise Refused(
            "ladder_frozen", "%(ladder)s is frozen: nobody enters or withdraws until it is thawed", ladder=ladder
        )
