"""Earlier states of a draft: stored, shown to its writer, and restored."""

from django.db.models import QuerySet

from tournaments.competitors.drafts.autosave import save
from tournaments.models import Draft, DraftState


def states_of(draft: Draft) -> QuerySet[DraftState]:
    """The latest first, without their sources."""
    return draft.states.defer("source").order_by("-pk")


def take_back(state: DraftState) -> Draft:
    """Restore an earlier state. The present one becomes the latest of the stored states."""
    draft = state.draft
    return save(draft=draft, source=state.source, filename=state.filename, name=draft.name)
