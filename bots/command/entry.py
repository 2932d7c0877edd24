"""Where the script `boardroom` begins: Ctrl-C is answered from here on, also while the command is being loaded."""

import importlib
import sys


def main() -> int:
    try:
        return int(importlib.import_module("bots.command.main").main())
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
