"""Dumps as other people's programs read them."""

import io
import json
import logging
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.ledger.dumps.reading import lines, stored
from tests.tournaments.web.api.world import World
from tournaments.ledger.dumps.columns import TABLES
from tournaments.ledger.dumps.dump import Made, dump

pytestmark = pytest.mark.django_db


def needed(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        pytest.skip(f"NOT TESTED: dumps read by {module}, which is installed where it is made ready for the machine")


def test_arrow_reads_every_table_and_finds_nothing_wrong(api_world: World, tmp_path: Path) -> None:
    parquet = needed("pyarrow.parquet")
    made = dump(api_world.ladder, tmp_path)
    for table in TABLES.values():
        read = parquet.read_table(io.BytesIO(stored(made, tmp_path, f"{table.name}.parquet")))
        read.validate(full=True)
        assert read.schema.names == [column.name for column in table.columns]
        assert read.num_rows == len(lines(made, tmp_path, table.name))
    seats = parquet.read_table(io.BytesIO(stored(made, tmp_path, "seats.parquet"))).to_pylist()
    assert seats == lines(made, tmp_path, "seats")


@pytest.mark.filterwarnings("ignore")  # of its own libraries, about each other
def test_croissants_own_tool_accepts_the_document_and_reads_the_records(
    api_world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    croissant = needed("mlcroissant")
    made = dump(api_world.ladder, tmp_path)
    with caplog.at_level(logging.WARNING):
        dataset = croissant.Dataset(jsonld=str(by_name(made, tmp_path)))
    assert caplog.text == ""
    for table in ("sets", "matches", "seats", "versions", "ratings"):
        assert len(list(dataset.records(record_set=table))) == len(lines(made, tmp_path, table))


def by_name(made: Made, root: Path) -> Path:
    """The document, with files of this machine in the place of a site's."""
    folder = root / made.manifest["ladder"]
    kept = {file["name"]: file["stored"] for file in made.manifest["files"]}
    document = json.loads(stored(made, root, "croissant.json"))
    for file in document["distribution"]:
        file["contentUrl"] = str(folder / kept[file["@id"]])
    path = root / "croissant.json"
    path.write_text(json.dumps(document))
    return path
