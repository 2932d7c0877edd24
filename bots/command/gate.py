"""`boardroom gate`: what a new version of a bot must do before it plays, and the state of its trial."""

import json
import time
from collections.abc import Mapping
from typing import Any

import click

from bots.command.connection import connected, insistently, own_bot, pages, site_option
from bots.command.errors import FAILED
from bots.command.options import json_option
from bots.command.output import print_text, progress, to_stdout
from bots.command.site import Site
from bots.sequential_test import NAMED

RULES = {
    "off": "A new version plays as soon as it has passed its check.",
    "ask": "A new version first plays the one that plays now, off the ladder; if it passes the test, you are asked.",
    "auto": "A new version first plays the one that plays now, off the ladder; if it passes the test, it takes over.",
}
PAUSE_S = 2.0
Row = Mapping[str, Any]


@click.command(
    epilog='\b\nExamples:\n  boardroom gate --bot "My bot"\n  boardroom gate --bot "My bot" --set auto --test gain\n'
    '  boardroom gate --bot "My bot" --wait --json'
)
@click.option("--bot", "name", required=True, metavar="NAME", help="One of yours.")
@click.option("--game", default="", help="If bots of several games have the name.")
@click.option("--set", "rule", type=click.Choice([*RULES]), help="The rule for its versions from now on.")
@click.option("--test", type=click.Choice([*NAMED]), help="That decides a trial.")
@click.option("--wait", is_flag=True, help="Until the trial under way is decided.")
@site_option
@json_option
def command(name: str, game: str, rule: str | None, test: str | None, wait: bool, address: str, as_json: bool) -> int:
    """What a new version of your bot must do before it plays, and how the latest trial stands.

    Exit codes: 0 done, and no trial or one that is not refused; 1 the latest trial was refused.
    """
    site = connected(address)
    bot = own_bot(site, name, game)
    changes = {key: value for key, value in (("gate", rule), ("gate_test", test)) if value}
    if changes:
        bot = site.ask(f"/bots/{bot['id']}", json.dumps(changes).encode(), method="PATCH")
    trial = latest(site, bot)
    while wait and trial and trial["status"] == "running":
        trial = followed(site, trial)
    if as_json:
        to_stdout({"bot": bot, "trial": trial})
    else:
        tell(site, bot, trial)
    return FAILED if trial and trial["status"] == "refused" else 0


def latest(site: Site, bot: Row) -> Row | None:
    return next(pages(site, f"/bots/{bot['id']}/trials", {}, 1), None)


def followed(site: Site, trial: Row) -> Row:
    """The trial once it is over."""
    with progress("its trial", None) as advance:
        while trial["status"] == "running":
            time.sleep(PAUSE_S)
            before, number = trial["played"], trial["id"]
            trial = insistently(lambda: site.ask(f"/trials/{number}"))  # noqa: B023  it is asked now
            advance(f"its trial: {ratio(trial)}", trial["played"] - before)
    return trial


def tell(site: Site, bot: Row, trial: Row | None) -> None:
    test = "" if bot["gate"] == "off" else f" The test is {bot['gate_test']}."
    print_text(f"{bot['name']}: {RULES[bot['gate']]}{test}")
    if trial is None:
        print_text("It had no trial so far.")
        return
    pair = f"v{trial['candidate']} against v{trial['champion']} in {trial['ladder']}"
    print_text(f"{pair}: {trial['status']}, {trial['played']} sets")
    print_text(f"  {trial['reason'] or ratio(trial)} ({site.address}/trials/{trial['id']}/)")


def ratio(trial: Row) -> str:
    return (
        f"log-likelihood ratio {trial['llr']:+.2f}, refused at {trial['lower']:.2f}, accepted at {trial['upper']:+.2f}"
    )
