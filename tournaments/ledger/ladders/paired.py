"""Which ladders are paired at their pace."""

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import FinalRun, Ladder


def paired_by_pace() -> QuerySet[Ladder]:
    """The ladders in which everybody is paired; in a final run only those near its borders are."""
    running = FinalRun.objects.filter(state=FinalRun.State.RUNNING, ladder=OuterRef("pk"))
    return Ladder.objects.filter(~Exists(running), status__in=Ladder.PAIRED)
