"""`boardroom submit`: upload a bot, wait for its check, and enter it in a ladder."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote, urlencode

import click

from bots.bundle import read_bundle
from bots.command.connection import connected, insistently, pages, site_option
from bots.command.errors import FAILED, NO_ANSWER, KitError
from bots.command.options import json_option
from bots.command.output import print_note, print_text, progress, to_stdout
from bots.command.releases import differences
from bots.command.site import CHECKING, LONGEST_WAIT_S, PAUSE_S, Site, bot_of, check_size
from bots.contest import beginning_of, packed_folder
from bots.refusals import SubmitError

AT_THE_GATE = "first plays the version that plays now; boardroom gate tells how that goes"


@click.command(
    epilog='\b\nExamples:\n  boardroom submit mybot.py --bot "My bot" --game zaibatsu --ladder zaibatsu\n'
    '  boardroom submit mybot/ --bot "My bot" --note "bids lower"\n'
    '  boardroom submit mybot.zip --bot "My bot" --no-wait --json'
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--bot", "name", required=True, metavar="NAME", help="Whose next version it is.")
@click.option("--game", default="", help="Needed to make a new bot, or if bots of several games have the name.")
@click.option("--note", "text", default="", help="What is new in this version; for you, your team and organisers.")
@click.option("--ladder", "ladders", multiple=True, metavar="SLUG", help="Enter it there once it has passed.")
@click.option("--wait/--no-wait", default=True, help="For the end of its check.  [default: wait]")
@site_option
@json_option
def command(
    file: Path,
    name: str,
    game: str,
    text: str,
    ladders: Sequence[str],
    wait: bool,
    address: str,
    as_json: bool,
) -> int:
    """Upload FILE, a source file, a .zip, a static executable or a folder, as the next version of a bot.

    Exit codes: 0 it passed its check, or was uploaded with --no-wait; 1 the check failed; 2 refused; 3 no answer.
    """
    if ladders and not wait:
        raise KitError(
            "bad_command", "--ladder waits for the check, for only then a bot may enter; leave out --no-wait"
        )
    data, filename = packed_bundle(file)
    site = connected(address)
    for ladder in ladders:
        check_fits(data, ladder, insistently(lambda: site.ask(f"/ladders/{quote(ladder)}")))  # noqa: B023  it is asked now
    bot = insistently(lambda: bot_of(site, name, game, print_note))
    check_size(data, filename, bot)
    for difference in differences(site, str(bot["game"])):
        print_note(f"warning: {difference}")
    version = uploaded(site, bot, data, filename, text, is_to_enter=bool(ladders))
    page = f"{site.address}/bots/{bot['id']}/"
    print_note(f"{bot['name']} v{version['number']} is uploaded: {page}")
    version = checked_version(site, bot, version) if wait else version
    passed = version["status"] != "rejected"
    entries = [enter_ladder(site, bot, ladder) for ladder in ladders] if passed else []
    if as_json:
        to_stdout({"bot": bot, "version": version, "page": page, "entries": entries})
    else:
        tell(bot, version, entries)
    return 0 if passed else FAILED


def packed_bundle(file: Path) -> tuple[bytes, str]:
    """Return what is sent, and under which name: what the site would refuse is refused before. Raises BundleError."""
    name = f"{file.resolve().name}.zip" if file.is_dir() else file.name
    data = packed_folder(file) if file.is_dir() else beginning_of(file)
    read_bundle(data, name)
    return data, name


def check_fits(data: bytes, ladder: str, limits: Mapping[str, Any]) -> None:
    """Refuse, before anything is sent, what a ladder would refuse after the check. An older site does not say it."""
    most = limits.get("upload_mb")
    if isinstance(most, int) and len(data) > most << 20:
        raise KitError("too_large", f"the upload has {len(data):,} bytes; {ladder} takes {most << 20:,} at most")


def uploaded(
    site: Site, bot: Mapping[str, Any], data: bytes, filename: str, text: str, *, is_to_enter: bool
) -> Mapping[str, Any]:
    """Return the new version, sent again when the network is lost, unless it arrived and only the answer did not.

    What plays already and `is_to_enter` is not refused: the same command goes on after Ctrl-C.
    """
    before, tries = number_of(insistently(lambda: latest_version(site, bot))), count()

    def once() -> Mapping[str, Any]:
        arrived = latest_version(site, bot) if next(tries) else {}
        if number_of(arrived) > before and arrived["bundle"] == sha256(data).hexdigest():
            return arrived
        return sent(site, bot, data, filename, text)

    try:
        return insistently(once)
    except SubmitError as error:
        active = latest_version(site, bot) if is_to_enter and error.code == "already_active" else {}
        if active.get("bundle") != sha256(data).hexdigest():
            raise
        return active


def latest_version(site: Site, bot: Mapping[str, Any]) -> Mapping[str, Any]:
    """The latest version; empty if there is none."""
    return next(pages(site, f"/bots/{bot['id']}/versions", {}, 1), {})


def number_of(version: Mapping[str, Any]) -> int:
    return int(version.get("number", 0))


def sent(site: Site, bot: Mapping[str, Any], data: bytes, filename: str, text: str) -> Mapping[str, Any]:
    """Send the version. The same bytes sent again, while they are being checked, are the same version."""
    query = urlencode({"filename": filename, "note": text}, quote_via=quote)
    version: Mapping[str, Any] = site.ask(f"/bots/{bot['id']}/versions?{query}", data, "application/octet-stream")
    return version


def checked_version(site: Site, bot: Mapping[str, Any], version: Mapping[str, Any]) -> Mapping[str, Any]:
    path, deadline = f"/bots/{bot['id']}/versions/{version['number']}", monotonic() + LONGEST_WAIT_S
    is_noted = False
    with progress("its check", None) as advance:
        while version["status"] == CHECKING:
            if monotonic() > deadline:
                late = f"the check has taken {LONGEST_WAIT_S} s and is not over; look later: boardroom status"
                raise KitError("still_checking", late, NO_ANSWER)
            if not is_noted and version.get("waits_for"):  # an older site does not say it
                print_note(
                    f"it waits: no worker online can run {version['waits_for']}; it is checked as soon as one can"
                )
                is_noted = True
            sleep(PAUSE_S)
            advance()
            version = insistently(lambda: site.ask(path))
    return version


def enter_ladder(site: Site, bot: Mapping[str, Any], ladder: str) -> Mapping[str, Any]:
    try:
        made: Mapping[str, Any] = site.ask(f"/ladders/{quote(ladder)}/entries", json.dumps({"bot": bot["id"]}).encode())
    except SubmitError as error:
        if error.code != "already_entered":
            raise
        return {"ladder": ladder, "status": "playing"}
    return made


def tell(bot: Mapping[str, Any], version: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> None:
    name = f"{bot['name']} v{version['number']}"
    if version["status"] == "rejected":
        print_text(f"{name} has failed its check:\n{version['report']}")
    elif version["status"] == CHECKING:
        print_text(f"{name} is being checked; look later: boardroom status")
    else:
        then = AT_THE_GATE if version["status"] == "candidate" else "plays from now on"
        print_text(f"{name} has passed its check and {then}.")
        if version.get("report"):
            print_note(f"warning: {version['report']}")
    for entry in entries:
        print_text(f"It is in the ladder {entry['ladder']}.")
