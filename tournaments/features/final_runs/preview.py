"""What the preview of a final run says about the current ladder."""

from engine.sentences import Sentence
from tournaments.features.final_runs.borders import Borders
from tournaments.features.final_runs.text import border_sentence
from tournaments.ledger.acts.ladder_status import staying, still_to_play
from tournaments.ledger.matchmaking.ladder_sets import CLASHING, HALF_BY_LOT
from tournaments.models import Fit, Ladder
from tournaments.ratings.final_table import LEAST


def freezing_says(ladder: Ladder) -> list[str]:
    count = staying(ladder).count()
    return [
        Sentence(
            "1 bot is in it, with the version it has now: nobody enters, withdraws, or changes versions here. "
            "%(under_way_said)s"
            if count == 1
            else "%(count)s bots are in it, each with the version it has now: nobody enters, withdraws, or changes "
            "versions here. %(under_way_said)s",
            count=count,
            under_way_said=still_to_play(ladder),
        )
    ]


def styles_say(ladder: Ladder) -> list[str]:
    """Return a warning where styles beat each other, and no table is drawn by lot: a run deals the same pairs."""
    clash = Fit.objects.filter(ladder=ladder).values_list("clash", flat=True).first() or 0.0
    if clash <= CLASHING or ladder.by_lot:
        return []
    return [
        Sentence(
            "Between two bots results stray by %(clash)s Elo from the ratings, luck apart: styles beat each other "
            "here, and borders that seem decided may be wrong. Change settings first: by_lot %(by_lot)s.",
            clash=f"{clash:.0f}",
            by_lot=HALF_BY_LOT,
        )
    ]


def borders_say(borders: Borders, least: int) -> list[str]:
    """Return what counts, and how each border stands if something counts already. `least`: sets that all need."""
    counting = Sentence(
        "Only sets dealt while it is frozen count for the final table. First every bot plays %(each)s, which takes "
        "%(least)s sets at least, then those near the borders.",
        each=LEAST,
        least=least,
    )
    return [counting, *([] if borders.lacking else map(border_sentence, borders.rows()))]
