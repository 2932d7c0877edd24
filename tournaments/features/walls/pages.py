"""The pages of walls. They work by links and by reloading themselves; a script (wall.js) does it without reloading."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from tournaments.features.walls import views
from tournaments.features.walls.views import BOARDS, Wall
from tournaments.web.pages.kept_parts import Context, KeptParts, last_act
from tournaments.web.pages.lookup import event_or_404, ladder_or_404
from tournaments.web.pages.query_values import whole

Options = dict[str, str]


def live_wall(request: HttpRequest) -> HttpResponse:
    return wall_page(request, ("site",), views.wall_of_site)


def ladder_wall(request: HttpRequest, slug: str) -> HttpResponse:
    ladder = ladder_or_404(slug, request.user)
    return wall_page(request, (ladder.pk, ladder.status), lambda boards: views.wall_of_ladder(ladder, boards))


def event_wall(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(slug, request.user)
    return wall_page(
        request, (event.pk, event.status, event.released), lambda boards: views.wall_of_event(event, boards)
    )


def wall_page(request: HttpRequest, key: tuple[object, ...], make: Callable[[int], Wall]) -> HttpResponse:
    """`?view=`: which one, from 1; `?boards=`: how many at once; `?overlay=1`: for a stream; `?hold=1`: it stays."""
    options = wall_options(request.GET)
    parts = KeptParts(
        (*key, last_act()), lambda: wall_context(make(int(options.get("boards", 1))), request.GET, options)
    )
    return render(request, "walls/wall.html", {"parts": parts, "overlay": "overlay" in options})


def wall_options(query: QueryDict) -> Options:
    """Return what all addresses of a wall that is shown so have in common."""
    options = {name: "1" for name in ("overlay", "hold") if query.get(name, "0") != "0"}
    boards = whole(query.get("boards")) or 0
    return {**options, "boards": str(min(boards, BOARDS))} if boards else options


def wall_context(wall: Wall, query: QueryDict, options: Options) -> Context:
    """Return the view that was asked for, or the next one that has something to show, and the ways to others."""
    count, start = len(wall.views), (whole(query.get("view")) or 1) - 1
    step = -1 if "back" in query else 1
    numbers = [(start + step * further) % count for further in range(count)]
    seen = ((number, wall.views[number], wall.views[number].content()) for number in numbers)
    number, view, shown = next((row for row in seen if row[2]), (numbers[0], wall.views[numbers[0]], None))
    return {
        "wall": wall,
        "view": view,
        "shown": shown,
        "overlay": "overlay" in options,
        "held": "hold" in options,
        **ways(number, count, options),
    }


def ways(number: int, count: int, options: Options) -> Context:
    """Return the addresses of the views after and before one, and of the same one that stays, or goes on."""
    without_hold = {name: value for name, value in options.items() if name != "hold"}
    held = without_hold if "hold" in options else {**options, "hold": "1"}
    return {
        "onward": query_address({**options, "view": str(1 + (number + 1) % count)}) if count > 1 else "",
        "backward": query_address({**options, "view": str(1 + (number - 1) % count), "back": "1"}) if count > 1 else "",
        "hold_address": query_address({**held, "view": str(1 + number)}),
    }


def query_address(options: Options) -> str:
    return f"?{urlencode(options)}"
