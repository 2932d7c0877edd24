"""A ladder's settings in words."""

import json
from typing import Final

from engine.games import GAMES
from engine.records import to_plain
from tournaments.models import Ladder

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def seconds(ms: int) -> str:
    """`1 s`, `0.25 s`, `2 min`."""
    return f"{ms / 60_000:g} min" if ms >= 60_000 else f"{ms / 1000:g} s"


def size(kb: int) -> str:
    """`8 KB`, `4 MB`; 1 MB is 1,024 KB."""
    return f"{kb / 1024:,g} MB" if kb >= 1024 else f"{kb} KB"


def rules_of(ladder: Ladder) -> list[tuple[str, str]]:
    """Each setting's name and its meaning."""
    sizes = [NUMBERS[size] for size in sorted(set(ladder.sizes))]
    seats = " or ".join(sizes)
    return [
        ("Table", f"{seats.capitalize()} bots.{_apart(ladder)}"),
        ("Set", f"One deal, played {seats} times with the seats rotated; the whole set is rated as one."),
        ("Clock", _clock(ladder)),
        ("Start", f"{seconds(ladder.start_ms)} of CPU time until the bot is ready."),
        ("Memory", f"{ladder.memory_mb} MB."),
        ("Threads", _threads(ladder)),
        ("Files", _files(ladder)),
        ("Output", _output(ladder)),
        ("Uploads", f"{ladder.upload_mb} MB at most, and {2 * ladder.upload_mb} MB unpacked."),
        ("Faults", _strikes(ladder.strikes)),
        ("Versions", _pause(ladder.version_pause)),
        ("Rules", f"{ladder.game_title}, version {ladder.rules}; {_choices(ladder)}."),
    ]


def _apart(ladder: Ladder) -> str:
    if not ladder.owners_apart:
        return ""
    few = {
        Ladder.FewOwners.PLAY: "while there are fewer owners than seats, as few of one owner meet as can be",
        Ladder.FewOwners.WAIT: "while there are fewer owners than seats, nobody plays",
    }
    return f" Bots of one owner, or of people of one team, never meet; {few[Ladder.FewOwners(ladder.few_owners)]}."


def _pause(minutes: int) -> str:
    if not minutes:
        return "Any version that passed its check may take over at any time, with the rating that it has."
    return (
        f"One that played before may come back once the present one has played for {minutes} min; its rating goes on."
    )


def _choices(ladder: Ladder) -> str:
    """Only what differs from the game's own defaults: some games have a score of options."""
    usual = to_plain(GAMES[ladder.game].read_options({"players": ladder.seats}))
    chosen = [f"{name} {json.dumps(value)}" for name, value in ladder.options.items() if value != usual.get(name)]
    return ", ".join([*chosen, "all else by default"]) if chosen else "all options by default"


def _clock(ladder: Ladder) -> str:
    more = f", {seconds(ladder.increment_ms)} more after each answer" if ladder.increment_ms else ""
    kind = (
        "in WebAssembly fuel, the same on every machine" if ladder.division == Ladder.Division.FUEL else "in CPU time"
    )
    return f"{seconds(ladder.answer_ms)} for an answer and {seconds(ladder.bank_ms)} for a match{more}, {kind}."


def _threads(ladder: Ladder) -> str:
    if ladder.division == Ladder.Division.FUEL or ladder.threads == 1:
        return "One."
    return f"{ladder.threads}, or one where the worker cannot count them; no further processes."


def _files(ladder: Ladder) -> str:
    if ladder.division == Ladder.Division.FUEL:
        return "A bot reads its own; it has none to write."
    writing = (
        f"A temporary folder of {ladder.temp_mb} MB, where the worker has one, for files up to {ladder.files_mb} MB."
    )
    return f"{ladder.open_files} open at once. {writing}"


def _output(ladder: Ladder) -> str:
    in_all, kept = size(ladder.output_kb), size(ladder.stderr_kb)
    return (
        f"{size(ladder.line_kb)} for an answer and {in_all} for a match, stderr included, "
        f"of which the last {kept} are kept for the bot's owner."
    )


def _strikes(strikes: int) -> str:
    if strikes == 1:
        return "The first fault forfeits the match."
    return (
        f"After a fault a default answer stands in; {strikes} faults in a match forfeit it. "
        "A crash, running out of time or memory, forfeits at once."
    )
