"""`boardroom logs`: what went wrong in a bot's latest matches, with the evidence and its notes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

import click

from bots.command.connection import connected, insistently, own_bot, pages, site_option
from bots.command.note_file import note_line
from bots.command.options import json_option
from bots.command.output import print_text, progress, to_stdout
from bots.command.site import Site
from bots.refusals import SubmitError

SHOWN = 600  # characters of what was asked


@click.command(
    epilog='\b\nExamples:\n  boardroom logs --bot "My bot"\n  boardroom logs --bot "My bot" --last 200 --all --json\n'
    '  boardroom logs --bot "My bot" --game kaiju\n  boardroom logs --bot "My bot" --search "worth 14" --tag bid'
)
@click.option("--bot", "name", required=True, metavar="NAME", help="One of yours.")
@click.option("--game", default="", help="If bots of several games have the name.")
@click.option("--last", type=click.IntRange(1, 1000), default=50, show_default=True, help="Matches to look through.")
@click.option("--all", "is_all", is_flag=True, help="Also matches without a fault, for what the bot wrote.")
@click.option("--notes", "with_notes", is_flag=True, help="Also what it wrote at each question, of all matches.")
@click.option("--search", "words", default="", metavar="WORDS", help="Only notes in which these words stand.")
@click.option("--tag", default="", help="Only notes with this tag.")
@site_option
@json_option
def command(
    name: str,
    game: str,
    last: int,
    is_all: bool,
    with_notes: bool,
    words: str,
    tag: str,
    address: str,
    as_json: bool,
) -> None:
    """The faults of your bot in its latest matches: what it was asked, what it gave, and the end of its stderr.

    With --notes, --search or --tag its notes: what it wrote on stderr, by the answer that it was asked for. All this
    shows when the whole set of a match is over.
    """
    site = connected(address)
    bot = own_bot(site, name, game)
    if with_notes or words or tag:
        tell_notes(site, list(notes_of_matches(site, bot, last, {"words": words, "tag": tag})), name, as_json=as_json)
        return
    matches = list(pages(site, "/matches", {"bot": bot["id"], "status": "done"}, last))
    records = list(evidence(site, bot, matches, is_all=is_all))
    if as_json:
        to_stdout(records)
        return
    for record in records:
        tell(site, record)
    if not matches:
        print_text(f"{bot['name']} has no match yet that is over")
    elif not records:
        print_text(f"{bot['name']} had no fault in its last {len(matches)} matches")


def evidence(
    site: Site, bot: Mapping[str, Any], matches: Sequence[Mapping[str, Any]], *, is_all: bool
) -> Iterator[dict[str, Any]]:
    with progress("matches", len(matches)) as advance:
        for match in matches:
            advance()
            seats = [seat["seat"] for seat in match["seats"] if seat["bot_id"] == bot["id"]]
            if is_all or any(match["seats"][seat]["verdict"] != "ok" for seat in seats):
                yield from seats_of(site, match["id"], bot)


def seats_of(site: Site, match: int, bot: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for seat in insistently(lambda: site.ask(f"/matches/{match}"))["seats"]:
        if seat["bot_id"] == bot["id"]:
            yield {"match": match, **seat}


def tell(site: Site, seat: Mapping[str, Any]) -> None:
    print_text(
        f"match {seat['match']}, seat {seat['seat']}: {seat['verdict']} ({site.address}/matches/{seat['match']}/)"
    )
    for fault in seat["faults"] or ():
        print_text(f"  answer {fault['answer']}: {fault['verdict']}: {fault['detail']}")
        if fault["asked"]:
            print_text(f"    asked {str(fault['asked'])[:SHOWN]}\n    given {fault['given']}")
    if seat["stderr"]:
        print_text("  the end of its stderr:\n" + "\n".join(f"    {line}" for line in seat["stderr"].splitlines()))


def notes_of_matches(
    site: Site, bot: Mapping[str, Any], last: int, filters: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """The notes of one match after the other."""
    matches = list(pages(site, "/matches", {"bot": bot["id"], "status": "done"}, last))
    asked = urlencode({name: value for name, value in filters.items() if value})
    with progress("matches", len(matches)) as advance:
        for match in matches:
            advance()
            yield from notes_in(site, match["id"], asked, bot)


def notes_in(site: Site, match: int, asked: str, bot: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    try:
        answer = insistently(lambda: site.ask(f"/matches/{match}/notes{asked and '?'}{asked}"))
    except SubmitError as refusal:
        if refusal.code != "set_still_open":
            raise
        return
    for note in answer["notes"]:
        if note["bot_id"] == bot["id"]:
            yield {"match": match, **note}


def tell_notes(site: Site, records: Sequence[Mapping[str, Any]], name: str, *, as_json: bool) -> None:
    if as_json:
        to_stdout(records)
        return
    for (match, seat), notes in groupby(records, key=lambda note: (note["match"], note["seat"])):
        print_text(f"match {match}, seat {seat} ({site.address}/matches/{match}/)")
        for note in notes:
            print_text(f"  {note_line(note)}")
    if not records:
        print_text(f"{name} wrote no such notes in its latest matches")
