"""A digest of the inputs of a ladder's table: while it is the same, so is the table.

PostgreSQL hashes the very values that a line is made of, wherever they were changed: a fold, a fit, a name, an entry, a
new version, a disqualification. So no code has to report a change, and none can forget to.
"""

import secrets
from typing import Any

from tournaments.ledger.ladders.disqualified import excluded
from tournaments.ledger.ladders.standings_lines import MORE, NUMBERS, WHO
from tournaments.ledger.ladders.standings_order import inherited, run_sql, sql_values, versions_sql
from tournaments.ledger.ladders.unranked import unranked
from tournaments.models import Fit, Ladder

Inputs = tuple[Any, ...]
SEED = secrets.randbits(62)  # so that nobody can choose names whose hashes fit
LINES = f"""
SELECT count(*), sum(hash_record_extended(ROW({WHO}, {NUMBERS}), %s)),
array_agg(version.id) FILTER (WHERE rating.id IS NULL)
"""


def inputs_of(ladder: Ladder) -> Inputs:
    """Compared for being equal alone."""
    out = excluded(ladder)
    fit = Fit.objects.filter(ladder=ladder).values_list("pk", "made_at", "zero").first()
    ((*lines, without),) = run_sql(LINES + versions_sql(ladder, MORE), [SEED, *sql_values(ladder, out)])
    older = inherited(ladder, without or [], NUMBERS)
    away = frozenset(unranked(ladder).items())
    settings = ladder.slug, ladder.status, ladder.anchor_id, ladder.prior_sd
    return (*lines, fit, away, frozenset((version, *row) for version, row in older.items()), frozenset(out), *settings)
