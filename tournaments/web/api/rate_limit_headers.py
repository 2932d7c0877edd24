"""How many requests are left, in every answer (draft-ietf-httpapi-ratelimit-headers-10).

`RateLimit-Policy` names each rate with its quota `q` in a window of `w` seconds; `RateLimit` says for each how many are
left (`r`) and in how many seconds all are available again (`t`). They are refilled one by one, so some are available
much sooner.
"""

from django.http import HttpResponseBase
from rest_framework.request import Request

from tournaments.web.server.request_rates import Rate, Spent

NOTED = "spent_rates"  # what `note_spent_rate` keeps beside a request


def note_spent_rate(request: Request | None, rate: Rate, spent: Spent | None) -> None:
    """Note for `write_rate_limit_headers` what was spent of a rate; nothing is told where nothing is counted."""
    if request is not None and spent is not None:
        vars(request).setdefault(NOTED, []).append((rate, spent))


def write_rate_limit_headers(request: Request, response: HttpResponseBase) -> None:
    """Write the headers, but not in an answer that caches keep for everybody: it would tell of this one's bucket."""
    known: list[tuple[Rate, Spent]] = vars(request).get(NOTED, [])
    if known and "public" not in response.get("Cache-Control", ""):
        policies = (f'"{rate.name}";q={rate.times};w={rate.seconds}' for rate, _ in known)
        response["RateLimit-Policy"] = ", ".join(policies)
        response["RateLimit"] = ", ".join(f'"{rate.name}";r={spent.left};t={spent.full_in}' for rate, spent in known)
