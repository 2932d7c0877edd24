"""Whatever writes has a budget, or a reason why it needs none: every action, operation and page that takes a form."""

import importlib
import inspect
from dataclasses import fields

import pytest
from django.conf import settings

from tests.factories import a_user
from tests.tournaments.features.spaces.test_joining import refusal
from tests.tournaments.web.api.test_pages_and_operations import DOES, EXCEPTIONS, operations
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget
from tournaments.ledger.acts.base import ACTIONS_OF_A_PERSON, Action, actions
from tournaments.web.server.request_rates import Rate

pytestmark = pytest.mark.django_db

TAKES_AWAY = "It takes away or ends what is there, and makes no row."
ONE_ROW = "It changes one row that is there, by values of bounded length."
ONE_FOR_EACH = "There is one row for each person and thing, made once and changed after that."
ASKED_FOR = "Somebody else asked for it, by a budget of theirs."
OF_A_GAME = "It goes on with a game, whose answers and seats are bounded by the game itself."
READS = "It reads what is shown anyway, and keeps nothing."

# What bounds it (a Budget, a Rate, a number that one may have, by module and name; or a setting), or the reason.
BOUNDED: dict[str, str] = {
    "DELETE drafts/{}": TAKES_AWAY,
    "DELETE events/{}/entrants/{}": TAKES_AWAY,
    "DELETE follows/{}": TAKES_AWAY,
    "DELETE ladders/{}/entries/{}": TAKES_AWAY,
    "DELETE practices/{}/share": TAKES_AWAY,
    "DELETE spaces/{}/codes/{}": TAKES_AWAY,
    "DELETE tokens": TAKES_AWAY,
    "DELETE tokens/{}": TAKES_AWAY,
    "DELETE webhooks/{}": TAKES_AWAY,
    "PATCH account": ONE_ROW,
    "PATCH bots/{}": ONE_ROW,
    "PATCH drafts/{}": "features.drafts.rules.STATES_BYTES",
    "PATCH spaces/{}": ONE_ROW,
    "PATCH spaces/{}/addresses": "features.spaces.admission.MOST_ADDRESSES",
    "PATCH teams/{}": ONE_ROW,
    "POST account/data": "web.server.request_rates.OWN_DATA",
    "POST account/email": "web.server.request_rates.GUESSES",
    "POST account/erase": TAKES_AWAY,
    "POST account/feed": ONE_ROW,
    "POST account/letter": "core.notices.letters.OF_A_PERSON",
    "POST account/whole-site": "web.server.request_rates.SIGN_UP",
    "POST appeals": ONE_FOR_EACH,
    "POST bots": "BOTS_AN_OWNER",
    "POST bots/{}/overall": ONE_ROW,
    "POST bots/{}/versions": "UPLOADS_A_DAY",
    "POST bots/{}/versions/{}/activate": ONE_ROW,
    "POST bots/{}/versions/{}/examine": "web.server.request_rates.EXAMINE",
    "POST matches/{}/suggestions": "features.suggestions.rules.A_DAY",
    "POST practices/{}/suggestions": "features.suggestions.rules.A_DAY",
    "POST drafts": "features.drafts.rules.DRAFTS",
    "POST drafts/{}/check": "web.server.request_rates.UPLOAD",
    "POST drafts/{}/states/{}/take": "features.drafts.rules.STATES_BYTES",
    "POST drafts/{}/submit": "UPLOADS_A_DAY",
    "POST events/{}/decline": ONE_ROW,
    "POST events/{}/entrants": "core.accounts.quotas.ENTERED",
    "POST events/{}/entrants/{}/check-in": ONE_ROW,
    "POST follows": "features.follow.rules.FOLLOWED",
    "POST joins": "web.server.request_rates.JOIN_CODES",
    "POST ladders/{}/entries": "core.accounts.quotas.ENTERED",
    "POST ladders/{}/requests": "FRIENDLIES_A_DAY",
    "POST ladders/{}/series": "FRIENDLIES_A_DAY",
    "POST matches/{}/fork": "PRACTICES_A_DAY",
    "POST notices/read": ONE_ROW,
    "POST practice-seats": "PRACTICES_OPEN",
    "POST practices": "PRACTICES_A_DAY",
    "POST practices/{}/again": "PRACTICES_A_DAY",
    "POST practices/{}/answers": OF_A_GAME,
    "POST practices/{}/leave": TAKES_AWAY,
    "POST practices/{}/retry": OF_A_GAME,
    "POST practices/{}/share": ONE_ROW,
    **dict.fromkeys(
        (f"POST practices/{{}}/table/{does}" for does in ("end", "fill", "invite", "return", "start", "uninvite")),
        OF_A_GAME,
    ),
    "POST reports": "features.moderation.complaints.A_DAY",
    "POST spaces": "features.spaces.opening.OPENED",
    "POST spaces/{}/approve": ASKED_FOR,
    "POST spaces/{}/ask": "features.spaces.admission.REQUESTS",
    "POST spaces/{}/codes": "features.spaces.join_codes.CODES",
    "POST spaces/{}/join": ONE_FOR_EACH,
    "POST spaces/{}/leave": TAKES_AWAY,
    "POST spaces/{}/organiser": ONE_ROW,
    "POST spaces/{}/refuse": ASKED_FOR,
    "POST spaces/{}/roster": "features.spaces.roster.ACCOUNTS",
    "POST spaces/{}/step-down": ONE_ROW,
    "POST spaces/{}/take-back": TAKES_AWAY,
    "POST teams": "features.teams.rules.FOUNDED",
    "POST teams/{}/captain": ONE_ROW,
    "POST teams/{}/invite": "features.teams.rules.INVITATIONS",
    "POST teams/{}/join": ASKED_FOR,
    "POST teams/{}/leave": TAKES_AWAY,
    "POST teams/{}/refuse": ASKED_FOR,
    "POST teams/{}/remove": TAKES_AWAY,
    "POST tokens": "core.accounts.api_tokens.MOST",
    "POST webhooks": "core.notices.webhooks.MADE",
    "POST webhooks/{}/test": "web.server.request_rates.LETTERS",
    # Pages alone, by the names of their routes; all other pages do what an operation does.
    "sign-up": "web.server.request_rates.SIGN_UP",
    "sign-in": "web.server.request_rates.SIGN_IN",
    "sign-in-code": "web.server.request_rates.CODES",
    "sign-in-passkey": "web.pages.rate_limits.PASSKEYS",
    "passkey-challenge": "web.pages.rate_limits.PASSKEYS",
    "sign-out": TAKES_AWAY,
    "sign-on-name": "web.server.request_rates.SIGN_UP",
    "sign-on-course": "ledger.acts.base.ACTIONS_OF_A_PERSON",
    "sign-on-assertion": "web.pages.rate_limits.SIGN_ON",
    "sign-on-launch": "web.pages.rate_limits.SIGN_ON",
    "gradebook-send": "features.courses.pages.SENT",
    "language": READS,
    "password": "web.server.request_rates.GUESSES",
    "authenticator-program": "web.server.request_rates.GUESSES",
    "passkey-add": "core.accounts.passkeys.MOST",
    "recovery-codes": "web.server.request_rates.GUESSES",
    "factor-remove": TAKES_AWAY,
    "lost-password": "core.notices.letters.FOR_LOST_PASSWORDS",
    "identity-link": "web.server.request_rates.GUESSES",
    "identity-link-kept": "web.server.request_rates.GUESSES",
    "identity-unlink": TAKES_AWAY,
    "reset-password": ONE_ROW,
    "confirm-email": ONE_ROW,
    "unsubscribe": ONE_ROW,
    "invited": ONE_ROW,
}


def test_every_operation_and_page_that_writes_has_a_budget_or_a_reason() -> None:
    writing = {name for name in operations() if not name.startswith(("GET", "POST acts/"))}
    assert writing | EXCEPTIONS.keys() == BOUNDED.keys()


def test_every_page_that_takes_a_form_does_what_is_bounded() -> None:
    named = {name for several in DOES.values() for name in several if not name.startswith(("GET", "POST acts/"))}
    assert named <= BOUNDED.keys()
    acts = {name for several in DOES.values() for name in several if name.startswith("POST acts/")}
    assert acts == {f"POST acts/{kind}" for kind in actions()}


@pytest.mark.parametrize("bound", sorted({bound for bound in BOUNDED.values() if " " not in bound}))
def test_what_bounds_them_is_there_and_used(bound: str) -> None:
    module, _, name = bound.rpartition(".")
    if not module:
        assert getattr(settings, name) > 0
        return
    holder = importlib.import_module(f"tournaments.{module}")
    assert isinstance(getattr(holder, name), Budget | Rate | int)


ASK_FIRST = {"dismiss_report", "settle_report", "grant_appeal", "refuse_appeal", "edit_event"}  # what they are about


@pytest.mark.parametrize("kind", sorted(actions().keys() - ASK_FIRST))
def test_every_action_is_counted_before_anything_is_done(kind: str) -> None:
    """It is about nothing at all, which only what comes after the count would notice."""
    of_the_site: type[Action] = type(kind, (actions()[kind],), {"acting_space": lambda _: None})
    action, staff = object.__new__(of_the_site), a_user(staff=True)
    for field in fields(action):
        object.__setattr__(action, field.name, None)
    spend_budget(ACTIONS_OF_A_PERSON, staff.pk, ACTIONS_OF_A_PERSON.most)
    assert refusal(action.do, by=staff, reason="x") == "over_budget"


@pytest.mark.parametrize("kind", sorted(ASK_FIRST))
def test_those_that_look_at_what_they_are_about_do_the_rest_as_all_do(kind: str) -> None:
    does = [inspect.getsource(vars(parent)["do"]) for parent in actions()[kind].__mro__ if "do" in vars(parent)]
    assert "super(" in does[0]
    assert "self.count(by)" in does[1]
    assert actions()[kind].count is Action.count
