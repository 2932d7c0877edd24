"""The final table counts the sets dealt since a ladder was frozen, and gives its title. A final run deals such sets.

Organisers name the borders that matter, by places, and how many sets may be dealt: first to every bot until it has a
place in the final table, then to those near a border that is not decided. When every border is, or the sets are spent,
or nothing more can be dealt, the ladder closes.
"""

from tournaments.core.feature import Feature, Step
from tournaments.features.final_runs import rules
from tournaments.features.final_runs.actions import CancelFinalRun, StartFinalRun
from tournaments.features.final_runs.final_card import dropping_final_table, final_card, winners_say
from tournaments.features.final_runs.steps import continue_runs

FINAL_RUNS = Feature(
    name="final_runs",
    steps=(
        Step(
            name="final runs",
            run=continue_runs,
            deals=True,
            pending="SELECT FROM tournaments_finalrun WHERE state = 'running'",
        ),
    ),
    actions=(StartFinalRun, CancelFinalRun),
    before_opening=rules.check_opening,
    closing_says=lambda ladder: [*rules.closing_says_run_ends(ladder), *winners_say(ladder)],
    opening_says=dropping_final_table,
    ladder_card=final_card,
    ladder_closed=rules.cancel_run,
)
