"""The competitor's kit: one wheel with this site's games and rules, made when first requested.

`pip` finds it by its address, by `--find-links` (the page itself) and as an index (`/kit/boardroom-kit/`, PEP 503).
"""

from functools import cache, partial

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from bots.command.wheel import PROJECT, Wheel, wheel
from bots.protocol import PROTOCOL
from bots.schemas import Schema, schemas
from engine.games import GAMES
from tournaments.web.pages.sentences import say

PYTHON = ">=3.11"
made = partial(wheel, settings.ROOT)


def tag_of(found: Wheel) -> str:
    return f'"{found.sha256}"'


def wheel_url(found: Wheel) -> str:
    return reverse("kit-wheel", args=[found.name])


def kit_page(request: HttpRequest) -> HttpResponse:
    found = made()
    context = {"wheel": found, "where": wheel_url(found), "games": GAMES.values(), **kit_context(request, found)}
    return render(request, "kit.html", context)


def kit_context(request: HttpRequest, found: Wheel) -> dict[str, object]:
    """Return what is typed: whole addresses, as the site is called from here, and the Python that is needed."""
    return {
        "python": PYTHON,
        "whole": request.build_absolute_uri(wheel_url(found)),
        "site": request.build_absolute_uri("/"),
    }


def kit_index(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - every view is given it
    """The one project that there is, for `--index-url`."""
    found = made()
    link = f'<a href="{wheel_url(found)}#sha256={found.sha256}" data-requires-python="&gt;=3.11">{found.name}</a>'
    head = f'<meta name="pypi:repository-version" content="1.0"><title>{PROJECT}</title>'
    return HttpResponse(f"<!DOCTYPE html><html lang=en><head>{head}</head><body>{link}</body></html>")


def kit_version(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - every view is given it
    """Return as JSON what the present kit is, by which an older or newer kit knows that it is one."""
    found = made()
    return JsonResponse(
        {
            "name": PROJECT,
            "version": found.version,
            "wheel": found.name,
            "sha256": found.sha256,
            "size": len(found.content),
            "requires_python": PYTHON,
            "protocol": PROTOCOL,
            "rules": {name: game.version for name, game in GAMES.items()},
        },
        headers={"ETag": tag_of(found)},
    )


def download_wheel(request: HttpRequest, name: str) -> HttpResponse:  # noqa: ARG001 - every view is given it
    found = made()
    if name != found.name:
        raise Http404(say("There is no kit “%(name)s”; this site's is %(name2)s.", name=name, name2=found.name))
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"', "ETag": tag_of(found)}
    return HttpResponse(found.content, content_type="application/zip", headers=headers)


@cache
def schemas_of(name: str) -> dict[str, Schema]:
    return schemas(GAMES[name])


def game_schemas(request: HttpRequest, game: str) -> HttpResponse:  # noqa: ARG001 - every view is given it
    """Return all JSON Schemas of a game, by name. Raises Http404."""
    if game not in GAMES:
        raise Http404(say("There is no game “%(game)s”.", game=game))
    return JsonResponse({"game": game, "rules": GAMES[game].version, "schemas": schemas_of(game)})


def schema(request: HttpRequest, game: str, name: str) -> HttpResponse:  # noqa: ARG001 - every view is given it
    """One of them, by itself."""
    if game not in GAMES or name not in schemas_of(game):
        raise Http404(say("There is no JSON Schema “%(name)s” of a game “%(game)s”.", name=name, game=game))
    return JsonResponse(schemas_of(game)[name], content_type="application/schema+json")
