from contextlib import closing
from typing import Any

from django.core.management import call_command
from django.test import Client

from tests.tournaments.web.api.asking import strict_document
from tournaments.web.api.root import openapi_document


def test_the_openapi_document_is_valid_and_complete(tmp_path: Any) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


def test_the_document_is_served_as_json_or_yaml(db: None) -> None:
    plain = Client().get("/api/v1/schema/")
    assert plain.json()["openapi"].startswith("3.")
    assert plain.json()["paths"].keys() == strict_document()["paths"].keys()
    yaml = Client().get("/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi"})
    assert yaml.content.startswith(b"openapi: 3.")


def test_the_browsable_docs_load_nothing_from_elsewhere(db: None) -> None:
    page = Client().get("/api/v1/docs/").content.decode()
    assert "swagger-ui-bundle.js" in page
    assert "//" not in page.replace("<!DOCTYPE", "")
    script = Client().get("/api/v1/docs/?script=").content.decode()
    assert "/api/v1/schema/" in script
    assert "://" not in script
    for asset in ("swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "swagger-ui.css"):
        with closing(Client().get(f"/static/drf_spectacular_sidecar/swagger-ui-dist/{asset}")) as response:
            assert response.status_code == 200


def test_every_operation_says_how_it_may_refuse() -> None:
    for path, methods in strict_document()["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], (method, path)
            assert {"401", "429"} <= operation["responses"].keys(), (method, path)


def test_what_answers_hold_is_named_as_always_there() -> None:
    schemas = openapi_document()["components"]["schemas"]
    for name in ("Ladder", "Bot", "Version", "Match"):
        assert set(schemas[name]["required"]) == set(schemas[name]["properties"])
    assert "preview" not in schemas["PauseLadderRequest"].get("required", ())
