"""The dispatcher erases accounts whose grace period is over: first their data, then, a few at a time, their replays.

Bots, versions and results stay under neutral names, so that no rating changes.
"""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.features.own_data.erased_names import ErasedNames, closing_with, names_to_erase, neutral_bot_name
from tournaments.features.own_data.leaving import leave_everything
from tournaments.features.own_data.replay_names import hand_over_tables, rewrite_practices, rewrite_some
from tournaments.features.own_data.sentences import take_out, take_out_of_log
from tournaments.ledger.competitors.bundles import bundles_of
from tournaments.ledger.dispatch.leases import cancel
from tournaments.models import (
    AdmittedAddress,
    Bot,
    Bundle,
    Draft,
    Examination,
    FaultEvidence,
    Fit,
    Follow,
    Match,
    MatchSet,
    Membership,
    NewsItem,
    Practice,
    Result,
    Seat,
    SeatNotes,
    Team,
    User,
    Version,
    WeeklyLetter,
)
from workers.isolation import handle_each

ERASED = "account_erased"  # the kind of its act
SAYS = Sentence(
    "Names, addresses, texts, sources and games of its own are gone. Its bots and results stand under neutral names, "
    "and no rating changed. Replays lose the names in the next minutes."
)


def erase_due() -> int:
    """Do a step of each erasure that is due. Return how much was done."""
    due = User.objects.filter(erase_at__lte=timezone.now(), is_active=False).order_by("erase_at")
    return handle_each("erasing accounts", due, _go_on, FAILING_ITEMS, name=lambda user: f"account {user.pk}")


def _go_on(user: User) -> int:
    if user.erased_at is None:
        return _erase(user)
    done = rewrite_some(user)
    if not done:
        _rename_in_fits(user)  # one may have been under way
        User.objects.filter(pk=user.pk).update(erase_at=None)
    return done + 1


@transaction.atomic
def _erase(user: User) -> int:
    """Erase it once no worker plays its bots any more: a report that comes later would bring their names back."""
    leave_everything(user)
    _stop_sets(user)
    if Match.objects.filter(status=Match.Status.LEASED, seats__version__bot__owner=user).exists():
        return 0
    names = names_to_erase(user, closing_with(user))
    _rename(user, names)
    _forget_what_it_had(user)
    _forget_what_its_bots_said(user)
    take_out(names)
    counts = take_out_of_log(user, names)
    detail = {"says": [SAYS], "account": user.pk, **counts}
    append(
        kind=ERASED, by=PLATFORM, subject=f"account {user.pk}", reason=Sentence("its owner asked for it"), detail=detail
    )
    return 1


def _stop_sets(user: User) -> None:
    """Stop the sets that are not over after the grace: those of events are played without its code, all others end."""
    seated = MatchSet.objects.filter(status=MatchSet.Status.OPEN, matches__seats__version__bot__owner=user).distinct()
    for match_set in seated.filter(event=None):
        cancel(match_set=match_set, reason=Sentence("a bot in it was erased with its owner's account"))
    waiting = (Match.Status.WAITING, Match.Status.QUARANTINED)
    left = Seat.objects.filter(match__set__in=seated.filter(event__isnull=False), match__status__in=waiting)
    left.filter(version__bot__owner=user).update(withdrawn=True)


def _rename(user: User, names: ErasedNames) -> None:
    for bot in user.bots.all():
        new = neutral_bot_name(bot)
        Draft.objects.filter(bot=bot).exclude(owner=user).update(bot=None, name=new)
        Bot.objects.filter(pk=bot.pk).update(
            name=new, former_names=[], about="", motto="", colours="", gate=Bot.Gate.OFF
        )
    account: dict[str, Any] = {
        "username": names.to[user.username],
        "first_name": "",
        "last_name": "",
        "former_name": "",
        "about": "",
    }
    account |= {"email": "", "confirmed_email": "", "feed_key": "", "password": "!", "mailed": [], "last_login": None}
    User.objects.filter(pk=user.pk).update(**account, erased_at=timezone.now())
    _rename_in_fits(user)


def _rename_in_fits(user: User) -> None:
    named = dict(Version.objects.filter(bot__owner=user).values_list("pk", "bot__name"))
    for fit in Fit.objects.filter(ladder__ratings__version__in=named).distinct():
        rows = [{**row, "bot": named.get(row["version"], row["bot"])} for row in fit.rows]
        Fit.objects.filter(pk=fit.pk).update(rows=rows)


def _forget_what_it_had(user: User) -> None:
    hand_over_tables(user)
    games = Practice.objects.filter(owner=user)
    _erase_sources(user, games)
    games.delete()
    for rows in (
        user.notices,
        user.tokens,
        user.webhooks,
        user.spaces,
        user.join_requests,
        user.identities,
        user.suggestions,
    ):
        rows.all().delete()
    Authenticator.objects.filter(user=user).delete()
    addresses = {address.lower() for address in (user.email, user.confirmed_email)} - {""}
    AdmittedAddress.objects.filter(address__in=addresses).delete()
    WeeklyLetter.objects.filter(user=user).delete()
    of_it = Q(bot__owner=user) | Q(person=user)
    Follow.objects.filter(of_it | Q(user=user)).delete()
    NewsItem.objects.filter(of_it).delete()
    for moderated in (user.complaints, user.appeals, user.suspensions):
        moderated.all().delete()
    LogEntry.objects.filter(user=user).delete()
    logged = LogEntry.objects.filter(content_type__model="user", object_id=str(user.pk))
    logged.update(object_repr=f"account {user.pk}", change_message="")
    user.groups.clear()
    user.user_permissions.clear()
    _leave_teams(user)
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def _erase_sources(user: User, games: QuerySet[Practice]) -> None:
    """Delete its sources, before its practices (`games`) go. A version keeps the hash of its bundle, from which deals
    were made."""
    tried = {bundle for practice in games for bundle in bundles_of(practice)}
    mine = {*Version.objects.filter(bot__owner=user).values_list("bundle", flat=True), *tried}
    free = mine - _of_others(user, mine)
    Bundle.objects.filter(pk__in=free, versions__isnull=True).delete()
    Bundle.objects.filter(pk__in=free).update(content=b"", size=0)
    Draft.objects.filter(owner=user).delete()
    Version.objects.filter(bot__owner=user).update(filename="", note="", report="", report_data=None)


def _of_others(user: User, bundles: set[str]) -> set[str]:
    """Return those that somebody else uploaded too: they are theirs as well, and stay."""
    uploaded = Version.objects.filter(bundle__in=bundles).exclude(bot__owner=user).values_list("bundle", flat=True)
    played = Practice.objects.exclude(owner=user).filter(status__in=("waiting", "asking"))
    return {*uploaded, *(bundle for practice in played for bundle in bundles_of(practice) & bundles)}


def _leave_teams(user: User) -> None:
    """Leave the teams: one whose captain goes is led by whoever has been a member for longest."""
    Team.objects.filter(pk__in=closing_with(user).values("pk")).delete()
    for place in user.memberships.filter(role=Membership.Role.CAPTAIN):
        heir = place.team.memberships.filter(role=Membership.Role.MEMBER).order_by("since", "pk").first()
        Membership.objects.filter(pk=heir.pk if heir else 0).update(role=Membership.Role.CAPTAIN)
    user.memberships.all().delete()


def _forget_what_its_bots_said(user: User) -> None:
    seats = Seat.objects.filter(version__bot__owner=user)
    seats.exclude(stderr="").update(stderr="")
    SeatNotes.objects.filter(seat__in=seats).delete()
    Examination.objects.filter(version__bot__owner=user).delete()
    FaultEvidence.objects.filter(seat__in=seats).update(detail="", detail_data=None, given="", asked=None)
    Result.objects.filter(match__set__checks__bot__owner=user).update(replay=b"")
    rewrite_practices(user)
