"""A ladder's settings in words."""

import json
from collections.abc import Iterator
from copy import copy
from typing import Final

from django.utils.translation import gettext, gettext_noop

from engine.games import GAMES
from engine.records import to_plain
from tournaments.models import Ladder
from tournaments.web.pages.sentences import figure

NUMBERS: Final = (
    *(gettext_noop("no"), gettext_noop("one"), gettext_noop("two"), gettext_noop("three"), gettext_noop("four")),
    *(gettext_noop("five"), gettext_noop("six"), gettext_noop("seven"), gettext_noop("eight")),
)
ONE_SET = gettext_noop("One deal, played %(seats)s times with the seats rotated; the whole set is rated as one.")
BACK_AT_ONCE = gettext_noop("Any version that passed its check may take over at any time, with its own rating.")
BACK_LATER = gettext_noop(
    "An earlier one may come back once the current one has played for %(minutes)s min; its rating continues."
)
TEMPORARY = gettext_noop(
    "%(open)s open at once. A temporary folder of %(temp)s MB, where the worker has one, for files up to %(most)s MB."
)
LINES = gettext_noop(
    "%(line)s for an answer and %(all)s for a match, stderr included, "
    "of which the last %(kept)s are kept for the bot's owner."
)
LOWERED = gettext_noop(
    "This ladder was set to %(asked)s. That is more than the site allows in a space, so its matches use the value "
    "shown here."
)
SOME_FAULTS = gettext_noop(
    "After a fault a default answer is played; %(strikes)s faults forfeit the match. A crash, or running out of time "
    "or memory, forfeits it at once."
)


def seconds(ms: int) -> str:
    """`1 s`, `0.25 s`, `2 min`."""
    return f"{ms / 60_000:g} min" if ms >= 60_000 else f"{ms / 1000:g} s"


def size(kb: int) -> str:
    """`8 KB`, `4 MB`; 1 MB is 1,024 KB."""
    return f"{kb / 1024:,g} MB" if kb >= 1024 else f"{kb} KB"


def settings_in_words(ladder: Ladder) -> list[tuple[str, str]]:
    """Return each setting's name and its meaning, in the language of the page: what its matches are played by."""
    lowered = list(_lowered(ladder))
    ladder = copy(ladder)
    for name, value in ladder.played_by.items():
        setattr(ladder, name, value)
    sizes = [gettext(NUMBERS[size]) for size in sorted(set(ladder.sizes))]
    seats = gettext(" or ").join(sizes)
    upload = {"most": ladder.upload_mb, "unpacked": 2 * ladder.upload_mb}
    title = {"game": ladder.game_title, "version": ladder.rules, "options": _choices(ladder)}
    return [
        (gettext("Table"), gettext("%(seats)s bots.") % {"seats": seats.capitalize()} + _apart(ladder)),
        (gettext("Set"), gettext(ONE_SET) % {"seats": seats}),
        (gettext("Clock"), _clock(ladder)),
        (
            gettext("Start"),
            gettext("%(time)s of CPU time until the bot is ready.") % {"time": seconds(ladder.start_ms)},
        ),
        (gettext("Memory"), f"{ladder.memory_mb} MB."),
        (gettext("Threads"), _threads(ladder)),
        (gettext("Files"), _files(ladder)),
        (gettext("Output"), _output(ladder)),
        (gettext("Uploads"), gettext("%(most)s MB at most, and %(unpacked)s MB unpacked.") % upload),
        (gettext("Faults"), _strikes(ladder.strikes)),
        (gettext("Versions"), _pause(ladder.version_pause)),
        (gettext("Rules"), gettext("%(game)s, version %(version)s; %(options)s.") % title),
        *lowered,
    ]


def _lowered(ladder: Ladder) -> Iterator[tuple[str, str]]:
    """Yield what was asked for and is not granted, as one name and its meaning, if there is any."""
    if names := ladder.lowered:
        asked = ", ".join(f"{name} {figure(f'{getattr(ladder, name):,}')}" for name in names)
        yield gettext("Lowered"), gettext(LOWERED) % {"asked": asked}


def _apart(ladder: Ladder) -> str:
    if not ladder.owners_apart:
        return ""
    few = {
        Ladder.FewOwners.PLAY: gettext("while there are fewer owners than seats, as few of one owner as possible meet"),
        Ladder.FewOwners.WAIT: gettext("while there are fewer owners than seats, nobody plays"),
    }
    never = gettext("Bots of one owner, or of people of one team, never meet; %(few)s.")
    return " " + never % {"few": few[Ladder.FewOwners(ladder.few_owners)]}


def _pause(minutes: int) -> str:
    return gettext(BACK_LATER) % {"minutes": minutes} if minutes else gettext(BACK_AT_ONCE)


def _choices(ladder: Ladder) -> str:
    """Return in words what differs from the game's defaults: some games have a score of options."""
    usual = to_plain(GAMES[ladder.game].read_options({"players": ladder.seats}))
    chosen = [f"{name} {json.dumps(value)}" for name, value in ladder.options.items() if value != usual.get(name)]
    return ", ".join([*chosen, gettext("otherwise the defaults")]) if chosen else gettext("default options")


def _clock(ladder: Ladder) -> str:
    is_fuel = ladder.division == Ladder.Division.FUEL
    kind = gettext("in WebAssembly fuel, the same on every machine") if is_fuel else gettext("in CPU time")
    more = gettext(", %(time)s more after each answer") % {"time": seconds(ladder.increment_ms)}
    times = {"answer": seconds(ladder.answer_ms), "match": seconds(ladder.bank_ms)}
    rest = {"more": more if ladder.increment_ms else "", "kind": kind}
    return gettext("%(answer)s for an answer and %(match)s for a match%(more)s, %(kind)s.") % {**times, **rest}


def _threads(ladder: Ladder) -> str:
    if ladder.division == Ladder.Division.FUEL or ladder.threads == 1:
        return gettext("One.")
    many = gettext("%(threads)s, or one where the worker cannot count them; no further processes.")
    return many % {"threads": ladder.threads}


def _files(ladder: Ladder) -> str:
    if ladder.division == Ladder.Division.FUEL:
        return gettext("Each bot can read its own files, and write none.")
    sizes = {"open": ladder.open_files, "temp": ladder.temp_mb, "most": ladder.files_mb}
    return gettext(TEMPORARY) % sizes


def _output(ladder: Ladder) -> str:
    sizes = {"line": ladder.line_kb, "all": ladder.output_kb, "kept": ladder.stderr_kb}
    return gettext(LINES) % {name: size(kb) for name, kb in sizes.items()}


def _strikes(strikes: int) -> str:
    if strikes == 1:
        return gettext("The first fault forfeits the match.")
    return gettext(SOME_FAULTS) % {"strikes": strikes}
