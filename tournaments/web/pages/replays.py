"""What is made from a replay: frames for the viewer, a page to embed, a preview image, a list of events."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.gzip import gzip_page

from bots.viewer.film_chunks import event_lines, piece
from bots.viewer.perspectives import eyes_of
from engine.games import GAMES
from engine.replay import ReplayError
from tournaments.core.errors import Refused
from tournaments.ledger.viewer.preview_image import HEIGHT, WIDTH, legible, preview_card, standing_line
from tournaments.ledger.viewer.thumbnail import last_board, styles_hash, thumbnail
from tournaments.models import Match
from tournaments.web.pages.link_preview import (
    EMBED_SIZE,
    frame_markup,
    pictured_moment,
    title_of_preview,
    winner_in_words,
)
from tournaments.web.pages.lookup import public_replay_or_404, replay_or_404
from tournaments.web.pages.rate_limits import count_for_rate
from tournaments.web.pages.replay_viewer import chosen_perspective, moment, viewer_of_replay
from tournaments.web.pages.security_headers import policy_header
from tournaments.web.server.request_rates import Rate, asker_address

FILMS = Rate("films", 600, 60)  # of an address: pieces, pictures and embedded pages
NOBODY = AnonymousUser()
EMBEDDED = policy_header({**settings.SECURE_CSP, "frame-ancestors": ["*"], "form-action": ["'none'"]})
DRAWING = policy_header({"default-src": ["'none'"], "style-src": [styles_hash()], "frame-ancestors": ["'none'"]})
WEEK = 7 * 24 * 3600  # seconds
Page = Callable[..., HttpResponse]


def of_films(page: Page) -> Page:
    """Rate-limited, since each request plays the match again; a replay that cannot be played is a refusal in JSON."""

    @wraps(page)
    def answer(request: HttpRequest, **which: Any) -> HttpResponse:
        try:
            count_for_rate(FILMS, asker_address(request))
            return page(request, **which)
        except Refused as refused:
            return JsonResponse({"code": refused.code, "detail": refused.detail}, status=429)
        except ReplayError as error:
            return JsonResponse({"code": error.code, "detail": error.detail}, status=409)

    return answer


def reach(match: Match) -> str:
    """Return who may keep what is drawn of it, for a header: whether a space is public may change."""
    return "private" if match.set.space_id else "public"


@gzip_page
@of_films
def replay_film(request: HttpRequest, number: int) -> HttpResponse:
    """Frames from the moment `from` on, as the perspective `as` sees them."""
    _, replay = replay_or_404(request.user, number)
    eyes = chosen_perspective(eyes_of(replay), request.GET.dict())
    found = piece(replay, eyes.perspective, moment(request.GET.get("from", "")))
    return JsonResponse(found, headers={"Cache-Control": "private, max-age=600"})


@of_films
def replay_events(request: HttpRequest, number: int) -> HttpResponse:
    """JSON Lines: an event a line."""
    match, replay = replay_or_404(request.user, number)
    eyes = chosen_perspective(eyes_of(replay), request.GET.dict())
    lines = "".join(event_lines(replay, eyes.perspective))
    name = f'attachment; filename="{match.set.game}-match-{number}.jsonl"'
    return HttpResponse(lines, content_type="application/jsonl", headers={"Content-Disposition": name})


@of_films
def replay_picture(request: HttpRequest, number: int) -> HttpResponse:
    """The moment as a PNG, the decisive one if the address names none, for the previews that other sites make of a
    link; with public knowledge only."""
    match, replay = public_replay_or_404(NOBODY, number)
    replay = legible(replay)
    viewer, sentence = pictured_moment(number, replay, request.GET.dict())
    seen = viewer.film.seen
    standing = [standing_line(seat, seen.names[seat], worth) for seat, worth in enumerate(seen.worth)]
    title = f"{winner_in_words(replay)} {GAMES[replay.game].title}, match {number}"
    drawn = preview_card(seen.picture, title, standing, sentence)
    return HttpResponse(drawn, content_type="image/png", headers={"Cache-Control": f"{reach(match)}, max-age=86400"})


@gzip_page
@of_films
def small_picture(request: HttpRequest, number: int) -> HttpResponse:
    """The end of a match for lists, with public knowledge only. What is public once stays so, and never changes."""
    match, replay = public_replay_or_404(request.user, number)
    headers = {"Cache-Control": f"{reach(match)}, max-age={WEEK}", "Content-Security-Policy": DRAWING}
    return HttpResponse(thumbnail(last_board(replay)), content_type="image/svg+xml", headers=headers)


@xframe_options_exempt
@of_films
def embed(request: HttpRequest, number: int) -> HttpResponse:
    """The viewer alone, for pages of others: no cookie, no form, and for everybody what a stranger sees."""
    match, replay = public_replay_or_404(NOBODY, number)
    context = {"match": match, "viewer": viewer_of_replay(number, replay, request.GET.dict())}
    response = render(request, "embed.html", context)
    response["Content-Security-Policy"] = EMBEDDED
    return response


def oembed(request: HttpRequest) -> HttpResponse:
    """The oEmbed description of a match's page (oembed.com)."""
    if request.GET.get("format", "json") != "json":
        return JsonResponse({"code": "not_json", "detail": "The format is json."}, status=501)
    number, query = page_at(request.GET.get("url", ""))
    match, replay = public_replay_or_404(NOBODY, number)
    width, height = (
        smaller(request.GET.get(f"max{side}", ""), size)
        for side, size in zip(("width", "height"), EMBED_SIZE, strict=True)
    )
    title = title_of_preview(match, replay)
    where = f"{settings.SITE_URL}{reverse('embed', args=[number])}?{urlencode(query)}"
    frame = frame_markup(where, width, height, title)
    answer: dict[str, Any] = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Boardroom",
        "provider_url": settings.SITE_URL,
        "title": title,
        "html": frame,
        "width": width,
        "height": height,
        "thumbnail_url": f"{settings.SITE_URL}{reverse('card', args=[number])}?{urlencode(query)}",
        "thumbnail_width": WIDTH,
        "thumbnail_height": HEIGHT,
    }
    return JsonResponse(answer)


def page_at(address: str) -> tuple[int, dict[str, str]]:
    """The match, and the moment and perspective, that an address of ours names."""
    try:
        parts = urlsplit(address)
        found = resolve(parts.path)
    except (ValueError, Resolver404):
        raise Http404("There is nothing to embed at this address.") from None
    if f"{parts.scheme}://{parts.netloc}" != settings.SITE_URL or found.url_name != "match":
        raise Http404("There is nothing to embed at this address: it is not the page of a match here.")
    query = parse_qs(parts.query)
    return found.kwargs["number"], {key: query[key][0] for key in ("at", "as") if key in query}


def smaller(text: str, size: int) -> int:
    return min(size, int(text)) if text.isascii() and text.isdigit() and len(text) < 6 else size
