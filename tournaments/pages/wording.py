"""A ladder's settings in words."""

from typing import Final

from tournaments.models import Ladder

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")


def seconds(ms: int) -> str:
    """`1 s`, `0.25 s`, `2 min`."""
    return f"{ms / 60_000:g} min" if ms >= 60_000 else f"{ms / 1000:g} s"


def rules_of(ladder: Ladder) -> list[tuple[str, str]]:
    """Each setting's name and its meaning."""
    seats = NUMBERS[ladder.seats]
    apart = " Bots of one owner never meet." if ladder.owners_apart else ""
    choices = ", ".join(f"{name} {value}" for name, value in ladder.options.items() if name != "players")
    return [
        ("Table", f"{seats.capitalize()} bots.{apart}"),
        ("Set", f"One deal, played {seats} times with the seats rotated; the whole set is rated as one."),
        ("Clock", _clock(ladder)),
        ("Start", f"{seconds(ladder.start_ms)} of CPU time until the bot is ready."),
        ("Memory", f"{ladder.memory_mb} MB."),
        ("Faults", _strikes(ladder.strikes)),
        ("Rules", f"{ladder.game_title}, version {ladder.rules}; {choices or 'no options'}."),
    ]


def _clock(ladder: Ladder) -> str:
    more = f", {seconds(ladder.increment_ms)} more after each answer" if ladder.increment_ms else ""
    kind = (
        "in WebAssembly fuel, the same on every machine" if ladder.division == Ladder.Division.FUEL else "in CPU time"
    )
    return f"{seconds(ladder.answer_ms)} for an answer and {seconds(ladder.bank_ms)} for a match{more}, {kind}."


def _strikes(strikes: int) -> str:
    if strikes == 1:
        return "The first fault forfeits the match."
    return (
        f"After a fault a default answer stands in; {strikes} faults in a match forfeit it. "
        "A crash, running out of time or memory, forfeits at once."
    )
