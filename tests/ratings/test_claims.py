"""The table of claims that docs have, and the command that writes it."""

import pkgutil
from pathlib import Path

from tests.ratings import claims
from tests.ratings.claims.__main__ import HEAD, TABLE, parts, stored, write


def test_every_row_of_the_table_is_of_a_part_of_the_command_with_its_seed() -> None:
    rows = stored(TABLE)
    assert {row[0] for row in rows} <= set(parts())
    assert all(len(row) == len(HEAD) and row[3] and row[-1].isdigit() for row in rows)


def test_every_part_makes_claims() -> None:
    for module in pkgutil.iter_modules(claims.__path__):
        if module.name != "__main__":
            assert "def claim(seed: int" in (Path(claims.__path__[0]) / f"{module.name}.py").read_text()


def test_a_part_that_is_written_again_replaces_its_rows_alone(tmp_path: Path) -> None:
    table = tmp_path / "claims.csv"
    write(table, "b", [["one", "1", "2", "", "7"]])
    write(table, "a", [["two, three", "", "3", "", "7"]])
    write(table, "b", [["one", "1", "1", "DIFFERS", "8"]])
    assert stored(table) == [["a", "two, three", "", "3", "", "7"], ["b", "one", "1", "1", "DIFFERS", "8"]]
