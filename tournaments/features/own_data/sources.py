"""Sources of an erased account. Bytes that somebody else uploaded too are theirs as well, and stay."""

from django.db.models import QuerySet

from tournaments.models import Bundle, Draft, Practice, User, Version


def erase_sources(user: User, own: QuerySet[Practice]) -> None:
    """Before its practices (`own`) go. A version keeps the hash of its bundle, from which deals were made."""
    tried = {bundle for practice in own for bundle in bundles_of(practice)}
    mine = {*Version.objects.filter(bot__owner=user).values_list("bundle", flat=True), *tried}
    free = mine - _of_others(user, mine)
    Bundle.objects.filter(pk__in=free, versions__isnull=True).delete()
    Bundle.objects.filter(pk__in=free).update(content=b"", size=0)
    Draft.objects.filter(owner=user).delete()
    Version.objects.filter(bot__owner=user).update(filename="", note="", report="")


def bundles_of(practice: Practice) -> set[str]:
    return {seat[kind] for seat in practice.seats for kind in ("draft", "sample") if kind in seat}


def _of_others(user: User, bundles: set[str]) -> set[str]:
    theirs = Version.objects.filter(bundle__in=bundles).exclude(bot__owner=user).values_list("bundle", flat=True)
    played = Practice.objects.exclude(owner=user).filter(status__in=("waiting", "asking"))
    return {*theirs, *(bundle for practice in played for bundle in bundles_of(practice) & bundles)}
