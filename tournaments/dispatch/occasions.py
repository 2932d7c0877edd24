"""Which parts of a round may have something to do, in one statement instead of one for each part, twice a second. A
condition may be true although there is nothing to do, but never the other way round.
"""

from django.db import connection

AGAIN = "SELECT FROM tournaments_matchset WHERE rechecks_id IS NOT NULL AND status = 'complete' AND reason = ''"
LUCK = "SELECT FROM tournaments_ladderluck"
OCCASIONS = {  # by the name of the part; parts without one are always done
    "practices": "SELECT FROM tournaments_practice WHERE status = 'waiting'",
    "slow play": (
        "SELECT FROM tournaments_practice WHERE (until < now() AND status IN ('gathering', 'asking')) "
        "OR notify_at < now()"
    ),
    "compare spot checks": AGAIN,
    "judge doubles": AGAIN,
    "block diverging workers": (
        "SELECT FROM tournaments_act WHERE kind IN ('worker_diverged', 'worker_timed_out_alone')"
    ),
    "classic ratings": (
        "SELECT FROM tournaments_matchset WHERE status = 'complete' AND NOT rated AND number IS NOT NULL AND counts"
    ),
    "luck": LUCK,
    "shadow ratings": LUCK,
    "trials": "SELECT FROM tournaments_trial WHERE status = 'running'",
    "events": (
        "SELECT FROM tournaments_event WHERE status = 'running' OR (status = 'registration' AND starts_at IS NOT NULL)"
    ),
    "final runs": "SELECT FROM tournaments_finalrun WHERE state = 'running'",
    "pairing": "SELECT FROM tournaments_ladder WHERE status IN ('open', 'frozen')",
    "spot checks": "SELECT FROM tournaments_matchset WHERE line IN ('again', 'check') AND status = 'open'",
    "surveys": "SELECT FROM tournaments_survey WHERE status = 'running'",
    "examinations": "SELECT FROM tournaments_examination WHERE status IN ('waiting', 'asked')",
    "seasons": "SELECT FROM tournaments_pastseason WHERE looked_at < changes",
    "suspensions": "SELECT FROM tournaments_suspension WHERE over_at IS NULL AND until <= statement_timestamp()",
    "erased accounts": "SELECT FROM tournaments_user WHERE erase_at <= statement_timestamp()",
    "workers of spaces": (
        "SELECT FROM tournaments_worker WHERE space_id IS NOT NULL "
        "UNION ALL SELECT FROM tournaments_space WHERE own_workers_alone OR away_since IS NOT NULL"
    ),
    "retention of spaces": (
        "SELECT FROM tournaments_space "
        "WHERE coalesce(keep_words, keep_replays, keep_sources, keep_identities) IS NOT NULL"
    ),
}
ASK = f"SELECT {', '.join(f'EXISTS ({condition})' for condition in OCCASIONS.values())}"


def without_occasion() -> set[str]:
    """The parts that have nothing to do now."""
    with connection.cursor() as cursor:
        cursor.execute(ASK)
        return {name for name, holds in zip(OCCASIONS, cursor.fetchone(), strict=True) if not holds}
