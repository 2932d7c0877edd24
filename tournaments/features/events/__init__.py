"""Events: tournaments with a beginning and an end, under the settings of a ladder.

Organisers draft one, in a format, and announce it. Bots register; from the start on each plays with the version it has
then. The format says from the results alone what is played next. Results may be held back, and released by rounds.
"""

from tournaments.core.feature import Feature, Step
from tournaments.features.events import actions, draft_actions, entrant_actions, plan, registration, rounds
from tournaments.features.events.lifecycle import DUE, advance_events
from tournaments.features.events.urls import ENDPOINTS, PAGES

EVENTS = Feature(
    name="events",
    steps=(Step(name="events", run=advance_events, deals=True, pending=DUE),),
    actions=(
        *(draft_actions.CreateEvent, draft_actions.EditEvent, draft_actions.DiscardEvent),
        *(entrant_actions.InviteToEvent, entrant_actions.UninviteFromEvent),
        *(entrant_actions.SeedByHand, entrant_actions.TellEntrants),
        *(actions.AnnounceEvent, actions.StartEvent, actions.ReleaseRound),
        *(actions.CallOffEvent, actions.DisqualifyEntrant),
    ),
    pages=PAGES,
    endpoints=ENDPOINTS,
    before_leaving=registration.lock_left,
    set_voided=rounds.deal_again,
    left=registration.withdraw_leaver,
    paired_by_result=plan.paired_by_result,
)
