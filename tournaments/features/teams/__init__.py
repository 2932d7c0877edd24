"""Teams: people who run bots together. People join only with their own consent, and bots with their owner's."""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.methods import form, seen

page, endpoint = routes_of("tournaments.features.teams.pages"), routes_of("tournaments.features.teams.api")

TEAMS = Feature(
    name="teams",
    pages=(
        page("teams/", "own_teams", form, name="teams"),
        page("teams/<int:number>/", "team", seen, name="team"),
        page("teams/<int:number>/about/", "edit_team", form, name="team-about"),
        page("teams/<int:number>/<slug:action>/", "do_in_team", name="team-action"),
    ),
    endpoints=(
        endpoint("teams", "Teams", name="teams"),
        endpoint("teams/<int:team>", "OneTeam", name="team"),
        endpoint("teams/<int:team>/invite", "TeamInvite", name="team-invite"),
        endpoint("teams/<int:team>/join", "TeamJoin", name="team-join"),
        endpoint("teams/<int:team>/refuse", "TeamRefuse", name="team-refuse"),
        endpoint("teams/<int:team>/leave", "TeamLeave", name="team-leave"),
        endpoint("teams/<int:team>/remove", "TeamRemove", name="team-remove"),
        endpoint("teams/<int:team>/captain", "TeamCaptain", name="team-captain"),
    ),
)
