"""What is installed: every file by its hash, and nothing is used that no lock names."""

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]  # no environment
LOCKS = sorted([*ROOT.glob("*.lock"), *(lock for folder in FOLDERS for lock in folder.rglob("*.lock"))])
PRODUCT = ("engine", "bots", "workers", "tournaments")
KIT = ROOT / "bots" / "command"
# What only the inside of a bundle, or a machine with an extra or a game from outside (`tests.sixth_game`), has.
ELSEWHERE = {"numpy", "wit_world", "wasmtime", "sentry_sdk", "opentelemetry", "tender"}
ELSEWHERE |= {"onelogin", "pylti1p3"}  # the extras `saml` and `lti`
ELSEWHERE |= {"gymnasium", "pettingzoo", "pyspiel"}  # and what the environments for research are made with


def pins(lock: Path) -> dict[str, list[str]]:
    """The hashes of each pinned package; whatever a lock holds besides is an error."""
    text = lock.read_text().replace("\\\n", " ")
    hashes = {}
    for line in filter(None, (line.strip() for line in text.splitlines())):
        if line.startswith("#"):
            continue
        match = re.fullmatch(r"([a-z0-9.-]+)==([^ ;]+)( ;.*?)?((?: +--hash=sha256:[0-9a-f]{64})+)", line)
        assert match, f"{lock.name}: {line[:120]}"
        hashes[f"{match[1]}=={match[2]}"] = match[4].split()
    return hashes


def names(lock: Path) -> set[str]:
    return {pin.partition("==")[0] for pin in pins(lock)}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: str(lock.relative_to(ROOT)))
def test_every_package_is_pinned_with_its_hashes_and_no_index_is_named(lock: Path) -> None:
    assert all(hashes for hashes in pins(lock).values())
    assert pins(lock)
    assert "://" not in lock.read_text()


def test_the_lock_of_the_tests_holds_the_products_with_the_same_hashes() -> None:
    product, tests = pins(ROOT / "requirements.lock"), pins(ROOT / "tests" / "requirements.lock")
    assert {name: tests.get(name) for name in product} == product


def imported(folder: str) -> set[str]:
    """The top names of what is imported anywhere below a folder, without our own and Python's."""
    tops = set()
    for path in sources_of(ROOT / folder):
        for node in ast.walk(ast.parse(path.read_text(), path)):
            if isinstance(node, ast.Import):
                tops |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                tops.add((node.module or "").partition(".")[0])
    return tops - {*PRODUCT, "tests", "manage", *sys.stdlib_module_names}


def sources_of(folder: Path) -> list[Path]:
    """Return the sources, without those of the kit, which has a lock of its own."""
    return [path for path in folder.rglob("*.py") if folder == KIT or KIT not in path.parents]


def missing(folders: tuple[str, ...], lock: Path) -> set[str]:
    sources, locked = packages_distributions(), names(lock)
    outside = set[str]().union(*map(imported, folders)) - ELSEWHERE
    return {name for name in outside if not {normal(distribution) for distribution in sources.get(name, ())} & locked}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_product_imports_nothing_that_its_lock_does_not_name() -> None:
    assert missing(PRODUCT, ROOT / "requirements.lock") == set()


def test_the_tests_import_nothing_that_their_lock_does_not_name() -> None:
    assert missing(("tests",), ROOT / "tests" / "requirements.lock") == set()


def test_the_kit_imports_nothing_that_its_lock_does_not_name() -> None:
    assert missing((str(KIT),), KIT / "requirements.lock") == set()


def test_the_lock_of_the_tests_holds_the_kits_with_the_same_hashes() -> None:
    kit, tests = pins(KIT / "requirements.lock"), pins(ROOT / "tests" / "requirements.lock")
    assert {name: tests.get(name) for name in kit} == kit
