"""The language of a page: the reader's, chosen by the front from the same headers (`server.languages`).

Only pages and their parts are translated. Everything else is English: what programs read, what is stored, and the
output of background processes: files, feeds, the API, the admin, mails but for the letter of the week, and everything
in the database.
"""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt

from bots.viewer.language import told_in
from tournaments.core.config.match_languages import match_language
from tournaments.web.server.languages import COOKIE, ENGLISH, LANGUAGES, language_of_request

Answer = Callable[[HttpRequest], HttpResponse]
NOT_PAGES = re.compile(r"/(api|admin|feeds|oembed|static)/|.*[^/]$")  # files and streams have no slash at their end
LASTS = 365 * 86_400  # seconds


def answer_in_page_language(get_response: Answer) -> Answer:
    """Middleware: pages in the language of whoever asks."""

    def respond(request: HttpRequest) -> HttpResponse:
        if NOT_PAGES.match(request.path):
            return get_response(request)
        language = language_asked(request)
        response = answer_in_language(get_response, request, language)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Cookie", "Accept-Language"))
        return response

    return respond


def language_asked(request: HttpRequest) -> str:
    said = (request.META.get(name, "").encode("latin-1", "replace") for name in ("HTTP_COOKIE", "HTTP_ACCEPT_LANGUAGE"))
    return language_of_request(*said).decode()


def answer_in_language(get_response: Answer, request: HttpRequest, language: str) -> HttpResponse:
    if language.encode() == ENGLISH:
        return get_response(request)
    with translation.override(language, deactivate=True), told_in(match_language(language)):
        return get_response(request)


@csrf_exempt  # the form stands on pages that are kept for all, with nobody's token; elsewhere's would change no more
def choose_language(request: HttpRequest) -> HttpResponse:
    """A cookie keeps the choice, and leads back to where it was made."""
    response = HttpResponseRedirect(way_back(request))
    chosen = request.POST.get("language", "")
    if chosen in (language.decode() for language in LANGUAGES):
        name = f"{settings.PREFIX}{COOKIE}"
        response.set_cookie(name, chosen, max_age=LASTS, httponly=True, secure=settings.HTTPS, samesite="Lax")
    return response


def way_back(request: HttpRequest) -> str:
    wanted = request.POST.get("back", "")
    here = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
    return wanted if here else reverse("home")
