"""A final run: the ladder is frozen, and fresh deals are played among the bots near the borders that matter.

Organisers name the borders, by places, and how many sets may be dealt. Only bots near a border that is not decided are
dealt to. When every border is decided, or the sets are spent, or nothing more can be dealt, the ladder closes.
"""

from tournaments.core.feature import Feature, Step
from tournaments.features.final_runs import rules
from tournaments.features.final_runs.actions import CancelFinalRun, StartFinalRun
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
    closing_says=rules.closing_says_run_ends,
    ladder_closed=rules.cancel_run,
)
