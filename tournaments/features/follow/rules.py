"""Who follows what. Nobody can follow, or reads of, what they may not see."""

from functools import reduce
from operator import and_
from typing import Any, TypeAlias

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.urls import reverse

from engine.sentences import Sentence
from tournaments.core.accounts.names import normalized_name
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spaces import Viewer, open_to, people_known_to
from tournaments.core.accounts.suspension import suspensions_in_force
from tournaments.core.accounts.visibility import events_seen_by
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.models import Bot, Event, Follow, Ladder, User
from tournaments.web.pages.query_values import whole

Target: TypeAlias = Bot | User | Ladder | Event
KINDS: dict[str, type[Model]] = {"bot": Bot, "person": User, "ladder": Ladder, "event": Event}
COLUMNS = {"bot": "pk", "person": "username", "ladder": "slug", "event": "slug"}  # by which addresses name them
FOLLOWED = declare(
    Budget(
        "follows of a person",
        resource="Actions and notices",
        most=200,
        unit="follows",
        holder="person",
        where="tournaments.features.follow.rules.start_following",
        sentence=Sentence(
            "one person follows at most %(most)s bots, people, ladders and events; stop following one of yours first"
        ),
        setting="FOLLOWS_A_PERSON",
    )
)


def targets_seen_by(viewer: Viewer, kind: str) -> QuerySet[Any]:
    """Return what of a kind the viewer may follow: what they see, but for accounts that are shut or suspended. Raises
    KeyError for another kind."""
    if kind == "ladder":
        return Ladder.objects.filter(open_to(viewer))
    if kind == "event":
        return Event.objects.filter(events_seen_by(viewer))
    suspended = suspensions_in_force().filter(space=None).values("user")
    if kind == "bot":
        return Bot.objects.filter(open_to(viewer), owner__is_active=True).exclude(owner__in=suspended)
    if kind == "person":
        return User.objects.filter(people_known_to(viewer)).exclude(pk__in=suspended)
    raise KeyError(kind)


def about_seen_targets(viewer: Viewer) -> Q:
    """Return a condition on follows and news: the viewer sees all that they are about."""
    return reduce(
        and_,
        (
            Q(**{f"{kind}__isnull": True}) | Q(**{f"{kind}__in": targets_seen_by(viewer, kind).values("pk")})
            for kind in KINDS
        ),
    )


def target_named(viewer: Viewer, kind: str, name: str) -> Target:
    """Raises KeyError for another kind, and Refused: unknown_bot, unknown_user, unknown_ladder, unknown_event."""
    called = {"bot": whole(name) or 0, "person": normalized_name(name)}.get(kind, name)
    target: Target | None = targets_seen_by(viewer, kind).filter(**{COLUMNS[kind]: called}).first()
    if target is None:
        what = KINDS[kind].__name__.lower()
        raise Refused(f"unknown_{what}", "there is nothing called %(name)s to follow", name=name[:60])
    return target


def kind_of_target(target: Target) -> str:
    return next(kind for kind, model in KINDS.items() if isinstance(target, model))


def path_of_target(target: Target) -> str:
    kind = kind_of_target(target)
    return reverse(kind, args=[getattr(target, COLUMNS[kind])])


@transaction.atomic
def start_following(*, user: User, target: Target) -> Follow:
    """Return the person's follow of it, a new one if there is none yet. Raises Refused: too_many_follows."""
    counted_alone(user)
    about = {kind_of_target(target): target}
    follow = user.follows.filter(**about).first()
    if follow is None:
        FOLLOWED.check(user.follows.count() + 1, "too_many_follows")
        follow = user.follows.create(**about)
    return follow


def follows_seen_by(user: User) -> QuerySet[Follow]:
    """Return the person's follows of what they see."""
    return user.follows.filter(about_seen_targets(user)).select_related("bot__owner", "person", "ladder", "event")
