"""Building in the sandbox: what fails is the bot's fault with the reason, and what is missing here is not."""

import io
import re
import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bots.contest import ContestError, find_contestant, sample_files
from bots.languages.c import C
from tests.languages.played import against_honest, need, verdicts
from tests.workers.hall import HONEST, Site, an_order
from workers import building
from workers.building import Build
from workers.match import Kit, report_match
from workers.sandbox.arena import Arena

SAMPLE = sample_files("zaibatsu")["frugal.c"].read_text()

# What is wrong with it, and what its author reads.
FAILS = {
    "a mistake": (SAMPLE.replace("int main(void)", "int main(void"), "bot.c:", "ended with exit code 1"),
    "a function that is nowhere": ("int no(void);\nint main(void) { return no(); }", "undefined reference", "ld ended"),
    "a file of the host": ('#include "/etc/passwd"\nint main(void) {}', "/etc/passwd: ", "exit code 1"),
    "a file that never ends": ('#include "/dev/urandom"\nint main(void) {}', "", "The bot could not be built"),
    "a program without end": ('__asm__(".incbin \\"/dev/urandom\\"");\nint main(void) {}', "", "could not be built"),
    "a flood of complaints": (
        *("#define A(x) x x x x x x x x x x\n" + "int main(void) { " + "A(A(A(A(A(?;)))))" * 4 + " }", "bot.c"),
        "could not be built",
    ),
}  # fmt: skip


def zipped(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


@pytest.mark.parametrize("what", FAILS)
def test_a_build_that_fails_is_a_crash_with_what_the_compiler_said(
    site: Site, kit: Kit, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    need("c", kit)
    monkeypatch.setattr(building, "LIMITS", replace(building.LIMITS, cpu_s=2, memory_mb=256))
    source, output, reason = FAILS[what]
    report = against_honest(site, kit, source, "bot.c")
    assert verdicts(report) == ["crashed", "ok"]
    assert report.faults[0].answer == -1
    assert reason in report.faults[0].detail
    text = report.stderr[0].text
    assert output in text
    assert "root:" not in text
    assert str(kit.arena.store) not in text
    assert len(text.splitlines()) <= building.MOST_LINES + 1
    assert not list(kit.arena.store.glob(".new-*"))


# A mistake in the second line, and where its author reads that it is.
MISTAKES = {
    "c++": ("bot.cpp", "int main() {\r\n return x; }\r\n", "bot.cpp:2:"),
    "rust": ("bot.rs", "fn main() {\r\n let it: i32 = x; }\r\n", "bot.rs:2:"),
    "go": ("bot.go", "package main\r\nfunc main() { x() }\r\n", "bot.go:2:"),
}


@pytest.mark.parametrize("language", MISTAKES)
def test_a_mistake_in_any_language_has_its_file_and_line(site: Site, kit: Kit, language: str, tmp_path: Path) -> None:
    need(language, kit)
    name, source, place = MISTAKES[language]
    report = against_honest(site, kit, source, name)
    assert verdicts(report) == ["crashed", "ok"]
    assert place in report.stderr[0].text
    (tmp_path / name).write_text(source, newline="")
    with pytest.raises(ContestError, match=place) as error:
        find_contestant("zaibatsu", str(tmp_path / name), tmp_path / "store")
    assert str(tmp_path / "store") not in str(error.value)


def test_a_failed_build_is_not_tried_again(site: Site, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    need("c", kit)
    source = "int main(void) { return 1 }"
    first = against_honest(site, kit, source, "bot.c")
    monkeypatch.setattr(building, "_run", pytest.fail)
    assert against_honest(site, kit, source, "bot.c").stderr == first.stderr


def test_a_zip_of_several_sources_and_headers_is_one_program(site: Site, kit: Kit) -> None:
    need("c", kit)
    files = {
        "main.c": SAMPLE.replace("int main(void)\n{", "int odd(void);\nint main(void)\n{\n    if (!odd()) return 1;"),
        "deep/$odd name.c": '#include "deep/odd.h"\nint odd(void) { return ODD; }\n',
        "deep/odd.h": "#define ODD 1\n",
    }
    assert verdicts(against_honest(site, kit, zipped(files), "bot.zip")) == ["ok", "ok"]


def test_what_a_build_writes_in_all_has_an_end(site: Site, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    need("c", kit)
    monkeypatch.setattr(building, "MOST_WRITTEN", 4 << 20)
    large = 'int here_{0}; __asm__(".fill 2000000, 1, 7");\n'
    files = {"main.c": SAMPLE} | {f"large{n}.c": large.format(n) for n in range(3)}
    report = against_honest(site, kit, zipped(files), "bot.zip")
    assert verdicts(report) == ["crashed", "ok"]
    assert "had more than the 4 MB on the disk that a build may take" in report.faults[0].detail
    assert not list(kit.arena.store.glob(".new-*"))


def test_a_program_that_writes_on_in_silence_is_ended(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    need("c", kit)
    monkeypatch.setattr(building, "MOST_WRITTEN", 4 << 20)
    assert isinstance(kit.arena, Arena)
    shell, bundle = str(Path("/bin/sh").resolve()), kit.arena.store / "silent"
    bundle.mkdir()
    (bundle / "a.c").touch()
    script = 'exec 1>&- 2>&-; n=0; while :; do n=$((n + 1)); printf %1000000s > "$0/$n"; done'

    class Silent(C):
        def steps(self, command: Sequence[str], temporary: str) -> list[list[str]]:  # noqa: ARG002
            return [[shell, "-c", script, temporary]]

    home = building.build_program(
        Build(kit.arena, bundle.name, "bot.c", Silent(), replace(kit.tools["c"], reads=(shell,)))
    )
    assert "sh ran, it had more than the 4 MB" in (home / building.FAILED).read_text()


def test_a_static_executable_plays(site: Site, kit: Kit, tmp_path: Path) -> None:
    need("c", kit)
    need("static", kit)
    program = tmp_path / "bot"
    command = [kit.tools["c"].command, "-static", "-o", str(program), str(sample_files("zaibatsu")["frugal.c"])]
    subprocess.run(command, check=True)
    assert verdicts(against_honest(site, kit, program.read_bytes(), "bot")) == ["ok", "ok"]


def test_without_its_language_a_bot_is_charged_with_nothing(site: Site, kit: Kit) -> None:
    without = replace(kit, tools={})
    report = against_honest(site, without, SAMPLE, "bot.c")
    assert (report.outcome, report.faults) == ("void", [])
    assert "needs c, which this worker does not have" in report.reason


def test_a_program_is_little_larger_than_its_sources(site: Site, kit: Kit) -> None:
    need("c", kit)
    report = against_honest(site, kit, "char large[20 << 20] = {1};\nint main(void) { return 0; }\n", "bot.c")
    assert verdicts(report) == ["crashed", "ok"]
    assert re.search(r"its program has 2\d,\d{3},\d{3} bytes; 8,388,\d{3} are allowed", report.faults[0].detail)


def test_what_a_bundle_brings_its_program_may_have(site: Site, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    need("c", kit)
    monkeypatch.setattr(building, "MOST_ADDED", 3 << 20)
    embeds = SAMPLE + '\n__asm__(".data\\n.incbin \\"/bot/weights.bin\\"\\n.text");\n'
    files = {"main.c": embeds, "weights.bin": "1" * (3 << 20)}
    assert verdicts(against_honest(site, kit, zipped(files), "bot.zip")) == ["ok", "ok"]


def test_everything_is_built_before_any_bot_starts(site: Site, kit: Kit) -> None:
    need("c", kit)
    clock = site.put(f"import sys, time\nprint(time.time(), file=sys.stderr)\n{HONEST}")
    later = site.put(f"{SAMPLE}/* built while others wait */\n", "bot.c")
    order = an_order([clock, later])
    report = report_match(order, order.matches[0], kit)
    assert verdicts(report) == ["ok", "ok"]
    [home] = kit.arena.store.glob(f"{later.bundle}.*.*")
    assert float(report.stderr[0].text.split()[0]) > home.stat().st_mtime


def test_a_build_ends_when_it_is_stopped(site: Site, kit: Kit) -> None:
    """The time is of the match's patience, which a check has for a while; nothing of it stays."""
    need("c", kit)
    order = an_order([site.put(f"{SAMPLE}/* stopped {number} */\n", "bot.c") for number in range(2)], patience_ms=1)
    report = report_match(order, order.matches[0], kit)
    assert (report.outcome, report.reason) == ("returned", "it was not over after 0.001 s")
    assert not list(kit.arena.store.glob(".new-*"))
    assert not [home for bot in order.competitors for home in kit.arena.store.glob(f"{bot.bundle}.*.*")]
