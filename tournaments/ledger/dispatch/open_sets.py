"""Sets that are still to be played."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.models import Attempt, Match, MatchSet

UNDER_WAY = (Attempt.Outcome.SENT, Attempt.Outcome.PLAYING)


def not_begun() -> QuerySet[MatchSet]:
    """Open sets that no worker plays yet: not sent, or waiting in the queue. Others wait for an organiser."""
    playing = Attempt.objects.filter(outcome=Attempt.Outcome.PLAYING).values(
        "match__set"
    )  # read once, not for each set
    to_play = Match.objects.filter(set=OuterRef("pk"), status__in=(Match.Status.WAITING, Match.Status.LEASED))
    return MatchSet.objects.filter(~Q(pk__in=playing), Exists(to_play), status=MatchSet.Status.OPEN)
