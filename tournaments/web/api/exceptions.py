"""Every refusal has one shape: problem details after RFC 9457, with `code`, and `fields`: {name: [sentences]}."""

import logging
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import DataError
from django.http.multipartparser import MultiPartParserError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import APIView

from tournaments.core.errors import PROBLEM, Refused
from tournaments.core.errors import problem as details

log = logging.getLogger("django.request")

# The statuses of codes; one that is not here is a bad request.
STATUS: dict[int, tuple[str, ...]] = {
    401: (
        "not_signed_in",
        "bad_token",
        "bad_worker_token",
        "bad_password",
        "code_needed",
        "bad_code",
        "factor_unreadable",
    ),
    403: (
        *("not_yours", "not_sent", "not_organiser", "not_captain", "not_admitted"),
        *("spaces_closed", "csrf_failed", "reads_only", "second_factor_needed"),
        *("account_suspended", "own_report", "own_act", "not_concerned"),
    ),
    404: tuple(
        f"unknown_{what}"
        for what in (
            *("ladder", "bot", "version", "entry", "match"),
            *("event", "entrant", "bundle", "token", "address"),
            *("act", "set", "user", "worker", "team", "trial", "item"),
            *("draft", "state", "practice", "webhook", "invitation", "gradebook", "space", "join_code"),
            *("subject", "report", "appeal", "follow"),
        )
    ),
    408: ("too_slow",),
    409: (
        *("name_taken", "too_many_bots", "too_many_tokens", "check_running", "already_active", "not_retired"),
        *("already_uploaded", "same_contents", "too_soon", "bundle_too_large", "named_already", "named_lately"),
        *("wrong_game", "ladder_closed", "already_entered", "suspended", "not_entered", "set_still_open", "not_played"),
        *("registration_closed", "event_full", "already_registered", "disqualified", "not_registered"),
        *("ladder_frozen", "wrong_status", "sets_under_way", "nothing_changes", "no_disqualification", "reinstated"),
        *(
            "not_voidable",
            "not_void",
            "nothing_played",
            "nothing_waits",
            "match_over",
            "not_quarantined",
            "not_releasable",
            "organiser",
        ),
        *("not_failing", "no_announcement", "not_draft", "draft", "not_announced", "all_public", "round_not_over"),
        *(
            "event_over",
            "not_started",
            "ladder_not_open",
            "no_version",
            "no_proof",
            "link_sealed",
            "season_open",
            "registration_not_open",
            "no_check_in",
        ),
        *("slug_taken", "event_started", "announced"),
        *("final_run_under_way", "no_final_run", "too_few_bots"),
        *("small_panel", "no_scheme", "marks_final", "in_panel", "no_deadline", "deadline_over", "not_student"),
        *("already_invited", "team_full", "not_invited", "too_many_teams", "still_captain", "not_member"),
        *("too_many_webhooks", "too_many_follows", "no_address", "no_mail"),
        *("too_many_drafts", "changed_elsewhere", "not_editable", "no_ladder"),
        *("not_over", "not_public", "no_replay", "over", "other_rules", "not_your_turn", "not_failed", "draft_played"),
        *("erased", "other_name", "not_passed", "examination_running"),
        *("survey_runs", "few_matches", "deal_known", "not_gathering", "not_free", "not_away"),
        *("other_space", "space_account", "last_organiser", "drawn_names", "not_drawn"),
        *("space_closed", "space_full", "already_member", "already_asked", "not_asked", "code_over", "no_home"),
        *("too_many_spaces", "too_many_codes", "too_many_ladders"),
        *("reported", "appealed"),
        *("twins_entered", "twins_hidden", "no_twins", "not_of_the_house", "not_one_file", "no_rank"),
    ),
    410: ("forgotten", "lease_over"),
    413: ("too_large", "draft_too_large"),
    414: ("address_too_long",),
    429: (
        *("over_budget", "throttled", "too_many_uploads", "too_many_requests", "too_many_open", "too_many_accounts"),
        *("too_many_practices", "too_much_thinking", "too_many_reports"),
    ),
    431: ("headers_too_long",),
    500: ("our_fault",),
    503: ("try_later", "starting", "disk_full"),
}
STATUS_OF = {code: status for status, codes in STATUS.items() for code in codes}
CODES = {"not_authenticated": "not_signed_in", "permission_denied": "not_yours", "parse_error": "malformed"}
NOT_SIGNED_IN = "Sign in, or send the header `Authorization: Bearer brd_...`; POST /api/v1/tokens makes a token."


def error_response(problem: Exception, context: dict[str, Any]) -> Response:
    """DRF's exception handler: every error in the one shape."""
    code, detail = code_and_detail(problem, context["view"])
    status = problem.status_code if isinstance(problem, exceptions.APIException) else STATUS_OF.get(code, 400)
    body = details(code, detail, status)
    if isinstance(problem, exceptions.ValidationError):
        fields = problem.detail if isinstance(problem.detail, dict) else {"body": problem.detail}
        body["fields"] = {name: field_messages(found) for name, found in fields.items()}
    if status == 500:
        log.error("The API failed at %s", context["request"].path, exc_info=problem)
        got_request_exception.send(sender=type(context["view"]), request=context["request"])
    return Response(body, status, headers=headers(problem, status), content_type=PROBLEM)


def headers(problem: Exception, status: int) -> dict[str, str]:
    found = {}
    if isinstance(problem, exceptions.Throttled):
        found["Retry-After"] = str(wait_of(problem))
    if status == 401:
        found["WWW-Authenticate"] = "Token, Bearer"
    return found


def code_and_detail(problem: Exception, view: APIView) -> tuple[str, str]:
    """The code and the sentence."""
    match problem:
        case Refused():
            return problem.code, problem.detail
        case exceptions.ValidationError():
            return "invalid", first_message(problem.detail)
        case exceptions.APIException():
            code = str(problem.get_codes())
            return CODES.get(code, code), framework_detail(problem, view)
        case DataError():
            return "malformed", "The database cannot hold what was sent, such as a text with a NUL in it."
        case RequestDataTooBig():
            return "too_large", "The body is larger than this address takes."
        case MultiPartParserError():
            return "malformed", f"The form cannot be read: {problem}"
        case SuspiciousOperation():
            return ("malformed", "The request cannot be read: it is malformed, or a form of far too many fields.")
        case _:
            return "our_fault", "Something failed on our side and is logged. Nothing of the request was kept."


def framework_detail(problem: exceptions.APIException, view: APIView) -> str:
    """The framework's refusals in our words: they say what would be right."""
    match problem:
        case exceptions.Throttled():
            return f"Too many requests of this kind; try again in {wait_of(problem)} seconds."
        case exceptions.NotAuthenticated():
            return NOT_SIGNED_IN
        case exceptions.MethodNotAllowed():
            return f"This address takes {', '.join(view.allowed_methods)} only."
        case exceptions.NotAcceptable():
            return f"The Accept header must allow {media_types(view.renderer_classes)}."
        case exceptions.UnsupportedMediaType():
            return f"The Content-Type of the body must be {media_types(view.parser_classes)}."
        case _:
            return str(problem.detail)


def wait_of(problem: exceptions.Throttled) -> int:
    return int(getattr(problem, "wait", None) or 0) + 1


def media_types(of: Sequence[Any]) -> str:
    return " or ".join(str(kind.media_type) for kind in of)


def first_message(detail: Any, path: str = "") -> str:
    """The first of a form's messages, with the field it is about."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        return first_message(inner, "" if name == "body" else str(name))
    if isinstance(detail, list):
        return first_message(detail[0], path)
    return f"{path}: {detail}" if path else str(detail)


def field_messages(detail: Any, path: str = "") -> list[str]:
    """Return all messages of one field; in a list of values, each with the number of the value that it is about."""
    if isinstance(detail, dict):
        return [text for name, inner in detail.items() for text in field_messages(inner, str(name))]
    if isinstance(detail, list):
        return [text for inner in detail for text in field_messages(inner, path)]
    return [f"{path}: {detail}" if path else str(detail)]
