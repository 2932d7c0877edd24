"""Practice: unrated games. A person plays against bots, continues a match from a moment, or tries a draft.

`start` creates practices, `turns` continues them, `reports` processes workers' reports, and `seats` says who may play.
Several people may sit at one table and have hours for each answer (`slow_play`).
"""

from tournaments.core.feature import Feature, Step
from tournaments.features.practice import slow_play, turns
from tournaments.features.practice.urls import ENDPOINTS, PAGES

PRACTICE = Feature(
    name="practice",
    steps=(
        Step(name="practices", run=turns.send_due, pending="SELECT FROM tournaments_practice WHERE status = 'waiting'"),
        Step(
            name="slow play",
            run=slow_play.sweep_practice_deadlines,
            every=2.0,
            pending=(
                "SELECT FROM tournaments_practice WHERE (until < now() AND status IN ('gathering', 'asking')) "
                "OR notify_at < now()"
            ),
        ),
    ),
    pages=PAGES,
    endpoints=ENDPOINTS,
    resend=turns.resend_turns,
)
