"""Programs other than Python in the same boxes: a shell, a compiler, Node, a program of the bundle's own."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.hostile.boxes import DEADLINE_S, SMALL, bundle, hear_all
from workers.sandbox.arena import Arena
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Exit, Limits
from workers.sandbox.program import Program

WITHOUT = ("pure",)
SHELL = str(Path("/bin/sh").resolve())


def run(
    arena: Arena, program: Program, say: str = "", limits: Limits = SMALL, name: str = "", entry: str = "bot.py"
) -> tuple[str, str, Exit]:
    with arena.spawn(name or bundle(arena, "secret = 1"), entry, limits, program) as box:
        os.write(box.stdin, say.encode())
        os.close(box.stdin)
        box.stdin = -1
        output, errors = hear_all(box.stdout), hear_all(box.stderr)
        assert box.ended(DEADLINE_S), f"the program did not end; it said: {output}{errors}"
        return output, errors, box.wait()


def shell(text: str) -> Program:
    return Program((SHELL, "-c", text), reads=(SHELL,))


def test_a_program_runs_in_its_bundle_and_ends_with_its_own_code(arena: Arena) -> None:
    output, errors, end = run(arena, shell("read line; echo got $line; exit 5"), "this\n")
    assert (output, errors, end.code) == ("got this\n", "", 5)
    assert run(arena, shell("read line < bot.py; echo $line"))[0] == "secret = 1\n"


def test_where_the_bundle_is_can_be_an_argument(arena: Arena) -> None:
    program = Program((SHELL, "-c", 'read line < "$0/bot.py"; echo "$line"', "{bundle}"), reads=(SHELL,))
    assert run(arena, program)[0] == "secret = 1\n"


def test_the_helper_of_a_program_ends_on_request_and_the_next_bot_starts_it_again(arena: Arena) -> None:
    run(arena, shell("echo before"))
    helper = arena._zygotes[(SHELL,)]
    arena.end_programs()
    assert not helper.alive()
    assert arena._zygotes.keys() == {()}
    assert run(arena, shell("echo after"))[0] == "after\n"


ATTEMPTS = {
    "reading /etc/passwd": "read x < /etc/passwd",
    "writing to its bundle": "echo x > bot.py",
    "writing to /": "echo x > /new",
    "running what it was not given": "/usr/bin/env",
    "a pipe of processes": "echo x | read y",
    "a process in the background": "true &",
    "a signal to another": "kill -0 $PPID",
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_a_program_is_held_as_a_python_bot_is(arena: Arena, victim: int, attempt: str) -> None:
    ask = ATTEMPTS[attempt].replace("$PPID", str(victim))
    output, errors, _ = run(arena, shell(f"({ask}) && echo MANAGED" if "|" not in ask else ask))
    assert "MANAGED" not in output
    assert errors


def test_a_program_sees_four_variables_at_most_and_none_of_the_workers(arena: Arena) -> None:
    output = run(arena, shell("set"))[0]
    assert not [name for name in os.environ if f"\n{name}=" in output and name not in {"HOME", "LANG", "PATH", "PWD"}
                and name not in {"IFS", "OPTIND", "PPID", "PS1", "PS2", "PS4", "TMPDIR", "OLDPWD", "_"}]  # fmt: skip


def test_what_one_program_reads_is_there_for_no_other(arena: Arena) -> None:
    assert run(arena, shell("echo fine"))[0] == "fine\n"
    output, errors, end = run(arena, Program((SHELL, "-c", "echo MANAGED")))
    assert (output, end.code) == ("", 126)
    assert "cannot be run" in errors


def test_a_program_that_is_none_is_its_authors_fault(arena: Arena) -> None:
    _, complaints, end = run(arena, Program(("{bundle}/bot.py",)))
    assert end.code == 126
    assert "bot.py cannot be run: Permission denied" in complaints


@pytest.mark.parametrize(
    "wrong", [{"argv": ()}, {"argv": ("sh",)}, {"reads": ("lib",)}, {"reads": ("/",)}, {"reads": ("/usr/../etc",)}]
)
def test_a_program_that_makes_no_sense_is_refused(wrong: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(SandboxError) as error:
        Program(wrong.get("argv", ("/bin/sh",)), wrong.get("reads", ()))
    assert error.value.code == "bad_program"


@pytest.mark.parametrize("wrong", [{"reads": ("/no/such/folder",)}, {"writes": "nowhere"}])
def test_what_a_program_needs_must_be_there(arena: Arena, wrong: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(SandboxError) as error:
        arena.spawn(bundle(arena, ""), "bot.py", SMALL, Program(("/bin/sh",), **wrong))  # type: ignore[arg-type]
    assert error.value.code == "bad_program"


def test_reading_what_would_open_the_box_is_refused_by_the_self_test(arena: Arena) -> None:
    with pytest.raises(SandboxError) as error:
        run(arena, Program((SHELL,), reads=("/etc",)))
    assert error.value.code == "self_test_failed"
    assert "read /etc/passwd" in str(error.value)


def test_what_lies_behind_a_link_is_shown_alone(arena: Arena) -> None:
    """Java's settings are such: Debian keeps them in /etc and links there; of their folder there is no more to see."""
    with tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as shown:
        for folder in (kept, shown):
            Path(folder).chmod(0o755)  # the program's user is nobody we know
        Path(kept, "settings").write_text("told\n")
        Path(kept, "other").write_text("MANAGED\n")
        link = Path(shown, "link")
        link.symlink_to(f"{kept}/settings")
        ask = f"read x < {link} && echo $x; read x < {kept}/other && echo $x; echo x > {link} && echo MANAGED"
        output, errors, _ = run(arena, Program((SHELL, "-c", ask), reads=(SHELL, shown, str(link))))
        assert (output, len(errors.splitlines())) == ("told\n", 2)


@contextmanager
def a_folder_to_write(arena: Arena) -> Iterator[Path]:
    folder = arena.store / "built"
    folder.mkdir()
    folder.chmod(0o777)  # the program's user is nobody we know
    yield folder
    shutil.rmtree(folder)


def test_a_program_may_be_given_a_folder_to_write(arena: Arena) -> None:
    write = Program((SHELL, "-c", 'echo built > "$0/result"', "{writes}"), reads=(SHELL,), writes="built")
    with a_folder_to_write(arena) as folder:
        assert run(arena, write)[1] == ""
        assert (folder / "result").read_text() == "built\n"
        _, complaints, _ = run(arena, shell("echo x > ../built/result || echo x > /writes/result"))
        assert complaints
        assert (folder / "result").read_text() == "built\n"
