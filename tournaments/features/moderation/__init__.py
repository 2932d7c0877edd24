"""Moderation: people report to organisers, who answer, suspend accounts, and take names and texts down.

Whoever reports is told what became of it, and nobody is told who wrote. Whom an act concerns may appeal once; another
organiser answers, where there is one. What a suspended account may do is in `accounts.suspension`.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.moderation import actions
from tournaments.features.moderation.suspensions import end_due
from tournaments.features.moderation.take_down import Blank, Rename
from tournaments.web.pages.methods import form, seen

page, endpoint = routes_of("tournaments.features.moderation.pages"), routes_of("tournaments.features.moderation.api")

MODERATION = Feature(
    name="moderation",
    steps=(
        Step(
            name="suspensions",
            run=end_due,
            every=1.0,
            pending="SELECT FROM tournaments_suspension WHERE over_at IS NULL AND until <= statement_timestamp()",
        ),
    ),
    actions=(
        *(Rename, Blank, actions.Suspend, actions.LiftSuspension, actions.DismissReport, actions.SettleReport),
        *(actions.GrantAppeal, actions.RefuseAppeal),
    ),
    pages=(
        page("report/", "write_report", form, name="report"),
        page("appeals/<int:number>/", "write_appeal", form, name="appeal"),
        page("desk/reports/", "reports_page", seen, name="desk-reports"),
    ),
    endpoints=(
        endpoint("reports", "Reports", name="reports"),
        endpoint("appeals", "Appeals", name="appeals"),
    ),
)
