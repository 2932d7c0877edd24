"""`boardroom replays`: the latest matches of a bot, a ladder or an event, as files."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from bots.command.connection import connected, insistently, own_bot, pages, site_option
from bots.command.errors import FAILED, KitError
from bots.command.options import json_option
from bots.command.output import print_note, print_text, progress, to_stdout
from bots.command.releases import differences
from bots.command.site import Site
from bots.refusals import SubmitError

NOT_YET = ("set_still_open", "not_played", "forgotten")  # of one match; the others have replays


@click.command(
    epilog='\b\nExamples:\n  boardroom replays --bot "My bot" --last 20 --to replays/\n'
    "  boardroom replays --ladder zaibatsu --last 5\n  boardroom replays --match 42"
)
@click.option("--bot", default="", metavar="NAME", help="Of this bot.")
@click.option("--game", default="", help="If bots of several games have the name.")
@click.option("--ladder", default="", metavar="SLUG", help="Of this ladder.")
@click.option("--event", default="", metavar="SLUG", help="Of this event.")
@click.option("--match", "numbers", type=click.IntRange(1), multiple=True, help="This one; repeatable.")
@click.option("--last", type=click.IntRange(1, 1000), default=10, show_default=True, help="So many, the newest.")
@click.option("--to", "folder", type=click.Path(path_type=Path), default=Path(), help="The folder; made if need be.")
@site_option
@json_option
def command(
    bot: str,
    game: str,
    ladder: str,
    event: str,
    numbers: tuple[int, ...],
    last: int,
    folder: Path,
    address: str,
    as_json: bool,
) -> int:
    """Download replays. Those that are there already are not fetched again, so a command that was stopped goes on."""
    if folder.exists() and not folder.is_dir():
        raise KitError("is_file", f"--to: {folder} is a file; name a folder")
    if not (bot or ladder or event or numbers):
        raise KitError("whose", "say whose replays: --bot, --ladder, --event or --match")
    site = connected(address)
    query = {"ladder": ladder, "event": event, "bot": own_bot(site, bot, game)["id"] if bot else ""}
    matches = list(numbers) or [
        match["id"]
        for match in pages(site, "/matches", {"status": "done", **{k: v for k, v in query.items() if v}}, last)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    downloads = list(fetched(site, matches, folder))
    for game in sorted({download["game"] for download in downloads} - {""}):
        for difference in differences(site, game):
            print_note(f"warning: {difference}")
    if as_json:
        to_stdout(downloads)
    else:
        print_text(download_summary(downloads, folder))
    return FAILED if downloads and all(download["error"] for download in downloads) else 0


def download_summary(downloads: list[Mapping[str, Any]], folder: Path) -> str:
    if not downloads:
        return "No match of it is over yet, so there is no replay."
    return (
        f"{sum(not download['error'] for download in downloads)} of {len(downloads)} replays are in {folder.resolve()}"
    )


def fetched(site: Site, matches: list[int], folder: Path) -> Iterator[Mapping[str, Any]]:
    with progress("replays", len(matches)) as advance:
        for match in matches:
            yield fetch(site, match, folder / f"match-{match}.json")
            advance()


def fetch(site: Site, match: int, file: Path) -> Mapping[str, Any]:
    if file.exists():
        return {"match": match, "file": str(file), "game": "", "fetched": False, "error": ""}
    try:
        replay = insistently(lambda: site.ask(f"/matches/{match}/replay"))
    except SubmitError as error:
        if error.code not in NOT_YET:
            raise
        print_note(f"match {match}: {error}")
        return {"match": match, "file": "", "game": "", "fetched": False, "error": error.code}
    part = file.with_suffix(".part")
    part.write_text(json.dumps(replay), encoding="utf-8")
    part.replace(file)
    return {"match": match, "file": str(file), "game": replay["game"], "fetched": True, "error": ""}
