"""Everything pages do, programs can do too: what each page's form sends has an operation of the API, or a reason."""

import re

import pytest
from django.test import Client
from django.urls import URLPattern

from tests.tournaments.web.api.asking import strict_document
from tests.tournaments.web.pages.routes import routes
from tournaments.features.practice.slow_play import TABLE_ACTIONS
from tournaments.features.spaces.admission import SPACE_ACTIONS
from tournaments.features.teams.rules import TEAM_ACTIONS
from tournaments.ledger.acts.base import actions

pytestmark = pytest.mark.django_db

# A page that takes a form, by the name of its route, and the operations that do the same.
DOES: dict[str, tuple[str, ...]] = {
    "ladder-enter": ("POST ladders/{}/entries",),
    "entry-withdraw": ("DELETE ladders/{}/entries/{}",),
    "event-register": ("POST events/{}/entrants",),
    "event-decline": ("POST events/{}/decline",),
    "entrant-check-in": ("POST events/{}/entrants/{}/check-in",),
    "entrant-withdraw": ("DELETE events/{}/entrants/{}",),
    "bot-activate": ("POST bots/{}/versions/{}/activate",),
    "bot-examine": ("POST bots/{}/versions/{}/examine",),
    "bot-overall": ("POST bots/{}/overall",),
    "match-suggestions": ("POST matches/{}/suggestions", "GET matches/{}/suggestions"),
    "practice-suggestions": ("POST practices/{}/suggestions", "GET practices/{}/suggestions"),
    "bot-gate": ("PATCH bots/{}",),
    "bot-about": ("PATCH bots/{}",),
    "bot-face": ("PATCH bots/{}",),
    "bot-team": ("PATCH bots/{}",),
    "bot-friendly": ("POST ladders/{}/series", "GET bots/{}/series"),
    "bot-upload": ("POST bots/{}/versions",),
    "upload": ("POST bots", "POST bots/{}/versions", "POST ladders/{}/entries"),
    "editor": ("POST drafts", "GET draft-starts"),
    "draft": ("PATCH drafts/{}", "POST drafts/{}/check", "POST drafts/{}/submit"),
    "draft-delete": ("DELETE drafts/{}",),
    "draft-state-take": ("POST drafts/{}/states/{}/take",),
    "play-begin": ("POST practices",),
    "fork": ("POST matches/{}/fork",),
    "practice": ("POST practices/{}/answers", "GET practices/{}"),
    "practice-join": ("POST practice-seats",),
    "practice-table": tuple(f"POST practices/{{}}/table/{does}" for does in TABLE_ACTIONS),
    "practice-leave": ("POST practices/{}/leave",),
    "practice-retry": ("POST practices/{}/retry",),
    "practice-again": ("POST practices/{}/again",),
    "practice-share": ("POST practices/{}/share",),
    "practice-take-back": ("DELETE practices/{}/share",),
    "report": ("POST reports", "GET reports"),
    "appeal": ("POST appeals", "GET appeals"),
    "account": ("POST account/email", "GET account"),
    "account-about": ("PATCH account",),
    "own-data": ("POST account/data",),
    "account-erase": ("POST account/erase",),
    "teams": ("POST teams", "GET account"),
    "team-about": ("PATCH teams/{}",),
    "team-action": tuple(f"POST teams/{{}}/{does}" for does in TEAM_ACTIONS),
    "space-new": ("POST spaces",),
    "join": ("POST joins",),
    "space-settings": ("PATCH spaces/{}",),
    "space-code": ("POST spaces/{}/codes",),
    "space-revoke": ("DELETE spaces/{}/codes/{}",),
    "space-addresses": ("PATCH spaces/{}/addresses",),
    "space-roster": ("POST spaces/{}/roster",),
    "space-action": tuple(f"POST spaces/{{}}/{does}" for does in SPACE_ACTIONS),
    "whole-site": ("POST account/whole-site",),
    "tokens": ("POST tokens", "GET tokens"),
    "token-revoke": ("DELETE tokens/{}",),
    "tokens-revoke": ("DELETE tokens",),
    "notices": ("PATCH account", "GET notices"),
    "notices-read": ("POST notices/read",),
    "feed-key": ("POST account/feed",),
    "send-letter": ("POST account/letter",),
    **dict.fromkeys(("webhooks", "event-webhooks", "space-webhooks"), ("POST webhooks", "GET webhooks")),
    "webhook-remove": ("DELETE webhooks/{}",),
    "follow": ("POST follows", "GET follows", "GET timeline"),
    "unfollow": ("DELETE follows/{}",),
    "webhook-try": ("POST webhooks/{}/test",),
    "play-now": ("POST practices",),
    "desk-act": tuple(f"POST acts/{kind}" for kind in actions()),
    "desk-new-ladder": ("POST acts/create_ladder",),
    "desk-new-event": ("POST acts/create_event",),
    "desk-new-worker": ("POST acts/admit_worker",),
    "desk-edit-event": ("POST acts/edit_event",),
}
A_BROWSERS = "it begins or ends a browser's session; a program has tokens, which `tokens` makes and revokes"
A_PERSONS = "it changes what opens the account, and a stolen token must not: a person does it, behind a session"
A_PLATFORMS = "it tells a learning platform what `GET ladders/{}/gradebook` tells a program"
A_PROVIDERS = "a provider's page sends it, and it ends in a browser's session"
A_READERS = "it is the language in which a person reads pages; what programs read is English"
A_LINKS = "whoever opens the link of a letter has it from the letter alone, and needs no token"
# Those that have none, and why.
EXCEPTIONS = {
    **dict.fromkeys(
        ("sign-up", "sign-in", "sign-in-code", "sign-in-passkey", "passkey-challenge", "sign-out"), A_BROWSERS
    ),
    **dict.fromkeys(("sign-on-name", "sign-on-course"), A_BROWSERS),
    "gradebook-send": A_PLATFORMS,
    **dict.fromkeys(("sign-on-assertion", "sign-on-launch"), A_PROVIDERS),
    "language": A_READERS,
    **dict.fromkeys(
        (
            "password",
            "authenticator-program",
            "passkey-add",
            "recovery-codes",
            "factor-remove",
            "lost-password",
            "identity-link",
            "identity-link-kept",
            "identity-unlink",
        ),
        A_PERSONS,
    ),
    **dict.fromkeys(("reset-password", "confirm-email", "unsubscribe", "invited"), A_LINKS),
}
VALUES = {"slug": "arena", "path": "x", "str": "x", "uidb64": "MQ", "token": "a-b"}


def address_of(route: URLPattern) -> str:
    """An address of nothing in particular: whether it takes a form is asked before what it is about."""
    return "/" + re.sub(r"<(?:(\w+):)?(\w+)>", lambda match: VALUES.get(match[1] or match[2], "1"), str(route.pattern))


def taking_forms() -> set[str]:
    """Routes that anything but 405 answers, by the resolver, when a stranger sends a form."""
    client = Client(raise_request_exception=False)
    return {str(route.name) for route in routes() if client.post(address_of(route)).status_code != 405}


def operations() -> set[str]:
    return {
        f"{method.upper()} {re.sub(r'{.*?}', '{}', path.removeprefix('/api/v1').strip('/'))}"
        for path, methods in strict_document()["paths"].items()
        for method in methods
    }


def test_every_page_that_takes_a_form_has_its_operations_or_a_reason() -> None:
    assert taking_forms() == DOES.keys() | EXCEPTIONS.keys()
    assert not DOES.keys() & EXCEPTIONS.keys()


def test_the_operations_are_there() -> None:
    named = {operation for several in DOES.values() for operation in several}
    assert named <= operations()


def test_no_operation_writes_what_no_page_does() -> None:
    """The other way round: pages can do what programs can, but for what programs alone need."""
    alone = {"POST ladders/{}/requests"}  # one set, as it was before there were series
    writing = {operation for operation in operations() if not operation.startswith("GET")}
    assert writing - alone == {named for several in DOES.values() for named in several if named[:3] != "GET"}
