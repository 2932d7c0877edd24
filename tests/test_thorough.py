"""What is left out of a usual run is said, and names what finds the ordinary mistake instead."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.launcher.processes import ROOT

TWO = """
from tests import thorough


def test_usual() -> None:
    pass


@thorough.only("FILE::NAME")
def test_dear() -> None:
    pass
"""
PLUGINS = ("-p", "tests.conftest", "-p", "no:schemathesis")
ALONE = ("-c", "pyproject.toml", "-o", "addopts=", *PLUGINS)  # without servers


def run(folder: Path, *options: str) -> list[str]:
    """The lines of a run of two tests."""
    (folder / "test_two.py").write_text(TWO)
    command = [sys.executable, "-m", "pytest", *ALONE, "-q", *options, str(folder / "test_two.py")]
    environment = {name: value for name, value in os.environ.items() if name != "TEST_PROCESS"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_a_usual_run_says_what_it_leaves_out(tmp_path: Path) -> None:
    *_, said, last = run(tmp_path, "-n", "2")
    assert said == "deselected, too dear for every run: 1. Run them with --thorough"
    assert last.startswith("1 passed in ")


def test_a_thorough_run_leaves_nothing_out(tmp_path: Path) -> None:
    """In a single process, as most people run a few."""
    *_, last = run(tmp_path, "--thorough")
    assert last.startswith("2 passed in ")


def covering(source: Path) -> Iterator[ast.expr]:
    """What is named where tests, or some parameters of theirs, are left out; by itself or as a constant of the file."""
    tree = ast.parse(source.read_bytes())
    named = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    yield from (named.get(ast.unparse(argument), argument) for argument in arguments(tree))


def arguments(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "thorough.only":
            yield from node.args
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "thorough.part":
            yield from node.args[2:]


def functions(source: Path) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.parse(source.read_bytes()).body if isinstance(node, ast.FunctionDef)}


def test_what_is_left_out_names_a_test_that_every_run_has() -> None:
    sources = [path for path in (ROOT / "tests").rglob("*.py") if b"thorough." in path.read_bytes()]
    named = [argument for source in sources for argument in covering(source)]
    assert named
    for argument in named:
        assert isinstance(argument, ast.Constant)
        path, name = str(argument.value).split("::")
        usual = functions(ROOT / path)[name]
        marks = [ast.unparse(mark) for mark in usual.decorator_list]
        assert not [mark for mark in marks if mark.startswith("thorough.only")], name
