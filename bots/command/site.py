"""The API of a site, as the command asks it."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPException
from typing import IO, Any, NoReturn
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from bots.archive import BundleError
from bots.bundle import USUAL_UPLOAD, read_bundle
from bots.loopback import Proxies, is_loopback
from bots.refusals import SubmitError

HOME = "http://127.0.0.1:8000"
PATIENCE_S = 30  # for one answer
PAUSE_S = 2.0  # between two looks at the check
LONGEST_WAIT_S = 900
CHECKING = "checking"
OLD = "it is older than the kit: its operator may upgrade it, or take its own kit from its page /kit/"
NOT_THERE = ("unknown_address", "method_not_allowed")  # a site's codes for what it has not at all


class NoRedirects(HTTPRedirectHandler):
    """The token is for the named site, and not for another that it redirects to."""

    def redirect_request(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str) -> NoReturn:
        del fp, msg, headers
        raise SubmitError("moved", f"{req.full_url} leads to {newurl} ({code}); name that site if it is right")


class Answer(dict[str, Any]):
    """What a site answers. What this program needs and is not in it, an older site did not yet tell."""

    def __missing__(self, key: str) -> NoReturn:
        raise SubmitError("old_site", f"the site does not tell “{key}”, which this kit needs; {OLD}")


class Site:
    """The API of a Boardroom site."""

    def __init__(self, address: str, token: str, source: str = "") -> None:
        """Keep address and token; `source` is where the token was found."""
        self.address, self.token, self.source = address.rstrip("/"), token, source
        self.opener = build_opener(Proxies, NoRedirects)

    def ask(
        self,
        path: str,
        data: bytes | None = None,
        kind: str = "application/json",
        *,
        signed: bool = True,
        method: str | None = None,
    ) -> Any:
        """Return what the site answers to a GET, or to a POST of `data`, or to another method. Raises SubmitError."""
        headers = {"Content-Type": kind, "Accept": "application/json"}
        headers |= {"Authorization": f"Token {self.token}"} if signed else {}
        request = Request(f"{self.address}/api/v1{path}", data, headers, method=method)  # noqa: S310 - `check_address` has
        try:
            with self.opener.open(request, timeout=PATIENCE_S) as answer:
                return json.load(answer, object_hook=Answer)
        except HTTPError as error:
            code, sentence = refusal_of_site(error)
            named = f"{self.source}: " if self.source and error.code == HTTPStatus.UNAUTHORIZED else ""
            raise SubmitError(code, named + sentence) from None
        except (OSError, HTTPException) as error:
            raise SubmitError("no_answer", f"{self.address} does not answer: {error}", 3) from None
        except ValueError:
            raise SubmitError("not_boardroom", f"{self.address} does not answer as a Boardroom site does", 3) from None


def refusal_of_site(error: HTTPError) -> tuple[str, str]:
    """The site's own code and sentence, where it gives them."""
    try:
        answer: Mapping[str, Any] = json.loads(error.read(100_000))
        code, detail = str(answer["code"]), str(answer["detail"])
    except (ValueError, LookupError, TypeError, OSError):
        return "refused", f"the site answers {error.code} {error.reason}, and not as a Boardroom site does"
    return ("old_site", f"the site has no {urlsplit(error.url).path}; {OLD}") if code in NOT_THERE else (code, detail)


def check_size(data: bytes, filename: str, bot: Mapping[str, Any]) -> None:
    """Refuse what the site says it does not take for this bot; of an older site, the usual. Raises SubmitError."""
    most = bot.get("upload_mb")
    try:
        read_bundle(data, filename, most << 20 if isinstance(most, int) else USUAL_UPLOAD)
    except BundleError as error:
        raise SubmitError(error.code, f"{filename}: {error} by this site for this bot") from None


def check_address(source: str, address: str) -> None:
    """Raises SubmitError if this is no address of a site; `source` is where it was named."""
    with suppress(ValueError):  # of an address with half of a bracket
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.hostname:
            return
    raise SubmitError("bad_site", f"{source}: {address} is no address of a site, such as https://boardroom.example")


def site_at(address: str, token: str, source: str = "") -> Site:
    """Return the site at an address, which has been checked."""
    parts = urlsplit(address)
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        print("warning: by http your token can be read on the way; use https where the site has it", file=sys.stderr)
    return Site(address, token, source)


def bot_of(site: Site, name: str, game: str, tell: Callable[[str], None]) -> Mapping[str, Any]:
    """Return the bot of that name, made if there is none and `game` says what it plays."""
    query = urlencode({"name": name, **({"game": game} if game else {})})
    bots: Sequence[Mapping[str, Any]] = site.ask(f"/bots?{query}")["results"]
    if len(bots) > 1:
        games = ", ".join(str(bot["game"]) for bot in bots)
        raise SubmitError("which_game", f"bots of several games are called {name} ({games}); say which by --game")
    if bots:
        return bots[0]
    if not game:
        raise SubmitError("unknown_bot", f"there is no bot called {name}; to make it, say by --game what it plays")
    made: Mapping[str, Any] = site.ask("/bots", json.dumps({"game": game, "name": name}).encode())
    tell(f"{made['name']} is made.")
    return made
