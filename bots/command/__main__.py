"""`python3 -m bots.command`, from a checkout or where no script is on the path."""

import sys

from bots.command.entry import main

if __name__ == "__main__":
    sys.exit(main())
