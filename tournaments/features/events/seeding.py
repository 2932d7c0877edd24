"""How strong versions are at the start of an event, by the ratings of its ladder."""

from collections.abc import Iterable, Mapping
from math import inf

from tournaments.ledger.ladders.standings import rating_of, ratings_by_bot
from tournaments.models import Fit, Ladder, Version
from tournaments.ratings.scale import START


def seeds_of(ladder: Ladder, versions: Iterable[Version]) -> dict[int, tuple[float, float]]:
    """Return each bot's Elo and its standard deviation, by the version that plays for it."""
    rated, fit = ratings_by_bot(ladder), Fit.objects.filter(ladder=ladder).first()
    zero = fit.zero if fit else START
    ratings = {
        version.bot_id: rating_of(version, rated.get(version.bot_id, []), zero, ladder.prior_sd) for version in versions
    }
    return {
        bot: (zero if rating.elo is None else rating.elo, ladder.prior_sd if rating.sd is None else rating.sd)
        for bot, rating in ratings.items()
    }


APART = 0.01  # Elo, at least, between two whom an organiser has put in order


def by_hand(ratings: Mapping[int, float], order: Mapping[int, int]) -> dict[int, float]:
    """Return the same ratings in the order of an organiser; who is not in it comes after, by rating."""
    if not order:
        return dict(ratings)
    bots = sorted(ratings, key=lambda bot: (bot not in order, order.get(bot, 0), -ratings[bot], bot))
    dealt, last = dict[int, float](), inf
    for bot, rating in zip(bots, sorted(ratings.values(), reverse=True), strict=True):
        dealt[bot] = last = min(rating, last - APART)
    return dealt
