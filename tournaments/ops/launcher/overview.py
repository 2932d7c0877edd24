"""`manage.py help`: the list of commands, read from folders. Django is only loaded for the help of one command."""

from collections.abc import Iterable
from difflib import get_close_matches
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from textwrap import fill

OWN = "tournaments"
LIBRARIES = ("django.core", "allauth.account")  # the second is an app by a configuration of ours
OURS = {  # those of manage.py itself are not in any folder
    "up": "run everything here: database, broker, site and match workers",
    "boardroom": "what competitors use: play bots at home, test and submit them",
    "worker": "play matches for a site by its address and a token, on this machine",
    "doctor": "say what works on this machine, and what to do about what does not",
    "test": "check style and types, and run all the tests, or those that are named",
    "bench": "measure speed and memory",
    "faults": "have everything go wrong at once, and count what was lost",
    "wasm": "build the deterministic division",
    "install": "install what is needed, and nothing else",
}


def overview(apps: Iterable[str]) -> str:
    own_commands, djangos = commands_of(OWN) - OURS.keys(), commands_of_libraries(apps)
    return "\n".join(
        [
            "python3 manage.py COMMAND [OPTIONS]; manage.py help COMMAND tells of one.",
            "",
            *(f"  {name:<9} {meaning}" for name, meaning in OURS.items()),
            "",
            *names_below_heading("Also Boardroom's", own_commands),
            *names_below_heading("Of libraries", djangos - own_commands - OURS.keys()),
        ]
    )


def no_command(name: str, apps: Iterable[str]) -> str:
    """Return a sentence that says that there is no such command; nothing if there is."""
    commands = OURS.keys() | commands_of(OWN) | commands_of_libraries(apps)
    meant = "".join(f" Did you mean {near}?" for near in get_close_matches(name, commands, 1))
    return "" if name in commands else f"There is no command {name!r}.{meant} `python3 manage.py help` lists all."


def commands_of_libraries(apps: Iterable[str]) -> set[str]:
    return set(chain.from_iterable(map(commands_of, [*LIBRARIES, *(app for app in apps if not app.startswith(OWN))])))


def commands_of(package: str) -> set[str]:
    spec = find_spec(package)
    folders = (Path(place, "management", "commands") for place in (spec and spec.submodule_search_locations) or ())
    return {path.stem for folder in folders for path in folder.glob("[!_]*.py")}


def names_below_heading(heading: str, names: set[str]) -> list[str]:
    return [fill(f"{heading}: {', '.join(sorted(names))}", 110, initial_indent="  ", subsequent_indent="    ")]
