"""What a draft was before its source changed: kept for its writer, looked at, and taken back."""

from django.db.models import QuerySet

from tournaments.competitors.drafts.autosave import save
from tournaments.models import Draft, DraftState


def states_of(draft: Draft) -> QuerySet[DraftState]:
    """The latest first, without their sources."""
    return draft.states.defer("source").order_by("-pk")


def take_back(state: DraftState) -> Draft:
    """The draft is again what it was. What it is now becomes the latest of its states: nothing is lost by it."""
    draft = state.draft
    return save(draft=draft, source=state.source, filename=state.filename, name=draft.name)
