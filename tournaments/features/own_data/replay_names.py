"""Replays without the names of an erased account, and otherwise unchanged.

What the site, the log and later deals know a replay by is the digest that it was recorded with, which stays. The file
has another one, `Result.rewritten`: played again it holds, but it proves no more that it is the file that was recorded.
"""

from collections.abc import Mapping
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Q

from engine import replay
from engine.replay import Replay, ReplayError
from tournaments.models import Practice, PracticeSeat, Result, Seat, User, Version

AT_ONCE = 200  # replays of one step


@transaction.atomic
def rewrite_some(user: User) -> int:
    """Rewrite the next replays after `user.erased_up_to`. Return how many there were."""
    mine = Seat.objects.filter(version__bot__owner=user)
    later = Result.objects.filter(match__in=mine.values("match"), pk__gt=user.erased_up_to).exclude(replay=b"")
    results = list(later.order_by("pk")[:AT_ONCE])
    for result in results:
        names = dict(mine.filter(match=result.match_id).values_list("number", "version__bot__name"))
        Result.objects.filter(pk=result.pk).update(**_rewritten(bytes(result.replay), names))
    if results:
        User.objects.filter(pk=user.pk).update(erased_up_to=results[-1].pk)
    return len(results)


def _rewritten(data: bytes, names: Mapping[int, str]) -> dict[str, object]:
    """Return the columns of the new replay; one that cannot be read is not kept: there may be anything in it."""
    new = _with_names(data, names)
    return (
        {"replay": replay.write_replay(new), "rewritten": new.digest}
        if new
        else {"replay": b"", "rewritten": "unreadable"}
    )


def _with_names(data: bytes, names: Mapping[int, str]) -> Replay | None:
    try:
        replayed = replay.read_replay(data)
    except ReplayError:
        return None
    for seat, name in names.items():
        replayed.players[seat].name = name
    return replay.seal(replayed)


def rewrite_practices(user: User) -> None:
    """Rewrite the games of other people, who played against its bots, or with the person."""
    versions = dict(Version.objects.filter(bot__owner=user).values_list("pk", "bot__name"))
    sat = dict(PracticeSeat.objects.filter(user=user).values_list("practice", "number"))
    seated = reduce(or_, (Q(seats__contains=[{"version": pk}]) for pk in versions), Q(pk__in=sat))
    for practice in Practice.objects.filter(seated).exclude(replay=None):
        seats = enumerate(practice.seats)
        names = {number: versions[pk] for number, seat in seats if (pk := seat.get("version")) in versions}
        names |= {sat[practice.pk]: User.objects.get(pk=user.pk).username} if practice.pk in sat else {}
        new = _with_names(bytes(practice.replay or b""), names)
        Practice.objects.filter(pk=practice.pk).update(replay=replay.write_replay(new) if new else None)


def hand_over_tables(user: User) -> None:
    """Give tables to others: a game with other people is theirs too: it goes on as that of one of them."""
    for other in PracticeSeat.objects.filter(practice__owner=user).exclude(user=user).order_by("-pk"):
        Practice.objects.filter(pk=other.practice_id).update(owner=other.user_id)
