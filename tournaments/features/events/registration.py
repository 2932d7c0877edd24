"""Registering bots for an event and withdrawing them. When all places are taken, a bot joins the waiting list."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bots.formats.validation import MOST_ENTRANTS
from engine.games import GAMES
from engine.sentences import Sentence
from tournaments.audit.chain import moment_text
from tournaments.core.accounts.permissions import check_runs
from tournaments.core.accounts.quotas import count_entering
from tournaments.core.accounts.spaces import check_joined, check_of_space
from tournaments.core.accounts.suspension import check_owner
from tournaments.core.errors import Refused
from tournaments.features.events.rounds import last_round, lock_events, locked_event
from tournaments.features.events.waiting_list import fill_free_places, free_places
from tournaments.ledger.competitors.upload_sizes import check_upload_size
from tournaments.ledger.ladders.disqualified import barring
from tournaments.models import Bot, Entrant, Event, EventInvitation, Ladder, Space, User, Version

TAKING_PART = (Entrant.Status.PLAYING, Entrant.Status.WAITING)


@transaction.atomic
def register(*, event: Event, bot: Bot, by: User) -> Entrant:
    """Register a bot: it takes part with the version that is active when the event starts.

    Raises Refused: not_yours, account_suspended, other_space, not_member, space_account, wrong_game,
    registration_not_open, registration_closed, not_invited, python_only, event_full, already_registered, disqualified,
    over_budget.
    """
    check_runs(bot, by)
    check_owner(bot.owner, by, event.ladder.space_id)
    check_of_space(bot, event.ladder)
    check_joined(by, event.ladder.space)
    count_entering(by)
    event = locked_event(event)
    _may_register(event, bot)
    check_invited(event, bot, by)
    status = Entrant.Status.WAITING if free_places(event) == 0 else Entrant.Status.PLAYING
    entrant, fresh = Entrant.objects.get_or_create(event=event, bot=bot, defaults={"status": status})
    if entrant.status == Entrant.Status.DISQUALIFIED:
        raise Refused("disqualified", "%(bot)s has been disqualified from %(event)s", bot=bot, event=event)
    if not fresh:
        raise Refused("already_registered", "%(bot)s is registered for %(event)s already", bot=bot, event=event)
    return entrant


def takes_bots(event: Event) -> bool:
    """Return whether bots may register now."""
    now = timezone.now()
    in_time = (not event.opens_at or event.opens_at <= now) and (not event.closes_at or now < event.closes_at)
    return event.status == Event.Status.REGISTRATION and in_time


def _may_register(event: Event, bot: Bot) -> None:
    _check_time(event)
    if bot.game != event.ladder.game:
        raise Refused(
            "wrong_game",
            "%(bot)s plays %(title)s; %(event)s is an event of %(game_title)s",
            bot=bot,
            title=GAMES[bot.game].title,
            event=event,
            game_title=event.ladder.game_title,
        )
    active = bot.versions.filter(status=Version.Status.ACTIVE)
    if event.ladder.division == Ladder.Division.FUEL and active.exclude(need="python"):
        raise Refused(
            "python_only", "%(event)s runs bots in WebAssembly: only Python, with its standard library", event=event
        )
    check_upload_size(event.ladder, bot)
    if barring(event.ladder, bot):
        raise Refused(
            "disqualified",
            "%(bot)s is disqualified in %(ladder)s, under whose settings %(event)s is played",
            bot=bot,
            ladder=event.ladder,
            event=event,
        )
    if event.entrants.count() >= (MOST_ENTRANTS if event.places is None else 2 * MOST_ENTRANTS):
        most = Sentence("%(count)s bots are registered for %(event)s", count=event.entrants.count(), event=event)
        raise Refused("event_full", "%(most)s, and no more can play or wait", most=most)


def _check_time(event: Event) -> None:
    if event.status != Event.Status.REGISTRATION:
        raise Refused(
            "registration_closed",
            "%(event)s takes no bots: %(rstrip)s",
            event=event,
            rstrip=event.get_status_display().lower().rstrip("."),
        )
    if takes_bots(event):
        return
    if event.opens_at and event.opens_at > timezone.now():
        raise Refused(
            "registration_not_open",
            "%(event)s takes bots from %(opens_at)s UTC on",
            event=event,
            opens_at=moment_text(event.opens_at)[:16],
        )
    raise Refused("registration_closed", "registration for %(event)s is over", event=event)


@transaction.atomic
def withdraw_from_event(*, entrant: Entrant, by: User) -> None:
    """Withdraw an entrant: before the start without a trace; later it plays what is dealt and is paired no more.

    Raises Refused: not_yours, event_over, not_registered, disqualified."""
    check_runs(entrant.bot, by)
    event = locked_event(entrant.event)
    if event.status in Event.OVER:
        raise Refused(
            "event_over", "%(event)s is over: %(lower)s", event=event, lower=event.get_status_display().lower()
        )
    current = Entrant.objects.filter(pk=entrant.pk).first()
    if current is None or current.status == Entrant.Status.WITHDRAWN:
        raise Refused("not_registered", "%(bot)s has already left %(event)s", bot=entrant.bot, event=event)
    if current.status == Entrant.Status.DISQUALIFIED:
        raise Refused("disqualified", "%(bot)s has been disqualified from %(event)s", bot=entrant.bot, event=event)
    if event.status == Event.Status.REGISTRATION:
        current.delete()
        fill_free_places(event)
        return
    current.status, current.left_at = Entrant.Status.WITHDRAWN, last_round(event)
    current.save(update_fields=["status", "left_at"])


def lock_left(user: User, space: Space | None) -> None:
    """Lock the events that `withdraw_leaver` takes somebody's bots out of."""
    lock_events(Event.objects.filter(entrants__in=_entrants_of(user, space)))


def withdraw_leaver(user: User, space: Space | None) -> None:
    """Withdraw somebody's bots from the events of a space that they leave; None: of the site."""
    if space is None:
        user.event_invitations.all().delete()
    for entrant in _entrants_of(user, space).select_related("event__ladder", "bot"):
        withdraw_from_event(entrant=entrant, by=user)


def _entrants_of(user: User, space: Space | None) -> QuerySet[Entrant]:
    """Return somebody's bots in events that are not over, those that wait for a place among them."""
    entrants = Entrant.objects.filter(bot__owner=user, status__in=TAKING_PART).exclude(event__status__in=Event.OVER)
    return entrants if space is None else entrants.filter(event__ladder__space=space)


def check_invited(event: Event, bot: Bot, by: User) -> None:
    """Raise Refused(not_invited) unless the bot's owner, or who registers it for a team, may register."""
    if not event.invited_only or event.invitations.filter(user__in=(by, bot.owner_id), declined_at=None).exists():
        return
    raise Refused("not_invited", "%(event)s is for people whom its organisers have invited; ask them", event=event)


@transaction.atomic
def decline(*, event: Event, by: User) -> None:
    """Decline an invitation. Raises Refused: not_invited."""
    asked = EventInvitation.objects.filter(event=event, user=by, declined_at=None)
    if not asked.update(declined_at=timezone.now()):
        raise Refused("not_invited", "you have no invitation to %(event)s that is open", event=event)
