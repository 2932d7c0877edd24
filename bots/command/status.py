"""`boardroom status`: the user's bots on a site, with their versions and places."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from bots.command.connection import connected, pages, site_option
from bots.command.options import json_option
from bots.command.output import print_table, print_text, to_stdout
from bots.command.releases import differences
from bots.command.site import Site

MOST_BOTS, MOST_LADDERS = 200, 200
HEADS = ("bot", "game", "version", "state", "ladder", "rank", "Elo", "±", "sets")


@click.command(epilog="\b\nExamples:\n  boardroom status\n  boardroom status --site https://boardroom.example --json")
@site_option
@json_option
def command(address: str, as_json: bool) -> None:
    """Your bots: the newest version of each with its state, and where it stands in every ladder that it is in."""
    site = connected(address)
    name = site.ask("/account")["name"]
    bots = [{**bot, "newest": version_row(site, bot)} for bot in pages(site, "/bots", {"owner": name}, MOST_BOTS)]
    games = {bot["game"] for bot in bots}
    rows = [row for row in ladder_standings(site, games) if row["owner"] == name]
    warnings = list(differences(site))
    if as_json:
        to_stdout({"site": site.address, "name": name, "bots": bots, "standings": rows, "differences": warnings})
        return
    print_text(f"{name} on {site.address}")
    if bots:
        print_table(HEADS, [line for bot in bots for line in bot_rows(bot, rows)])
    else:
        print_text("You have no bot there yet. Next: boardroom submit FILE --bot NAME --game GAME")
    for difference in warnings:
        print_text(f"warning: {difference}")


def version_row(site: Site, bot: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return next(pages(site, f"/bots/{bot['id']}/versions", {}, 1), None)


def ladder_standings(site: Site, games: set[str]) -> Iterator[dict[str, Any]]:
    for ladder in pages(site, "/ladders", {}, MOST_LADDERS):
        if ladder["game"] in games:
            for row in site.ask(f"/ladders/{ladder['slug']}/standings")["standings"]:
                yield {**row, "ladder": ladder["slug"]}


def bot_rows(bot: Mapping[str, Any], rows: list[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    version = bot["newest"]
    head = (bot["name"], bot["game"], version["number"] if version else "-", version["status"] if version else "-")
    own_rows = [row for row in rows if row["bot_id"] == bot["id"]]
    for row in own_rows:
        yield (
            *head,
            row["ladder"],
            row["rank"] or "-",
            rounded_number(row["elo"]),
            rounded_number(row["ci95"]),
            row["sets"],
        )
    if not own_rows:
        yield (*head, "-", "-", "-", "-", "-")


def rounded_number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"
