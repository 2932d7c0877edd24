"""The site that a command speaks to: which one, by which token, and what is done when the network fails."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import click

from bots.command import settings
from bots.command.errors import KitError
from bots.command.output import print_note
from bots.command.site import Site, site_at
from bots.refusals import SubmitError

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
TRIES, PAUSE_S = 4, 2.0
A_PAGE = 100


def site_option(function: F) -> F:
    about = "Default: BOARDROOM_SITE, or where you logged in last."
    return click.option("--site", "address", default="", metavar="URL", help=about)(function)


def connected(address: str) -> Site:
    """Raises KitError and SubmitError."""
    site = settings.chosen_site(address)
    return site_at(site, *settings.token_for(site))


def insistently(ask: Callable[[], T]) -> T:
    """Return what the site answers, also when the network is away for a moment. Only for what may be sent twice."""
    for number in range(1, TRIES):
        try:
            return ask()
        except SubmitError as error:
            if error.code != "no_answer":
                raise
            print_note(f"{error.sentence}; trying again in {PAUSE_S * number:.0f} s")
            time.sleep(PAUSE_S * number)
    return ask()


def pages(site: Site, path: str, query: Mapping[str, object], most: int) -> Iterator[Mapping[str, Any]]:
    """Return the newest entries of a list, at most `most`."""
    before: int | None = None
    while most > 0:
        size = min(most, A_PAGE)
        more = {**query, "page_size": size, **({"before": before} if before else {})}
        rows = site.ask(f"{path}?{urlencode(more, quote_via=quote)}")["results"]
        yield from rows
        if len(rows) < size:
            return
        most, before = most - len(rows), rows[-1]["id"]


def own_bot(site: Site, name: str, game: str = "") -> Mapping[str, Any]:
    query = urlencode({"name": name, **({"game": game} if game else {})}, quote_via=quote)
    rows = site.ask(f"/bots?{query}")["results"]
    if not rows:
        raise KitError("unknown_bot", f"there is no bot called {name} on {site.address}")
    if len(rows) > 1:
        games = ", ".join(str(bot["game"]) for bot in rows)
        raise KitError("which_game", f"bots of several games are called {name} ({games}); say which by --game")
    bot: Mapping[str, Any] = rows[0]
    return bot
