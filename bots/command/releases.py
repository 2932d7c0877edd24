"""The version of this kit, and whether a site has the same protocol and rules."""

import json
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request

from bots.command.errors import NO_ANSWER, KitError
from bots.command.site import PATIENCE_S, Site
from bots.command.wheel import PROJECT
from bots.protocol import PROTOCOL
from engine.games import GAMES

IN_CHECKOUT = "0+checkout"
LONGEST = 100_000  # bytes of an answer


def installed_version() -> str:
    """Return the version that is installed."""
    try:
        return version_of(PROJECT)
    except PackageNotFoundError:
        return IN_CHECKOUT


def kit_of(site: Site) -> Mapping[str, Any] | None:
    """Return what the site's own kit is, or None if the site is from before there was one. Raises KitError."""
    request = Request(f"{site.address}/kit/version.json")  # noqa: S310 - `check_address` has
    try:
        with site.opener.open(request, timeout=PATIENCE_S) as answer:
            document = json.loads(answer.read(LONGEST))
    except HTTPError as error:
        if error.code == 404:
            return None
        raise _gone(site, error) from None
    except (OSError, HTTPException) as error:
        raise _gone(site, error) from None
    except ValueError:
        raise KitError("not_boardroom", f"{site.address} does not answer as a Boardroom site does", NO_ANSWER) from None
    return document if isinstance(document, dict) else None


def _gone(site: Site, error: Exception) -> KitError:
    return KitError("no_answer", f"{site.address} does not answer: {error}", NO_ANSWER)


def differences(site: Site, game: str = "") -> Iterator[str]:
    """A sentence with a code for each, which says what to upgrade. `game`: the one that matters; without, all."""
    kit = kit_of(site)
    if kit is None:
        yield f"{site.address} is older than this kit and serves none; what this kit adds may be refused [old_site]"
        return
    yield from _compared_kits(site, kit)
    yield from _compared("the protocol", PROTOCOL, kit.get("protocol"), site, kit)
    rules = kit.get("rules")
    for name in [game] if game else GAMES:
        if isinstance(rules, dict) and name in GAMES:
            yield from _compared(
                f"the rulebook of {GAMES[name].title}", GAMES[name].version, rules.get(name), site, kit
            )


def _compared(what: str, own_version: int, site_version: object, site: Site, kit: Mapping[str, Any]) -> Iterator[str]:
    if site_version == own_version or not isinstance(site_version, int):
        return
    message = f"{what} has version {own_version} here and {site_version} on {site.address}"
    if site_version > own_version:
        yield f"{message}; upgrade this kit: {_install(site, kit)} [old_kit]"
    else:
        yield f"{message}; its operator may upgrade it, or take its own kit: {_install(site, kit)} [old_site]"


def _compared_kits(site: Site, kit: Mapping[str, Any]) -> Iterator[str]:
    """Compare the kits by their version numbers alone: a checkout has none."""
    own_numbers, site_numbers = (_numbers(text) for text in (installed_version(), kit.get("version")))
    if not own_numbers or not site_numbers or own_numbers == site_numbers:
        return
    message = f"this kit is {installed_version()}, and that of {site.address} is {kit['version']}"
    if own_numbers < site_numbers:
        yield f"{message}; upgrade this one for what is new there: {_install(site, kit)} [old_kit]"
    else:
        yield f"{message}; what is new here the site may refuse; its own: {_install(site, kit)} [old_site]"


def _numbers(text: object) -> tuple[int, ...]:
    parts = str(text).split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()


def _install(site: Site, kit: Mapping[str, Any]) -> str:
    return f"pipx install --force {site.address}/kit/{kit.get('wheel', '')}"
