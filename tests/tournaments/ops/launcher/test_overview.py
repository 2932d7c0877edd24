"""`manage.py help` without Django: it names all that Django would."""

import subprocess
import sys

from django.conf import settings
from django.core.management import get_commands

import manage
from tests.tournaments.ops.launcher.processes import ROOT, bare_environment
from tournaments.ops.launcher.overview import OURS, overview

IN_MANAGE = {
    "boardroom",
    "worker",
    "test",
    "wasm",
    "install",
}  # known to manage.py alone; Django's own `test` is not reached


def named(text: str) -> set[str]:
    return {word.strip(",") for word in text.split()}


def test_every_command_is_named() -> None:
    text = overview(settings.INSTALLED_APPS)
    assert get_commands().keys() - named(text) == set()
    assert OURS.keys() <= get_commands().keys() | IN_MANAGE


def test_nothing_else_is_named() -> None:
    lists = "\n".join(overview(settings.INSTALLED_APPS).split("Also Boardroom's:")[1].split("Of libraries:"))
    assert named(lists) <= get_commands().keys()


def test_help_loads_no_django() -> None:
    look = "import sys, manage; manage.print_overview(); print('django.conf' in sys.modules, 'psycopg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.endswith("False False\n")


def test_commands_that_django_does_not_know_are_told_of_without_being_run() -> None:
    """`wasm --help` would build for half a minute, and `help test` is Django's own otherwise."""
    for asked, code in (
        (("help", "test"), 0),
        (("help", "boardroom"), 0),
        (("help", "wasm"), 0),
        (("wasm", "--help"), 0),
        (("install", "-h"), 0),
        (("wasm", "now"), 2),
    ):
        command = [sys.executable, str(manage.ROOT / "manage.py"), *asked]
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=bare_environment())
        name = asked[1] if asked[0] == "help" else asked[0]
        assert (done.returncode, OURS[name] in (done.stderr if code else done.stdout)) == (code, True)


def test_no_command_at_all_gets_help() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, str(manage.ROOT / "manage.py"), *asked],
            check=True,
            capture_output=True,
            text=True,
            env=bare_environment(),
        ).stdout
        for asked in ((), ("help",), ("--help",))
    ]
    assert outputs[0] == outputs[1] == outputs[2]
    assert "python3 manage.py COMMAND" in outputs[0]
