"""Keys as they are pressed, from a terminal that stays attentive in between: none is lost while something is drawn."""

import os
import re
import sys
from collections.abc import Generator

import click

KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|.", re.DOTALL)  # an arrow is a sequence of three signs
MOST = 64  # bytes taken at once


def pressed() -> Generator[str, None, None]:
    """Return the keys that are pressed, until the terminal ends. The first is empty, and says that it listens.

    Ctrl-C raises KeyboardInterrupt. When the iterator is closed the terminal is as before.
    """
    if sys.platform == "win32":
        yield ""
        while True:
            yield click.getchar()
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSANOW)
        yield ""
        while data := os.read(terminal, MOST):
            yield from KEY.findall(data.decode(errors="replace"))
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
