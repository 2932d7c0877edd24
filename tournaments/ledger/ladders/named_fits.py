"""Ratings of named bots by the sets since they were named, made with each official fit: they count over all games."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db.models import Q

from tournaments.models import Ladder, Version
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import Version as RatedVersion
from tournaments.ratings.named_since import Choice, ratings_since
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.played_again import fresh_by
from tournaments.ratings.table import anchors, forerunners, playing


def named_rows(ladder: Ladder, pairs: Pairs, versions: Mapping[int, RatedVersion], fit: Fit) -> dict[str, Any]:
    """Return the rows of named bots, by bot; one more fit where there are any."""
    chosen = _chosen(ladder, versions)
    if not chosen:
        return {}
    older, held = forerunners(versions), anchors(versions)
    again = () if fresh_by(ladder.fit_rules) is None else playing(versions)
    found = ratings_since(pairs, older, held, chosen, prior_sd=ladder.prior_sd, start=fit, playing=again)
    return {str(bot): asdict(since) for bot, since in found.items()}


def _chosen(ladder: Ladder, versions: Mapping[int, RatedVersion]) -> dict[int, Choice]:
    """Return the bots that were named when they had played, and those that still count until such a one does."""
    wanted = Q(bot__named_at__isnull=False) | Q(bot__counts_meanwhile=True)
    entries = ladder.entries.filter(wanted, named_after__gt=0).values_list("bot", "named_after")
    after = {bot: last for bot, last in entries if last}
    by_bot: defaultdict[int, list[int]] = defaultdict(list)
    for pk, bot in Version.objects.filter(bot__in=after).order_by("number").values_list("pk", "bot"):
        if pk in versions:
            by_bot[bot].append(pk)
    plays = {bot: pk for bot, some in by_bot.items() for pk in some if versions[pk].listed}
    return {bot: Choice(after[bot], by_bot[bot], pk) for bot, pk in plays.items()}
