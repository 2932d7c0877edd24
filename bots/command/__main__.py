"""Where `boardroom` and `python3 -m bots.command` begin: Ctrl-C is answered from here on, also while all is loaded."""

import importlib
import json
import signal
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends it by that leaves no bot behind either
    try:
        return int(importlib.import_module("bots.command.main").main(arguments))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    except Exception as error:
        if not isinstance(error, importlib.import_module("engine.outside").BadGame):
            raise
        return refuse_game(str(error).removesuffix("."), as_json="--json" in (arguments or sys.argv))


def refuse_game(sentence: str, *, as_json: bool) -> int:
    """Print why a game from outside cannot be played, as `output.refuse` would, which loads the games itself."""
    if as_json:
        print(json.dumps({"error": {"code": "bad_game", "detail": sentence}}, indent=2, ensure_ascii=False))
    else:
        print(f"error: {sentence} [bad_game]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
