"""Clients that others' tools make of the API's document: they compile, and one asks a running site with each."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.factories import a_ladder
from tournaments.web.api.root import openapi_document

pytestmark = pytest.mark.django_db(transaction=True)
PYTHON = "openapi-python-client"
USES_PYTHON = """
import sys
from made import Client
from made.api.ladders.get_ladders import sync
with Client(base_url=sys.argv[1]) as client:
    print([(ladder.slug, ladder.upload_mb + 1) for ladder in sync(client=client).results])
"""
USES_TYPESCRIPT = """
import type { paths } from "./api";
declare const process: { argv: string[] };
type Ladders = paths["/api/v1/ladders"]["get"]["responses"][200]["content"]["application/json"];
const page = (await (await fetch(process.argv[2] + "/api/v1/ladders")).json()) as Ladders;
console.log(page.results.map((ladder) => `${ladder.slug} ${ladder.upload_mb + 1}`).join());
"""
STRICT = ("--strict", "--module", "esnext", "--target", "es2022", "--moduleResolution", "bundler")


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(openapi_document()))
    return path


def tool(name: str, remedy: str) -> str:
    program = shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if program is None:
        pytest.skip(f"NOT TESTED: a client made by {name}, which is not here: {remedy}")
    return program


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_a_client_in_python_compiles_and_asks(schema: Path, live_server: LiveServer) -> None:
    make, folder = tool(PYTHON, "python3 manage.py test installs it"), schema.parent
    run(make, "generate", "--path", str(schema), "--meta", "none", "--output-path", "made", folder=folder)
    run(sys.executable, "-m", "compileall", "-q", "made", folder=folder)
    a_ladder("arena")
    (folder / "use.py").write_text(USES_PYTHON)
    python = str(Path(make).resolve().with_name("python"))  # what the client imports came with the tool
    assert run(python, "use.py", live_server.url, folder=folder) == "[('arena', 6)]\n"


def test_a_client_in_typescript_compiles_and_asks(schema: Path, live_server: LiveServer) -> None:
    make = tool("openapi-typescript", "npm install --global openapi-typescript typescript")
    tsc, node, folder = (
        tool("tsc", "npm install --global typescript"),
        tool("node", "https://nodejs.org"),
        schema.parent,
    )
    run(make, str(schema), "--output", "api.d.ts", folder=folder)
    (folder / "use.ts").write_text(USES_TYPESCRIPT)
    (folder / "package.json").write_text('{"type": "module"}')
    run(tsc, *STRICT, "--lib", "es2022,dom", "--outDir", ".", "use.ts", folder=folder)
    a_ladder("arena")
    assert run(node, "use.js", live_server.url, folder=folder) == "arena 6\n"
