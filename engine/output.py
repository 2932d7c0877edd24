"""How a command ends when nobody reads its output any more."""

import signal


def end_when_unread() -> None:
    """Have the system end this process without a word once the reader of its output has left, as before `| head`."""
    if hasattr(signal, "SIGPIPE"):  # Windows has none
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
