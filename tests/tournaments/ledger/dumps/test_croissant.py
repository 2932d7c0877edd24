"""The Croissant document: what its specification asks for, and that all it names is there.

`tests/tournaments/ledger/dumps/test_other_readers.py` asks Croissant's own tool, where it is installed.
"""

import json
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from tests.tournaments.ledger.dumps.parquet_reader import read_parquet
from tests.tournaments.ledger.dumps.reading import stored
from tests.tournaments.web.api.world import World
from tournaments.ledger.dumps.croissant import CONTEXT
from tournaments.ledger.dumps.dump import dump

NEEDED = {"@context", "@type", "conformsTo", "name", "description", "license", "url", "creator", "datePublished"}


@pytest.mark.django_db
def test_the_document_names_every_file_and_every_column_that_is_there(api_world: World, tmp_path: Path) -> None:
    made = dump(api_world.ladder, tmp_path)
    document = json.loads(stored(made, tmp_path, "croissant.json"))
    assert document.keys() >= NEEDED
    files = {file["@id"]: file for file in document["distribution"]}
    digests = {file["name"]: file["sha256"] for file in made.manifest["files"] if file["name"] != "croissant.json"}
    assert {name: file["sha256"] for name, file in files.items()} == digests
    for records in document["recordSet"]:
        for field in records["field"]:
            source = field["source"]["fileObject"]["@id"]
            assert field["source"]["extract"]["column"] in read_parquet(stored(made, tmp_path, source))
            assert field["@id"] == f"{records['@id']}/{field['name']}"


@pytest.mark.django_db
def test_every_id_is_of_one_thing_and_every_word_is_of_the_context(api_world: World, tmp_path: Path) -> None:
    document = json.loads(stored(dump(api_world.ladder, tmp_path), tmp_path, "croissant.json"))
    parts = [*document["distribution"], *document["recordSet"]]
    parts += [field for records in document["recordSet"] for field in records["field"]]
    ids = [part["@id"] for part in parts]
    assert len(ids) == len(set(ids))
    keys = {key for part in parts for key in part if key in CONTEXT}
    assert keys == {"field", "source", "dataType"}


@pytest.mark.django_db
def test_it_names_the_address_of_the_site_and_no_other(api_world: World, tmp_path: Path, settings: Settings) -> None:
    settings.SITE_URL = "https://board.example"
    text = stored(dump(api_world.ladder, tmp_path), tmp_path, "croissant.json").decode()
    document = json.loads(text)
    assert document["url"] == "https://board.example/data/main/"
    assert f", {document['url']}, " in document["citeAs"]
    assert "127.0.0.1" not in text
