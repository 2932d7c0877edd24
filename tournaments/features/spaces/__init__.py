"""Spaces: separate competitions on one site, each with organisers, members, ladders and bots of its own.

People come in by a code, by their address, by a roster, or when organisers let them. A space may draw its members'
names, hide them from its organisers too, and say for how many days it keeps what its results do not need. Who sees a
space and who runs it is decided in `accounts.spaces`.
"""

from tournaments.core.feature import Feature, Step
from tournaments.features.spaces import own_workers, retention
from tournaments.features.spaces.actions import (
    ChangeAccess,
    ChangeWorkers,
    CloseSpace,
    LiftMember,
    OpenSpaceAgain,
    RemoveMember,
    SuspendMember,
)
from tournaments.features.spaces.settings_actions import HideNames, SetRetention, SetTimeZone, ShowNames
from tournaments.features.spaces.sign_up import welcome_by_code
from tournaments.features.spaces.urls import ENDPOINTS, PAGES

SPACES = Feature(
    name="spaces",
    uses=("moderation", "seasons"),
    steps=(
        Step(
            name="workers of spaces",
            run=own_workers.watch,
            every=5.0,
            pending=(
                "SELECT FROM tournaments_worker WHERE space_id IS NOT NULL "
                "UNION ALL SELECT FROM tournaments_space WHERE own_workers_alone OR away_since IS NOT NULL"
            ),
        ),
        Step(
            name="retention of spaces",
            run=retention.apply_retention,
            every=600.0,
            pending=(
                "SELECT FROM tournaments_space "
                "WHERE coalesce(keep_words, keep_replays, keep_sources, keep_identities) IS NOT NULL"
            ),
        ),
    ),
    actions=(
        *(SuspendMember, LiftMember, RemoveMember),
        *(ChangeAccess, ChangeWorkers, SetTimeZone, SetRetention, HideNames, ShowNames, CloseSpace, OpenSpaceAgain),
    ),
    pages=PAGES,
    endpoints=ENDPOINTS,
    welcome=welcome_by_code,
)
