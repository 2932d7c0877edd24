"""The table of claims that docs have, and the command that writes it."""

import pkgutil
from collections import defaultdict
from pathlib import Path

from tests.ratings import claims
from tests.ratings.claims import Row, agrees
from tests.ratings.claims.__main__ import HEAD, TABLE, parts, stored, write
from tests.ratings.claims.field_errors import Measured


def test_every_row_of_the_table_is_of_a_part_of_the_command_with_its_seed() -> None:
    rows = stored(TABLE)
    assert {row[0] for row in rows} <= set(parts())
    assert all(len(row) == len(HEAD) and row[4] and row[-1].isdigit() for row in rows)
    assert {row[5] for row in rows} <= {"", "DIFFERS"}, "what we state holds"


def test_a_figure_other_than_the_claimed_one_is_marked_and_only_what_we_state_can_fail() -> None:
    marks = [Row("a", "1", "2", holds, agrees).mark for holds in (True, False) for agrees in (True, False)]
    assert marks == ["", "DIFFERS", "FAILS", "FAILS"]
    cover = Measured(defaultdict(list, {"wide: cover": [0.94, 0.95, 0.96]}))
    assert [cover.row("wide: cover", 0.80, 0.02, stated).mark for stated in (0.93, 0.99, "rules 2")] == [
        "DIFFERS",
        "FAILS",
        "DIFFERS",
    ]
    assert cover.row("wide: cover", 0.96, 0.02, 0.93).mark == ""


def test_a_mean_agrees_with_a_range_that_it_may_lie_in() -> None:
    values = [9.0, 10.0, 11.0]  # 10 ±1.2
    assert agrees(values, 11, 15)
    assert agrees(values, 0, 9)
    assert not agrees(values, 11.5, 15)
    assert not agrees(values, 0, 8.5)


def test_every_part_makes_claims() -> None:
    for module in pkgutil.iter_modules(claims.__path__):
        if module.name != "__main__":
            assert "def claim(seed: int" in (Path(claims.__path__[0]) / f"{module.name}.py").read_text()


def test_a_part_that_is_written_again_replaces_its_rows_alone(tmp_path: Path) -> None:
    table = tmp_path / "claims.csv"
    write(table, "b", [["one", "1", "", "2", "", "7"]])
    write(table, "a", [["two, three", "", "", "3", "", "7"]])
    write(table, "b", [["one", "1", "", "1", "DIFFERS", "8"]])
    assert stored(table) == [["a", "two, three", "", "", "3", "", "7"], ["b", "one", "1", "", "1", "DIFFERS", "8"]]
