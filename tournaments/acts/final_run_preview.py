"""What the preview of a final run says about the current ladder."""

from collections.abc import Sequence

from tournaments.acts.ladder_status import staying, still_to_play
from tournaments.ladders.borders import Borders
from tournaments.ladders.final_run_text import sentence
from tournaments.models import Fit, Ladder

NAMED = 10  # bots that a sentence names
CLASHING, BY_LOT = 50.0, 50  # Elo from which styles are said to beat each other, and what is to be set then


def frozen(ladder: Ladder) -> list[str]:
    field = f"{staying(ladder).count()} bots are in it, each with the version it has now"
    return [f"{field}: nobody enters, withdraws, or changes versions here. {still_to_play(ladder)}"]


def styles(ladder: Ladder) -> list[str]:
    """In a run the same pairs meet again and again, which says little of all where styles beat each other."""
    clash = Fit.objects.filter(ladder=ladder).values_list("clash", flat=True).first() or 0.0
    if clash < CLASHING or ladder.by_lot >= BY_LOT:
        return []
    stray = (
        f"Between two bots results stray by {clash:.0f} Elo from the ratings, luck apart: styles beat each other here"
    )
    return [f"{stray}, and borders that seem decided may be wrong. Change settings first: by_lot {BY_LOT}."]


def near(known: Borders) -> list[str]:
    rows = zip(known.of, known.rows(), strict=True)
    return [
        f"After place {border.after}: {sentence(row)} Near it: {names([line.bot for line in known.near(border)])}."
        if border.unsure
        else sentence(row)
        for border, row in rows
    ]


def names(bots: Sequence[str]) -> str:
    more = f" and {len(bots) - NAMED} more" if len(bots) > NAMED else ""
    return ", ".join(bots[:NAMED]) + more
