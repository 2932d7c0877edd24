"""Drafts of bots: written in the browser, saved while typed, checked in the sandbox, submitted as a version.

A draft begins from a sample, from nothing, or from a version of one's own. A bounded number of earlier states is kept.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.methods import form, seen

page, endpoint = routes_of("tournaments.features.drafts.pages"), routes_of("tournaments.features.drafts.api")

DRAFTS = Feature(
    name="drafts",
    uses=("practice",),
    pages=(
        page("editor/", "editor", form, name="editor"),
        page("drafts/", "drafts_page", seen, name="drafts"),
        page("drafts/<int:number>/", "draft", form, name="draft"),
        page("drafts/<int:number>/delete/", "delete_draft", name="draft-delete"),
        page("drafts/<int:number>/states/", "states", seen, name="draft-states"),
        page("drafts/<int:number>/states/<int:state>/", "state_page", seen, name="draft-state"),
        page("drafts/<int:number>/states/<int:state>/take/", "take_state_back", name="draft-state-take"),
    ),
    endpoints=(
        endpoint("drafts", "Drafts", name="drafts"),
        endpoint("draft-starts", "Starts", name="draft-starts"),
        endpoint("drafts/<int:draft>", "OneDraft", name="draft"),
        endpoint("drafts/<int:draft>/check", "DraftCheck", name="draft-check"),
        endpoint("drafts/<int:draft>/submit", "DraftSubmit", name="draft-submit"),
        endpoint("drafts/<int:draft>/states", "DraftStates", name="draft-states"),
        endpoint("drafts/<int:draft>/states/<int:state>", "OneDraftState", name="draft-state"),
        endpoint("drafts/<int:draft>/states/<int:state>/take", "DraftStateTake", name="draft-state-take"),
    ),
)
