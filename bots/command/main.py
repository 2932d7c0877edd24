"""The command `boardroom`: the list of commands, and how their errors are reported."""

import importlib
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import click

from bots.command import releases
from bots.command.errors import BAD_COMMAND, STOPPED, KitError, explained
from bots.command.output import refuse

# By the name of the module in `bots.command` that holds its `command`, in the order in which they are needed.
COMMANDS = (
    *("new", "schema", "play", "series", "league", "climb", "tune", "check"),
    *("why", "watch", "fork", "verify", "datagen"),
    *("login", "submit", "gate", "status", "replays", "logs", "completions"),
)
ABOUT = """Write, test and submit bots for Boardroom.

\b
Examples:
  boardroom new zaibatsu mybot
  boardroom play zaibatsu mybot random random
  boardroom series zaibatsu new.py old.py
  boardroom login --site https://boardroom.example
  boardroom submit mybot.py --bot "My bot" --game zaibatsu --ladder zaibatsu
  boardroom verify zaibatsu-match-42.json

Every command takes --json and --help. Refusals are one sentence with a stable code.
"""


class Commands(click.Group):
    """Each is imported when it is asked for: `--version` and completions load no games."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"bots.command.{cmd_name}").command
        return command


def _version(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        click.echo(f"boardroom {releases.installed_version()}")
        ctx.exit()


@click.group(cls=Commands, help=ABOUT, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Say it and end.")
def boardroom() -> None:
    """Run a command of the kit. The help that is shown is ABOUT."""


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # some terminals cannot show ¥
    as_json = "--json" in given
    try:
        code = boardroom.main(given, "boardroom", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        return _misunderstood(error, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        print("stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:  # whoever read our output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left in the buffer is for nobody
        return STOPPED
    except Exception as error:
        if refusal := explained(error):
            return refuse(refusal, as_json=as_json)
        raise


def _misunderstood(error: click.ClickException, *, as_json: bool) -> int:
    context = getattr(error, "ctx", None)
    hint = f" Try: {context.command_path} --help" if context else ""
    return refuse(KitError("bad_command", f"{error.format_message()}{hint}", BAD_COMMAND), as_json=as_json)
