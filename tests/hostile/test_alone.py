"""Static programs, each in a copy of its own: their threads may wait anywhere, and no two bots meet in one file."""

import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.hostile.boxes import SMALL, bundle
from tests.hostile.test_programs import run
from tests.hostile.test_whispers import FUTEX, woken
from workers.sandbox.arena import Arena
from workers.sandbox.program import Program

WITHOUT = ("pure",)
C = f"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static const unsigned place = 7;
int main(int count, char **arguments) {{
    char line[16] = "", *again[] = {{arguments[0], 0}}, *none[] = {{0}};
    fgets(line, sizeof line, stdin);
    if (!strcmp(line, "listen\\n")) {{
        puts("listening");
        fflush(stdout);
        syscall({FUTEX}, &place, 0, 7, 0, 0, 0);
        pause();
    }} else if (!strcmp(line, "wake\\n"))
        printf("%ld\\n", syscall({FUTEX}, &place, 1, 1, 0, 0, 0));
    else {{
        int file = open(arguments[0], O_RDONLY);
        puts(file >= 0 && mmap(0, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED ? "not mapped" : "MAPPED");
        fflush(stdout);
        execve(again[0], again, none);
        execveat(AT_FDCWD, again[0], again, none, 0);
        execveat(file, "", again, none, AT_EMPTY_PATH);
        puts("not executed");
    }}
}}
"""
ALONE = Program(("{bundle}/bot",), alone=True)


def test_static_programs_do_not_meet_in_the_file_that_both_are(arena: Arena, compiled: str) -> None:
    assert woken(lambda: arena.spawn(compiled, "bot", SMALL, ALONE)) == "0\n"


def test_a_static_program_maps_no_file_and_is_the_only_one_that_it_executes(arena: Arena, compiled: str) -> None:
    output, errors, end = run(arena, ALONE, "try\n", name=compiled, entry="bot")
    assert (output, errors, end.code) == ("not mapped\nnot executed\n", "", 0)


def test_a_program_that_loads_libraries_is_not_run_alone(arena: Arena) -> None:
    name = bundle(arena, "")
    shutil.copy("/bin/true", arena.store / name / "bot")
    _, complaints, end = run(arena, ALONE, name=name, entry="bot")
    (arena.store / name / "bot").unlink()
    assert (end.code, "cannot be run" in complaints) == (126, True)


@pytest.fixture
def compiled(arena: Arena) -> Iterator[str]:
    """A bundle that is a static program, as two of the same author may well be."""
    folder = arena.store / bundle(arena, "")
    subprocess.run(["gcc", "-static", "-x", "c", "-", "-o", folder / "bot"], input=C, text=True, check=True)
    yield folder.name
    (folder / "bot").unlink()
