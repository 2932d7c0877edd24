"""`boardroom login`: saves a token for a site, created with the password or on the site's page."""

import json
import platform
import sys
from typing import Any

import click

from bots.command import settings
from bots.command.connection import site_option
from bots.command.errors import KitError
from bots.command.options import json_option
from bots.command.output import print_note, print_text, to_stdout
from bots.command.releases import differences
from bots.command.site import Site, site_at
from bots.refusals import SubmitError

NOBODY = "none"  # sent while there is no token yet


@click.command(
    epilog="\b\nExamples:\n  boardroom login --site https://boardroom.example\n"
    "  boardroom login --site https://boardroom.example --user ada\n"
    "  boardroom login --token-stdin < token.txt"
)
@site_option
@click.option("--user", default="", help="Make a token with the password of this account, which is asked for.")
@click.option("--token-stdin", is_flag=True, help="Read the token from stdin instead of asking for it.")
@click.option("--forget", is_flag=True, help="Forget the token of the site; on the site it stays valid.")
@json_option
def command(address: str, user: str, token_stdin: bool, forget: bool, as_json: bool) -> None:
    """Keep a token of a site, for the commands that speak to it.

    The token is made on the site's page /tokens/, or with --user here. The file it is kept in is yours alone.
    """
    site = settings.chosen_site(address)
    kept = settings.read_settings()
    if forget:
        kept.tokens.pop(site, None)
        settings.write_settings(kept)
        tell({"site": site, "name": None}, f"the token of {site} is forgotten", as_json=as_json)
        return
    token = asked_for(site, user, from_stdin=token_stdin)
    name = site_at(site, token).ask("/account")["name"]
    kept.tokens[site], kept.site = token, site
    settings.write_settings(kept)
    for difference in differences(site_at(site, token)):
        print_note(f"warning: {difference}")
    tell(
        {"site": site, "name": name},
        f"you are {name} on {site}; the token is kept in {settings.path()}",
        as_json=as_json,
    )


def tell(document: dict[str, Any], sentence: str, *, as_json: bool) -> None:
    if as_json:
        to_stdout(document)
    else:
        print_text(sentence)


def asked_for(site: str, user: str, *, from_stdin: bool) -> str:
    if from_stdin:
        return plausible(sys.stdin.readline().strip())
    if user:
        return made_with_password(site_at(site, NOBODY), user)
    if not sys.stdin.isatty():
        raise KitError("no_terminal", "there is no terminal to ask for the token in; use --token-stdin")
    return plausible(click.prompt(f"A token of {site}/tokens/", hide_input=True, err=True))


def plausible(token: str) -> str:
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise KitError("bad_token", "that is no token; one begins with brd_ and has no spaces")
    return token


def made_with_password(site: Site, user: str) -> str:
    asked = {"username": user, "password": secret(f"The password of {user}"), "name": f"kit on {platform.node()}"[:40]}
    try:
        return new_token(site, asked)
    except SubmitError as error:
        if error.code != "code_needed":
            raise
    return new_token(site, {**asked, "code": secret("The code of your second factor")})


def secret(what: str) -> str:
    if sys.stdin.isatty():
        return str(click.prompt(what, hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\n")


def new_token(site: Site, asked: dict[str, str]) -> str:
    return str(site.ask("/tokens", json.dumps(asked).encode(), signed=False)["token"])
