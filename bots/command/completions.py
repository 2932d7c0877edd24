"""`boardroom completions`: what a shell needs to complete commands, games, samples and options."""

import click
from click.shell_completion import get_completion_class

from bots.command.output import print_text, to_stdout

SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog="\b\nExamples:\n  boardroom completions bash >> ~/.bashrc\n  boardroom completions zsh >> ~/.zshrc\n"
    "  boardroom completions fish > ~/.config/fish/completions/boardroom.fish"
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.option("--json", "as_json", is_flag=True, help="The script as a JSON document.")
@click.pass_context
def command(ctx: click.Context, shell: str, as_json: bool) -> None:
    """Print the completions for SHELL."""
    made = get_completion_class(shell)
    assert made is not None
    script = made(ctx.find_root().command, {}, "boardroom", "_BOARDROOM_COMPLETE").source()
    if as_json:
        to_stdout({"shell": shell, "script": script})
    else:
        print_text(script)
