"""The maximum length of a request's body, by route: where nothing long is sent, there is none."""

import re
from functools import partial
from typing import Final

from tournaments.core.config.budgets import Budget, declare
from workers.door_words import LONGEST, PATH

REQUESTS = partial(
    Budget,
    resource="Requests and pages",
    unit="bytes",
    holder="request",
    where="tournaments.web.server.body_lengths.budget_of",
    sentence="the request is too large: at most %(most)s bytes are taken here",
)
USUAL = declare(REQUESTS("body of a request", most=64 << 10))
TEXTS = declare(REQUESTS("body of a form with long texts, of a sign-in and of an assertion", most=256 << 10))
SOURCES = declare(REQUESTS("body of a draft and of a list of addresses", most=1 << 20))
ROSTERS = declare(REQUESTS("body of a roster", most=(3 << 20) + (64 << 10)))
UPLOADS = declare(REQUESTS("body of an upload", most=(20 << 20) + (64 << 10)))
WORDS_OF_WORKERS = declare(REQUESTS("body of a worker's reports", most=LONGEST))
LONGER: Final = {  # by the addresses, each of a route; whatever else there is takes the usual length
    "/(?:bots/[0-9]+/)?upload/|/api/v1/bots/[0-9]+/versions": UPLOADS,
    f"{PATH}report": WORDS_OF_WORKERS,
    "/spaces/[^/]+/roster/|/api/v1/spaces/[^/]+/roster": ROSTERS,
    "/drafts/[0-9]+/|/api/v1/drafts/[0-9]+": SOURCES,
    "/spaces/[^/]+/ways-in/addresses/|/api/v1/spaces/[^/]+/addresses": SOURCES,
    "/new-space/|/spaces/[^/]+/settings/|/api/v1/spaces(?:/[^/]+)?": TEXTS,
    "/desk/new-ladder/|/desk/new-event/|/desk/events/[^/]+/edit/|/desk/acts/[^/]+/|/api/v1/acts/[^/]+": TEXTS,
    "/sign-in/|/sign-in/code/|/sign-in/passkey/|/sign-on/[^/]+/(?:assertion|launch)/": TEXTS,
}
ROUTES: Final = [(re.compile(pattern), budget) for pattern, budget in LONGER.items()]


def budget_of(path: str) -> Budget:
    """Return USUAL, TEXTS, SOURCES, ROSTERS, UPLOADS or WORDS_OF_WORKERS."""
    return next((budget for pattern, budget in ROUTES if pattern.fullmatch(path)), USUAL)


def longest_of(path: str) -> int:
    """Return the maximum in bytes."""
    return budget_of(path).most
