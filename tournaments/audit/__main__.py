"""python3 -m tournaments.audit LOG.jsonl: whether the log of organisers' acts is intact.

Exit code 0 if it is, 1 if it is not, 2 if it cannot be read.
"""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path

from engine.output import end_when_unread
from tournaments.audit.chain import BrokenLog, Head
from tournaments.audit.lines import check_log


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python3 -m tournaments.audit", description="Check the log of organisers' acts.")
    parser.add_argument("log", type=Path, metavar="LOG.jsonl", help="as /api/v1/audit/log gives it")
    kept = "NUMBER:DIGEST, a head that you kept or found published; may be given often"
    parser.add_argument("--head", type=_head, action="append", default=[], metavar="HEAD", help=kept)
    options = parser.parse_args(arguments)
    try:
        with options.log.open(encoding="utf-8") as lines:
            head = check_log(lines, options.head)
    except BrokenLog as broken:
        sys.stderr.write(f"{options.log}: {broken}\n")
        return 1
    except (OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"{options.log}: {error}\n")
        return 2
    sys.stdout.write(f"{options.log} holds: {head.number} entries, head {head}\n")
    return 0


def _head(given: str) -> Head:
    number, _, digest = given.partition(":")
    if not number.isdecimal() or len(digest) != 64:
        raise ArgumentTypeError(f"{given!r} is no head; one looks like 17:9f86d081 and so on, 64 signs after the colon")
    return Head(int(number), digest)


if __name__ == "__main__":
    end_when_unread()
    sys.exit(main())
