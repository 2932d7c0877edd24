"""Quotas of a person: a lock to count against one, safe against concurrent requests, and what several rooms count."""

from engine.sentences import Sentence
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.models import Event, Space, User

ENTERED = declare(
    Budget(
        "bots that enter ladders and events",
        resource="Actions and notices",
        most=300,
        unit="times",
        holder="person",
        where="tournaments.core.accounts.quotas.count_entering",
        sentence=Sentence(
            "the bots of one person enter ladders and events at most %(most)s times a day; go on tomorrow"
        ),
        seconds=86_400,
    )
)


def count_entering(by: User) -> None:
    """Count a bot that enters a ladder or an event. Raises Refused(over_budget)."""
    spend_budget(ENTERED, by.pk)


def counted_alone(owner: User | Space | Event) -> None:
    """Keep other transactions, until this one ends, from counting what a person, space or event has, or adding to it.

    Rows that only refer to the owner can be written meanwhile: a transaction that locks a bot and notifies its owner
    does not wait for one that locks the owner and wants the bot.
    """
    # Not type(owner): the user of a request is a proxy.
    owner.__class__.objects.select_for_update(no_key=True).get(pk=owner.pk)
