"""Organisers' actions. Each has a preview and a reason and becomes an act in the public log; so does undoing one."""

from tournaments.acts.accounts import Activate, Deactivate
from tournaments.acts.announcements import Announce, ChangeAnnouncement, Withdraw
from tournaments.acts.base import ACTIONS
from tournaments.acts.cancel_outdated import CancelOutdated
from tournaments.acts.disqualification import Disqualify, Reinstate
from tournaments.acts.failing_items import SetAside, TryAgain
from tournaments.acts.ladder_creation import CreateLadder
from tournaments.acts.ladder_settings import ChangeSettings
from tournaments.acts.ladder_status import Close, Freeze, Pause, Reopen, Resume, Thaw
from tournaments.acts.quarantine import PlayWithout, Quarantine, Release
from tournaments.acts.rules_upgrade import AdoptRules
from tournaments.acts.void_sets import ReinstateSet, VoidSet, VoidWorked
from tournaments.acts.workers import Block, Drain, Welcome

ACTIONS.update(
    (action.kind, action)
    for action in (
        *(Pause, Resume, Freeze, Thaw, Close, Reopen),
        *(ChangeSettings, AdoptRules),
        *(Disqualify, Reinstate, VoidSet, ReinstateSet, Quarantine, Release, PlayWithout, CancelOutdated),
        *(
            Block,
            Drain,
            Welcome,
            VoidWorked,
            Announce,
            ChangeAnnouncement,
            Withdraw,
            Deactivate,
            Activate,
        ),
        *(TryAgain, SetAside),
        CreateLadder,
    )
)

__all__ = ["ACTIONS", "Activate", "AdoptRules", "Announce", "Block", "CancelOutdated", "ChangeAnnouncement"]
__all__ += ["ChangeSettings", "Close", "CreateLadder", "Deactivate", "Disqualify", "Drain", "Freeze", "Pause"]
__all__ += ["PlayWithout", "Quarantine", "Reinstate", "ReinstateSet", "Release", "Reopen", "Resume"]
__all__ += ["SetAside", "Thaw", "TryAgain", "VoidSet", "VoidWorked", "Welcome", "Withdraw"]
