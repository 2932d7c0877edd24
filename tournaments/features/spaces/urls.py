"""The addresses of spaces."""

from tournaments.core.config.routes import routes_of
from tournaments.web.pages.methods import form, seen, sent

page, endpoint = routes_of("tournaments.features.spaces"), routes_of("tournaments.features.spaces.api")

PAGES = (
    page("spaces/", "pages.spaces_page", seen, name="spaces"),
    page("new-space/", "pages.new_space", form, name="space-new"),
    page("join/", "joining_pages.type_code", seen, name="type-code"),
    page("join/<str:code>/", "joining_pages.join_page", form, name="join"),
    page("invited/<str:token>/", "joining_pages.choose_password", form, name="invited"),
    page("spaces/<slug:slug>/", "pages.space_page", seen, name="space"),
    page("spaces/<slug:slug>/members/", "members_pages.members_page", seen, name="space-members"),
    page("spaces/<slug:slug>/reports/", "members_pages.space_reports", seen, name="space-reports"),
    page("spaces/<slug:slug>/settings/", "settings_pages.settings", form, name="space-settings"),
    page("spaces/<slug:slug>/ways-in/", "settings_pages.ways_into_space", seen, name="space-ways-in"),
    page("spaces/<slug:slug>/ways-in/codes/", "settings_pages.new_code", sent, name="space-code"),
    page("spaces/<slug:slug>/ways-in/codes/<int:number>/", "settings_pages.revoke_code", sent, name="space-revoke"),
    page("spaces/<slug:slug>/ways-in/addresses/", "settings_pages.admit_addresses_page", sent, name="space-addresses"),
    page("spaces/<slug:slug>/webhooks/", "settings_pages.space_webhooks", form, name="space-webhooks"),
    page("spaces/<slug:slug>/roster/", "roster_pages.roster_page", form, name="space-roster"),
    page("spaces/<slug:slug>/<slug:action>/", "pages.do_in_space", name="space-action"),
    page("account/whole-site/", "joining_pages.be_seen", sent, name="whole-site"),
)
ENDPOINTS = (
    endpoint("spaces", "Spaces", name="spaces"),
    endpoint("spaces/<slug:slug>", "OneSpace", name="space"),
    endpoint("spaces/<slug:slug>/members", "Members", name="space-members"),
    endpoint("spaces/<slug:slug>/workers", "OwnWorkers", name="space-workers"),
    endpoint("spaces/<slug:slug>/codes", "Codes", name="space-codes"),
    endpoint("spaces/<slug:slug>/codes/<int:number>", "OneCode", name="space-code"),
    endpoint("spaces/<slug:slug>/addresses", "Addresses", name="space-addresses"),
    endpoint("spaces/<slug:slug>/roster", "Roster", name="space-roster"),
    endpoint("spaces/<slug:slug>/announcements", "Announcements", name="space-announcements"),
    *(
        endpoint(f"spaces/<slug:slug>/{does}", f"Space{does.title().replace('-', '')}", name=f"space-{does}")
        for does in ("join", "ask", "take-back", "approve", "refuse", "leave", "organiser", "step-down")
    ),
    endpoint("joins", "Joins", name="joins"),
    endpoint("account/whole-site", "WholeSite", name="whole-site"),
)
