"""A lock for counting against a person's quota, safe against concurrent requests."""

from tournaments.models import User


def counted_alone(user: User) -> None:
    """Until the transaction ends no other transaction counts what this person has, or adds to it.

    Rows that only refer to the person can be written meanwhile: a transaction that locks a bot and notifies its owner
    does not wait for one that locks the owner and wants the bot.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
