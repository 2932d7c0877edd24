"""What `up --matches` says at its end. It is loaded then: all that computes ratings takes 12 MB."""

from collections.abc import Iterator

from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.official_fit import refit
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Ladder


def final_standings() -> Iterator[str]:
    """Return the lines of all ladders' tables, by all that was recorded."""
    rate()  # the dispatcher may not have come to the last sets yet
    for ladder in Ladder.objects.filter(ratings__isnull=False).distinct():
        refit(ladder=ladder)
    for ladder in Ladder.objects.order_by("pk"):
        yield f"\n{ladder.title}\n{'place':>7}  {'bot':<24} {'Elo':>6} {'sets':>5} {'games':>6} {'wins':>6}"
        for line in standings(ladder):
            numbers = f"{line.elo:>6.0f} {line.sets:>5} {line.games:>6} {line.win_pct:>5.1f}%"
            yield f"{line.rank or line.place or '–':>7}  {line.bot:<24} {numbers}"
