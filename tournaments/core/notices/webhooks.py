"""Webhooks: of a person, of a space, or of an event."""

import base64
import secrets
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from engine.sentences import Sentence
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spaces import check_runs_space, organised_by, runs
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.core.notices.webhook_addresses import check_webhook_address
from tournaments.core.notices.webhook_signature import PREFIX
from tournaments.models import Event, Notice, Space, User, Webhook

MOST = 5  # webhooks of one person, and of each space and event
Of = Space | Event | None  # whose news is posted; None: the notices of a person
MADE = declare(
    Budget(
        "webhooks that are made",
        resource="Actions and notices",
        most=30,
        unit="webhooks",
        holder="person",
        where="tournaments.core.notices.webhooks.add_webhook",
        sentence=Sentence("one person makes at most %(most)s webhooks a day; go on tomorrow"),
        seconds=86_400,
    )
)


@transaction.atomic
def add_webhook(
    *, user: User, url: str, kinds: Sequence[str] = (), receiver: str = Webhook.Receiver.PROGRAM, of: Of = None
) -> Webhook:
    """Add a webhook of the person, or of a space or an event that they run, for as long as they run it.
    Raises Refused: not_organiser, second_factor_needed, bad_address, too_many_webhooks, unknown_kind, over_budget."""
    owner = {"space": of if isinstance(of, Space) else None, "event": of if isinstance(of, Event) else None}
    if of is not None:
        check_runs_space(user, space_of_news(of))
    check_webhook_address(url)
    counted_alone(of or user)
    siblings = Webhook.objects.filter(**owner) if of else user.webhooks.filter(**owner)
    if siblings.count() >= MOST:
        raise Refused(
            "too_many_webhooks", "you have %(most)s webhooks, the most one person may have; remove one", most=MOST
        )
    if wrong := set(kinds) - set(Notice.Kind.values):
        known = ", ".join(Notice.Kind.values)
        raise Refused(
            "unknown_kind",
            "%(wrong)s is not a kind of notice; the kinds are %(known)s",
            wrong=f"{min(wrong):.20}",
            known=known,
        )
    spend_budget(MADE, user.pk)
    secret = PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()
    return Webhook.objects.create(user=user, url=url, kinds=sorted(kinds), secret=secret, receiver=receiver, **owner)


def space_of_news(of: Space | Event) -> int | None:
    """Return the space whose organisers run this; None: the site's do."""
    return of.pk if isinstance(of, Space) else of.ladder.space_id


def may_be_posted(webhook: Webhook) -> bool:
    """Whether it is a person's own, or whoever added it still runs the space or the event."""
    of = webhook.space or webhook.event
    return of is None or runs(webhook.user, space_of_news(of))


def webhooks_run_by(user: User) -> QuerySet[Webhook]:
    """Return the person's own, and those of all spaces and events that they run."""
    of_spaces = Q(space__isnull=False) & organised_by(user, "space")
    of_events = Q(event__isnull=False) & organised_by(user, "event__ladder__space")
    return Webhook.objects.filter(Q(user=user, space=None, event=None) | of_spaces | of_events)
