"""The components table of docs/games/zaibatsu.md is the deck."""

import re

from engine.games.zaibatsu import COMPANIES
from tests.games.test_pages import page

KINDS = {"M": "mining", "P": "intermediate", "A": "advanced", "F": "manufacturing"}


def test_the_table_lists_every_company_as_it_is() -> None:
    pattern = r"^\| ([MPAF]\d\d) \| (.+?) \| (\w+) \| (\d+) \| (\S+) \| (\S+) \|$"
    rows = re.findall(pattern, page("zaibatsu"), re.MULTILINE)
    assert rows == [(c.id, c.name, KINDS[c.id[0]], str(c.score), c.inputs or "-", c.outputs or "-") for c in COMPANIES]
