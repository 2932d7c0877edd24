"""Upload a bot from the command line, and wait for its upload check.

    python3 -m bots.submit mybot.py --bot "Analytical Engine" --game zaibatsu --wait
    python3 -m bots.submit mybot.zip --bot "Analytical Engine" --note "bids lower" --site https://boardroom.example

The token, of the site's page /tokens/, is read from the environment variable BOARDROOM_TOKEN. A bot that is not there
yet is created, if --game says what it plays. Exit codes: 0 uploaded, and with --wait passed; 1 its check has failed; 2
refused, or a bad command; 3 the site does not answer.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import IO, Any, NoReturn
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
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
        raise SubmitError(
            "moved", f"{req.full_url} leads to {newurl} ({code}); give --site that address if it is right"
        )


class Told(dict[str, Any]):
    """What a site answers. What this program needs and is not in it, an older site did not yet tell."""

    def __missing__(self, key: str) -> NoReturn:
        raise SubmitError("old_site", f"the site does not tell “{key}”, which this kit needs; {OLD}")


class Site:
    """The API of a Boardroom site."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.token = address.rstrip("/"), token
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
        request = Request(f"{self.address}/api/v1{path}", data, headers, method=method)  # noqa: S310 - `_site` has looked at it
        try:
            with self.opener.open(request, timeout=PATIENCE_S) as answer:
                return json.load(answer, object_hook=Told)
        except HTTPError as error:
            raise SubmitError(*refusal(error)) from None
        except (OSError, HTTPException) as error:
            raise SubmitError("no_answer", f"{self.address} does not answer: {error}", 3) from None
        except ValueError:
            raise SubmitError("not_boardroom", f"{self.address} does not answer as a Boardroom site does", 3) from None


def refusal(error: HTTPError) -> tuple[str, str]:
    """The site's own code and sentence, where it gives them."""
    try:
        answer: Mapping[str, Any] = json.loads(error.read(100_000))
        code, detail = str(answer["code"]), str(answer["detail"])
    except (ValueError, LookupError, TypeError, OSError):
        return "refused", f"the site answers {error.code} {error.reason}, and not as a Boardroom site does"
    return ("old_site", f"the site has no {urlsplit(error.url).path}; {OLD}") if code in NOT_THERE else (code, detail)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return _submit(options)
    except SubmitError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("stopped; what was uploaded is being checked all the same", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    about, *epilog = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        "python3 -m bots.submit",
        description=about,
        epilog="".join(epilog),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a source file, a static executable or a .zip")
    parser.add_argument("--bot", required=True, metavar="NAME", help="whose next version it is")
    parser.add_argument(
        "--game", default="", help="needed to make a new bot, or if bots of several games have the name"
    )
    parser.add_argument("--note", default="", help="what is new in this version; for you, your team and organisers")
    site = os.environ.get("BOARDROOM_SITE", HOME)
    parser.add_argument("--site", default=site, metavar="URL", help="default: BOARDROOM_SITE, or %(default)s")
    parser.add_argument("--wait", action="store_true", help="until its check is over, and show the report")
    return parser


def _submit(options: argparse.Namespace) -> int:
    data = _read(options.file)
    site = _site(options.site)
    bot = bot_of(site, options.bot, options.game)
    check_size(data, options.file.name, bot)
    query = urlencode({"filename": options.file.name, "note": options.note}, quote_via=quote)
    version = site.ask(f"/bots/{bot['id']}/versions?{query}", data, "application/octet-stream")
    print(
        f"{bot['name']} v{version['number']} is uploaded and being checked: {site.address}/bots/{bot['id']}/",
        flush=True,
    )
    return _verdict(site, bot, version) if options.wait else 0


def _read(file: Path) -> bytes:
    """A sound bundle: what the site would refuse is refused before anything is sent."""
    try:
        data = file.read_bytes()
        read_bundle(data, file.name)
    except OSError as error:
        raise SubmitError("unreadable_bot", f"{file} cannot be read: {error.strerror}") from None
    except BundleError as error:
        raise SubmitError(error.code, f"{file}: {error}") from None
    return data


def check_size(data: bytes, filename: str, bot: Mapping[str, Any]) -> None:
    """Refuse what the site says it does not take for this bot; of an older site, the usual. Raises SubmitError."""
    most = bot.get("upload_mb")
    try:
        read_bundle(data, filename, most << 20 if isinstance(most, int) else USUAL_UPLOAD)
    except BundleError as error:
        raise SubmitError(error.code, f"{filename}: {error} by this site for this bot") from None


def _site(address: str) -> Site:
    return site_at(address, os.environ.get("BOARDROOM_TOKEN", "").strip())


def site_at(address: str, token: str) -> Site:
    """Raises SubmitError where either cannot be."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SubmitError("bad_site", f"--site {address} is no address of a site, such as https://boardroom.example")
    if not token.isascii() or not token.isprintable() or not token:
        raise SubmitError("no_token", f"put a token of {address.rstrip('/')}/tokens/ into the variable BOARDROOM_TOKEN")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        print("warning: by http your token can be read on the way; use https where the site has it", file=sys.stderr)
    return Site(address, token)


def bot_of(site: Site, name: str, game: str, tell: Callable[[str], None] = print) -> Mapping[str, Any]:
    """The bot of that name, or a new one."""
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


def _verdict(site: Site, bot: Mapping[str, Any], version: Mapping[str, Any]) -> int:
    path, deadline = f"/bots/{bot['id']}/versions/{version['number']}", time.monotonic() + LONGEST_WAIT_S
    while version["status"] == CHECKING:
        if time.monotonic() > deadline:
            raise SubmitError(
                "still_checking", f"the check has taken {LONGEST_WAIT_S} s and is not over; look later", 3
            )
        time.sleep(PAUSE_S)
        version = site.ask(path)
    name = f"{bot['name']} v{version['number']}"
    if version["status"] != "rejected":
        is_tried = version["status"] == "candidate"
        print(f"{name} has passed its check and {'plays its champion first' if is_tried else 'plays from now on'}.")
        return 0
    print(f"{name} has failed its check:\n{version['report']}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
