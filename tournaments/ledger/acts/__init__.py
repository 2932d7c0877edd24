"""Organisers' actions. Each has a preview and a reason and becomes an act in the public log; so does undoing one."""

from tournaments.ledger.acts.accounts import Activate, Deactivate
from tournaments.ledger.acts.announcements import Announce, ChangeAnnouncement, Withdraw
from tournaments.ledger.acts.base import ACTIONS
from tournaments.ledger.acts.cancel_outdated import CancelOutdated
from tournaments.ledger.acts.disqualification import Disqualify, Reinstate
from tournaments.ledger.acts.failing_items import SetAside, TryAgain
from tournaments.ledger.acts.ladder_creation import CreateLadder
from tournaments.ledger.acts.ladder_settings import ChangeSettings
from tournaments.ledger.acts.ladder_status import Close, Freeze, Pause, Reopen, Resume, Thaw
from tournaments.ledger.acts.quarantine import PlayWithout, Quarantine, Release
from tournaments.ledger.acts.rules_upgrade import AdoptRules
from tournaments.ledger.acts.void_sets import ReinstateSet, VoidSet, VoidWorked
from tournaments.ledger.acts.workers import Block, Drain, Welcome

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
