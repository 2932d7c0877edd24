"""Run on a host: which addresses let it connect? Prints a JSON list of booleans. Standard library alone."""

import json
import socket
import sys


def reaches(site: str, where: int | str) -> bool:
    """A number is a port at the site, a text the path of a socket."""
    address = (site, where) if isinstance(where, int) else where
    with socket.socket(socket.AF_INET if isinstance(where, int) else socket.AF_UNIX) as connection:
        connection.settimeout(3)
        try:
            connection.connect(address)
        except OSError:
            return False
        return True


if __name__ == "__main__":
    site, targets = sys.argv[1], json.loads(sys.argv[2])
    print(json.dumps([reaches(site, where) for where in targets]))
