"""The final table of a ladder whose versions are fixed: on its page, and before it is closed or opened."""

from collections.abc import Sequence
from dataclasses import replace

from engine.sentences import Sentence
from tournaments.core.feature import Card
from tournaments.ledger.ladders.final_fits import FinalLine, FinalTable, final_table
from tournaments.models import Ladder
from tournaments.ratings.final_table import LEAST

SHOWN, NAMED = 50, 10  # lines; bots that a sentence names
CLOSED = Ladder.Status.CLOSED


def final_card(ladder: Ladder) -> Card | None:
    """Return the final table of a ladder that was frozen, with who wins or why nobody does."""
    if ladder.final_after is None:
        return None
    table = final_table(ladder)
    if ladder.status == CLOSED and not table.sets:
        return None
    lines, more = table.placed[:SHOWN], len(table.placed) - SHOWN
    context = {"says": _outcome(table), "lines": lines, "more": max(0, more), "sets": table.sets, "least": LEAST}
    return Card("final_runs/_final_table.html", {**context, "closed": ladder.status == CLOSED})


def winners_say(ladder: Ladder) -> list[str]:
    """Return who wins the season if the ladder is closed now."""
    if ladder.final_after is None:
        return [Sentence("Nobody wins the season, for it was not frozen: only sets dealt after that decide.")]
    return [_outcome(replace(final_table(ladder), closed=True))]


def dropping_final_table(ladder: Ladder) -> list[str]:
    sets = final_table(ladder).sets if ladder.final_after is not None else 0
    if not sets:
        return []
    return [Sentence("Its final table is dropped, with its sets: %(sets)s. The next freeze begins another.", sets=sets)]


def _outcome(table: FinalTable) -> Sentence:
    lacking, first = _names(table.lacking), table.winners
    winners = _names([line for line in table.placed if line.who.bot_id in first])
    if winners and lacking:
        return Sentence(
            "First in the final table: %(names)s. Without a place, for fewer than %(least)s sets: %(lacking)s.",
            names=winners,
            least=LEAST,
            lacking=lacking,
        )
    if winners:
        return Sentence("First in the final table: %(names)s.", names=winners)
    if lacking and table.closed:
        return Sentence("Nobody wins: half of the bots or more have fewer than %(least)s sets.", least=LEAST)
    if lacking:
        return Sentence(
            "Nobody wins yet. Fewer than %(least)s sets since the freeze: %(names)s.",
            least=LEAST,
            names=lacking,
        )
    return Sentence("Nobody wins: no bot has a place in the final table.")


def _names(lines: Sequence[FinalLine]) -> str:
    return first_names([line.who.bot for line in lines])


def first_names(bots: Sequence[str]) -> str:
    """Return the first names: no sentence, for a bot may be called like one of ours."""
    return ", ".join([*bots[:NAMED], *(["…"] if len(bots) > NAMED else [])])
