"""What the preview of a final run says about the current ladder."""

from collections.abc import Sequence

from engine.sentences import Sentence
from tournaments.acts.ladder_status import staying, still_to_play
from tournaments.ladders.borders import Borders
from tournaments.ladders.final_run_text import sentence
from tournaments.models import Fit, Ladder

NAMED = 10  # bots that a sentence names
CLASHING, BY_LOT = 50.0, 50  # Elo from which styles are said to beat each other, and what is to be set then


def frozen(ladder: Ladder) -> list[str]:
    field = Sentence("%(count)s bots are in it, each with the version it has now", count=staying(ladder).count())
    return [
        Sentence(
            "%(field)s: nobody enters, withdraws, or changes versions here. %(ladder)s",
            field=field,
            ladder=still_to_play(ladder),
        )
    ]


def styles(ladder: Ladder) -> list[str]:
    """In a run the same pairs meet again and again, which says little of all where styles beat each other."""
    clash = Fit.objects.filter(ladder=ladder).values_list("clash", flat=True).first() or 0.0
    if clash < CLASHING or ladder.by_lot >= BY_LOT:
        return []
    stray = Sentence(
        "Between two bots results stray by %(clash)s Elo from the ratings, luck apart: styles beat each other here",
        clash=f"{clash:.0f}",
    )
    return [
        Sentence(
            "%(stray)s, and borders that seem decided may be wrong. Change settings first: by_lot %(by_lot)s.",
            stray=stray,
            by_lot=BY_LOT,
        )
    ]


def near(known: Borders) -> list[str]:
    rows = zip(known.of, known.rows(), strict=True)
    return [
        Sentence(
            "After place %(after)s: %(row)s Near it: %(names)s.",
            after=border.after,
            row=sentence(row),
            names=names([line.bot for line in known.near(border)]),
        )
        if border.unsure
        else sentence(row)
        for border, row in rows
    ]


def names(bots: Sequence[str]) -> str:
    more = f" and {len(bots) - NAMED} more" if len(bots) > NAMED else ""
    return ", ".join(bots[:NAMED]) + more
