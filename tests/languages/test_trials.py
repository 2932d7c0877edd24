"""The smallest programs, by whose word a worker offers a language; and every compiler that may build one."""

import platform
import subprocess
from dataclasses import replace
from pathlib import Path
from shutil import which

import pytest

from bots.contest import sample_files
from bots.languages import LANGUAGES, Missing
from bots.languages.static import INSTRUCTIONS, machine_of, trial
from tests.languages.played import against_honest, need, verdicts
from tests.workers.hall import Site
from workers import languages
from workers.match import Kit
from workers.sandbox.arena import Arena

COMPILERS = {"gcc": "c", "clang": "c", "g++": "c++", "clang++": "c++"}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_language_is_built_by_whichever_compiler_is_here(
    site: Site, arena: Arena, kit: Kit, monkeypatch: pytest.MonkeyPatch, compiler: str
) -> None:
    language = LANGUAGES[COMPILERS[compiler]]
    monkeypatch.setattr(language, "commands", (compiler,), raising=False)
    try:
        tool = language.detect()
    except Missing as missing:
        pytest.skip(f"NOT TESTED: building with {compiler}: {missing}")
    languages.prove_language(arena, language, tool)
    kit = replace(kit, tools={**kit.tools, language.name: tool})
    source = sample_files("zaibatsu")["frugal.c"].read_text()
    report = against_honest(site, kit, source, f"bot{language.endings[0]}")
    assert verdicts(report) == ["ok", "ok"], report.stderr[0].text


@pytest.mark.parametrize("machine", INSTRUCTIONS)
def test_the_smallest_program_of_a_machine_says_that_it_is_ready(machine: str, tmp_path: Path) -> None:
    need("static")
    by = (
        "/usr/bin/env" if machine == platform.machine() else which(f"qemu-{machine}-static") or which(f"qemu-{machine}")
    )
    if not by:
        pytest.skip(f"NOT TESTED: a static program for {machine}. Debian: apt-get install qemu-user-static")
    program = tmp_path / "trial"
    program.write_bytes(trial(machine))
    program.chmod(0o755)
    ran = subprocess.run([by, str(program)], check=True, stdout=subprocess.PIPE)
    assert (machine_of(program.read_bytes()), ran.stdout) == (machine, b"ready\n")
