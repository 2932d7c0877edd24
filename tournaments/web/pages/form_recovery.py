"""Restores what was typed into a form after the session ended, the form was too old, or the site had an error.

It is shown again in a separate form, which the user checks and sends; nothing is sent automatically. During sign-in it
is carried, signed, in a hidden field, and stored nowhere. Passwords, codes and files are not kept: the form asks for
them again.
"""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TypeVar

from django.conf import settings
from django.core import signing
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.middleware.csrf import get_token
from django.shortcuts import render, resolve_url
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers

from tournaments.web.pages.account_forms import SignInForm

R = TypeVar("R", bound=HttpResponseBase)
Answer = Callable[[HttpRequest], HttpResponse]
KEPT = "kept"  # the hidden field
SALT = "typed"
LASTS = 86_400  # seconds
MOST = 192 << 10  # bytes, packed, that travel through the sign-in: most drafts are shorter, packed
LONGEST_NAME = 100  # characters of a field's name: ours are shorter
OURS = re.compile(rf"csrfmiddlewaretoken|next|passkey|{KEPT}")
SECRET = re.compile(r".*password.*|.*secret.*|code|passkey")


@dataclass(frozen=True, slots=True)
class Typed:
    """Fields in their order, as (name, value); of secrets and files the names alone. `path` is one of ours."""

    path: str
    fields: list[tuple[str, str]]
    secrets: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def typed_in(request: HttpRequest) -> Typed | None:
    """Return what was typed into a post, or what it carries from an earlier one; None where that is nothing."""
    sent = sent_in(request)
    if carried := unsealed_form(sent.get(KEPT, "")):
        return carried
    names = [name for name in sent if len(name) <= LONGEST_NAME and not OURS.fullmatch(name)]
    plain = [name for name in names if not SECRET.fullmatch(name)]
    fields = [(name, value) for name in plain for value in sent.getlist(name)]
    if not fields:
        return None
    return Typed(request.get_full_path(), fields, [name for name in names if name not in plain], list(request.FILES))


def sent_in(request: HttpRequest) -> QueryDict:
    """Empty if the body cannot be read: too large, or cut off."""
    try:
        return request.POST
    except (SuspiciousOperation, UnreadablePostError, MultiPartParserError):
        return QueryDict()


def typed_form(request: HttpRequest) -> Typed | None:
    """Return what was typed into a form of ours, for an error page; None where no view has checked whose it is."""
    is_ours = request.method == "POST" and getattr(request, "csrf_processing_done", False)
    return typed_in(request) if is_ours else None


def sealed_form(typed: Typed) -> str:
    return signing.dumps(asdict(typed), salt=SALT, compress=True)


def unsealed_form(text: str) -> Typed | None:
    """The text that `sealed_form` made less than a day ago, or None."""
    try:
        return Typed(**signing.loads(text, salt=SALT, max_age=LASTS))
    except signing.BadSignature:
        return None


def carried(request: HttpRequest) -> str:
    """The sealed text in a step of the sign-in, for the next one."""
    text = request.POST.get(KEPT, "")
    return text if unsealed_form(text) else ""


def filled_form(request: HttpRequest, typed: Typed, status: int = 200, *, lacks_cookies: bool = False) -> HttpResponse:
    """The filled form, to send where it was meant to go."""
    return private(request, "send_again.html", {"typed": typed, "lacks_cookies": lacks_cookies}, status)


def private(request: HttpRequest, template: str, context: dict[str, object], status: int = 200) -> HttpResponse:
    response = render(request, template, context, status=status)
    add_never_cache_headers(response)
    return response


def onward(request: HttpRequest, response: R) -> R | HttpResponse:
    """Return, after the sign-in, the form that was carried through it, or else the response."""
    typed = unsealed_form(request.POST.get(KEPT, ""))
    return filled_form(request, typed) if typed else response


def nothing_typed_is_lost(get_response: Answer) -> Answer:
    """Middleware: a post that needs a sign-in gets the sign-in page, which carries what was typed."""
    sign_in = resolve_url(settings.LOGIN_URL)

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        led = response.status_code == 302 and response["Location"].startswith(f"{sign_in}?")
        typed = typed_in(request) if request.method == "POST" and led else None
        if typed is None:
            return response
        kept = sealed_form(typed)
        if len(kept) > MOST:
            return filled_form(request, typed)
        return private(
            request,
            "sign_in.html",
            {"form": SignInForm(request), "kept": kept, "providers": settings.SIGN_ON.values()},
        )

    return respond


def form_too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The answer to a post without the session's token (CSRF). What another site sent is never shown as a form."""
    del reason  # for us, in Django's log
    ours = {f"{request.scheme}://{request.get_host()}", *settings.CSRF_TRUSTED_ORIGINS}
    origin = request.headers.get("Origin")
    sent_any = {settings.CSRF_COOKIE_NAME, settings.SESSION_COOKIE_NAME} & request.COOKIES.keys()
    lacks_cookies = not sent_any and origin in {None, *ours}
    if origin in ours and (typed := typed_in(request)):
        return filled_form(request, typed, 403, lacks_cookies=lacks_cookies)
    return render(request, "403_csrf.html", {"lacks_cookies": lacks_cookies}, status=403)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page of error 400. What was wrong is for our log: it would tell of our insides."""
    del exception
    return page_without_queries(request, 400)


def broken(request: HttpRequest) -> HttpResponse:
    return page_without_queries(request, 500)


def page_without_queries(request: HttpRequest, status: int) -> HttpResponse:
    """A page without a database query, not even for the user: the database may be what is broken."""
    typed = typed_form(request)
    context = {"typed": typed, "csrf_token": get_token(request)} if typed else {}
    return HttpResponse(render_to_string(f"{status}.html", context), status=status)
