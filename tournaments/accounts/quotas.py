"""How much somebody may have of a thing, also where they ask for it twice at once."""

from tournaments.models import User


def counted_alone(user: User) -> None:
    """Until the transaction ends nobody else counts what this person has, or adds to it.

    Rows that merely point at the person can be written meanwhile: what holds a bot and notes something for its owner
    does not wait for what holds the owner and wants the bot.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
