"""Which servers a site may stand on."""

import re

import pytest

from tests.tournaments.ops.launcher.processes import ROOT
from tournaments.management.commands.doctor import server_finding
from tournaments.ops.launcher.postgres_binaries import WHEELS, find_binaries, full_version, wheel_binaries
from tournaments.ops.launcher.server_versions import (
    KNOWN,
    TRIED,
    missing_fixes,
    not_tried,
    too_old,
    version_numbers,
)


@pytest.mark.parametrize(
    ("name", "version", "refused"),
    [
        *[("PostgreSQL", version, False) for version in ("17.6 (Debian 17.6-0+deb13u1)", "17.0", "18.6", "19beta1")],
        *[("Redis", version, False) for version in ("7.0.15", "7.2.0", "8.2.1")],
        *[("Valkey", version, False) for version in ("7.2.5", "8.0.1", "9.1.2")],
        *[("PostgreSQL", "16.14", True), ("PostgreSQL", "9.6.24", True), ("Redis", "6.2.14", True)],
    ],
)
def test_a_server_that_is_too_old_is_refused_in_a_sentence(name: str, version: str, refused: bool) -> None:
    assert bool(too_old(name, version)) == refused
    finding = server_finding(name, f"{name} {version}, as its address names it")
    assert (finding.works, "is too old: Boardroom needs" in finding.remedy) == (not refused, refused)


def test_a_minor_version_with_known_faults_is_told_and_works() -> None:
    assert missing_fixes("PostgreSQL", "18.4") == f"18.{KNOWN[18]} is out, with fixes: install it."
    assert server_finding("PostgreSQL", "PostgreSQL 18.4, built in").works
    for name, version in (("PostgreSQL", f"18.{KNOWN[18]}"), ("PostgreSQL", "18.99"), ("PostgreSQL", "19.0")):
        assert missing_fixes(name, version) == ""
    assert missing_fixes("Valkey", "8.0.0") == ""


def test_of_a_server_that_is_newer_than_those_that_were_tried_it_says_so_and_works() -> None:
    for name, version in (("PostgreSQL", "19.1"), ("Redis", "9.0.0"), ("Valkey", "10.0.1")):
        finding = server_finding(name, f"{name} {version}, as its address names it")
        assert (finding.works, "is the newest that this release was tried with" in finding.remedy) == (True, True)
        assert not any(not_tried(name, tried) for tried in TRIED[name])


def test_docs_and_containers_name_what_was_tried() -> None:
    docs = " ".join((ROOT / "docs" / "install.md").read_text().split())
    for name, tried in TRIED.items():
        assert f"{name} {', '.join(tried[:-1])} and {tried[-1]}" in docs
    images = re.findall(r"_IMAGE:-(?:valkey/)?(postgres|valkey):([0-9.]+)", (ROOT / "docker-compose.yml").read_text())
    assert {image for image, _ in images} == {"postgres", "valkey"}
    for image, version in images:
        tried = TRIED["PostgreSQL" if image == "postgres" else "Valkey"]
        assert version in {release.partition(".")[0] for release in tried}


def test_the_built_in_postgresql_is_the_newest_of_the_wheels_and_was_tried_with_all_known_fixes() -> None:
    binaries = wheel_binaries()
    assert binaries == find_binaries()
    version = full_version(binaries).split()[2]
    assert (version, missing_fixes("PostgreSQL", version)) == (TRIED["PostgreSQL"][-1], "")
    wheels = [binaries.parents[2] / wheel / tree / "bin" for wheel, tree in WHEELS.items()]
    assert all(
        version_numbers(full_version(other).split()[2]) <= version_numbers(version)
        for other in wheels
        if other.exists()
    )
