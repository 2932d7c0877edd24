"""A person's own data: as one archive to download, and erased when they leave for good.

Whoever leaves is shut out at once, and erased after a grace: names, texts and sources go, and bots, versions and
results stay under neutral names, so that no rating changes (`erasure`).
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.own_data.erasure import erase_due
from tournaments.features.own_data.leaving import EraseAccount
from tournaments.web.pages.methods import form

page, endpoint = routes_of("tournaments.features.own_data.pages"), routes_of("tournaments.features.own_data.api")

OWN_DATA = Feature(
    name="own_data",
    steps=(
        Step(
            name="erased accounts",
            run=erase_due,
            every=1.0,
            pending="SELECT FROM tournaments_user WHERE erase_at <= statement_timestamp()",
        ),
    ),
    actions=(EraseAccount,),
    pages=(
        page("account/data/", "own_data", form, name="own-data"),
        page("account/erase/", "erase", form, name="account-erase"),
    ),
    endpoints=(
        endpoint("account/data", "OwnData", name="account-data"),
        endpoint("account/erase", "Erase", name="account-erase"),
    ),
)
