"""What the preview of a final run says about the current ladder."""

from collections.abc import Sequence

from engine.sentences import Sentence
from tournaments.features.final_runs.borders import Borders
from tournaments.features.final_runs.text import border_sentence
from tournaments.ledger.acts.ladder_status import staying, still_to_play
from tournaments.models import Fit, Ladder

NAMED = 10  # bots that a sentence names
CLASHING, BY_LOT = 50.0, 50  # Elo from which styles are said to beat each other, and what is to be set then


def freezing_says(ladder: Ladder) -> list[str]:
    return [
        Sentence(
            "%(count)s bots are in it, each with the version it has now: nobody enters, withdraws, or changes versions "
            "here. %(under_way_said)s",
            count=staying(ladder).count(),
            under_way_said=still_to_play(ladder),
        )
    ]


def styles_say(ladder: Ladder) -> list[str]:
    """Return a warning where styles beat each other: a run deals the same pairs again and again."""
    clash = Fit.objects.filter(ladder=ladder).values_list("clash", flat=True).first() or 0.0
    if clash < CLASHING or ladder.by_lot >= BY_LOT:
        return []
    return [
        Sentence(
            "Between two bots results stray by %(clash)s Elo from the ratings, luck apart: styles beat each other "
            "here, and borders that seem decided may be wrong. Change settings first: by_lot %(by_lot)s.",
            clash=f"{clash:.0f}",
            by_lot=BY_LOT,
        )
    ]


def borders_say(borders: Borders) -> list[str]:
    """Return what is open at each border, and who is near it."""
    rows = zip(borders.of, borders.rows(), strict=True)
    return [
        Sentence(
            "After place %(after)s: %(row_said)s Near it: %(names_said)s.",
            after=border.after,
            row_said=border_sentence(row),
            names_said=first_names([line.bot for line in borders.near(border)]),
        )
        if border.unsure
        else border_sentence(row)
        for border, row in rows
    ]


def first_names(bots: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    named = ", ".join(bots[:NAMED])
    more = len(bots) - NAMED
    return Sentence("%(named)s and %(more)s more", named=named, more=more) if more > 0 else named
