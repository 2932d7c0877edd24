"""Where `boardroom` and `python3 -m bots.command` begin: Ctrl-C is answered from here on, also while all is loaded."""

import importlib
import signal
import sys


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends it by that leaves no bot behind either
    try:
        return int(importlib.import_module("bots.command.main").main())
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
