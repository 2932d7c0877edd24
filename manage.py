#!/usr/bin/env python3
"""The one entry point: `python3 manage.py up`, `test`, `boardroom` and others, and every command of Django's.

Until `.venv` holds what the lock file names, this file uses the standard library alone. It makes the environment
(with uv where there is one or one can be fetched, else with pip) and starts itself again inside it.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import select
import shutil
import ssl
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

if sys.platform != "win32":
    import fcntl

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed-from"
# Inside .venv, which has no pip of its own, the Python that it was made with.
INSTALLER = getattr(sys, "_base_executable", sys.executable) if Path(sys.prefix) == VENV else sys.executable
TOOLS = ROOT / ".tools"
PRODUCT = ROOT / "requirements.lock"
WASM = ROOT / "workers" / "sandbox" / "wasm" / "requirements.lock"  # an extra: the deterministic division
TESTS = ROOT / "tests" / "requirements.lock"  # everything the product has, and the tools of its developers
EVERYTHING = {"--full-budgets"}  # options of `test` for a whole run
OWN = {  # commands that Django does not know, and what follows their description
    "install": "It takes no arguments.",
    "wasm": "It takes no arguments.",
    "test": "`test --help` lists pytest's options.",
    "boardroom": "`boardroom --help` lists its commands.",
    "worker": "`worker --help` lists its options.",
}
ELSEWHERE = {"boardroom": "bots.command.__main__", "worker": "workers.door_worker"}  # they read their own arguments
PLAIN = ("install", "wasm")  # those without arguments
UNREAD = 141  # the exit code of a program that nobody reads: 128 and the number of SIGPIPE
WINDOWS = (
    "Boardroom does not run on Windows itself: Celery does not support it. Use WSL 2 (wsl --install), which is Linux; "
    "there the same command works, and the sandbox with it."
)


class CannotInstall(Exception):
    """The environment could not be made; the message says why and what would help."""


def stamp_for(lock: Path) -> str:
    """What an environment made from `lock` writes down: its interpreter (an upgraded one voids it) and the lock."""
    return f"{PYTHON.resolve()} {hashlib.sha256(lock.read_bytes()).hexdigest()}"


def is_ready(lock: Path) -> bool:
    return PYTHON.exists() and STAMP.exists() and stamp_for(lock) in STAMP.read_text().splitlines()


def run(what: str, *command: str | Path) -> None:
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    known = ssl.get_default_verify_paths()
    if known.cafile or known.capath:  # a proxy between us and the index signs with what the system trusts
        environment["UV_SYSTEM_CERTS"] = "1"
    try:
        subprocess.run(
            [str(part) for part in command],
            check=True,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except subprocess.CalledProcessError as failed:
        raise CannotInstall(failure(what, failed.stdout)) from None
    except OSError as failed:
        raise CannotInstall(failure(what, str(failed))) from None


def failure(what: str, output: str) -> str:
    reason = "\n".join(f"    {line}" for line in output.strip().splitlines()[-8:])
    return (
        f"{what} failed:\n{reason}\n"
        "The first run needs a connection to a Python package index (behind a proxy, set HTTPS_PROXY). "
        "Nothing half-made is kept: run the same command again."
    )


def has_pip() -> bool:
    return subprocess.run([INSTALLER, "-m", "pip", "--version"], check=False, capture_output=True).returncode == 0


def find_uv() -> str | None:
    """uv from PATH, or the copy that pip once fetched into `.tools`."""
    return shutil.which("uv") or shutil.which("uv", path=str(TOOLS / "bin"))


def install(lock: Path) -> None:
    """Make `.venv` hold what `lock` names. Whatever has no stamp is the rest of an interrupted run: start afresh."""
    if not find_uv() and not has_pip():
        raise CannotInstall("There is neither uv nor pip here. Install one of them (Debian: apt install python3-pip).")
    print(f"Installing what {lock.relative_to(ROOT)} names into .venv (once) ...", file=sys.stderr, flush=True)
    if not (PYTHON.exists() and STAMP.exists() and STAMP.read_text().startswith(f"{PYTHON.resolve()} ")):
        make_environment()
    STAMP.unlink(missing_ok=True)
    fill(lock)
    held = {lock, PRODUCT}  # the lock of the tests holds every line of the product's
    STAMP.write_text("\n".join(sorted(map(stamp_for, held))) + "\n")


def make_environment() -> None:
    """`.venv`, empty, with the system's Python where that is the quicker one, else with this."""
    if system := quicker_python():
        with contextlib.suppress(CannotInstall):  # some systems have but a part of a Python
            run("Making .venv", system, "-m", "venv", "--clear", "--symlinks", "--without-pip", VENV)
            print(f"with {system}: {sys.executable} was compiled without optimisations.", file=sys.stderr, flush=True)
            return
    venv.create(VENV, clear=True, symlinks=True, with_pip=False)


def quicker_python() -> str | None:
    """The system's Python of this version, if this one was compiled without optimisations and takes 1.3 times as long.

    pyenv and a plain `configure` compile so unless told otherwise; systems and images do not.
    """
    system = shutil.which(f"python{sys.version_info.major}.{sys.version_info.minor}", path=os.defpath)
    is_optimised = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    return None if is_optimised or not system or Path(system).samefile(sys.executable) else system


def fill(lock: Path) -> None:
    """With uv, which pip fetches where there is none; should that fail, with pip, which takes thrice as long."""
    pip, hashed = (INSTALLER, "-m", "pip"), ("--require-hashes", "-r")
    try:
        if not find_uv():
            run("Fetching uv", *pip, "install", "-q", "--upgrade", "--target", TOOLS, *hashed, ROOT / "installer.lock")
        run("Installing with uv", find_uv() or "uv", "pip", "install", "-q", "--python", PYTHON, *hashed, lock)
    except CannotInstall:
        if not has_pip():
            raise
        # It fills an environment it does not live in: no ensurepip is needed, and no system's Python is changed.
        run("Installing with pip", *pip, "--python", PYTHON, "install", "-q", *hashed, lock)


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Two commands started together on a fresh checkout: the second waits until the first has installed."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def enter_environment(lock: Path) -> None:
    """Return inside `.venv`, made from `lock`; outside it, replace this process by the same command inside."""
    if not is_ready(lock):
        with one_at_a_time():
            if not is_ready(lock):
                install(lock)
    if Path(sys.prefix) != VENV:
        os.execv(PYTHON, [str(PYTHON), str(ROOT / "manage.py"), *sys.argv[1:]])


def import_from_here() -> None:
    """As Python does unless PYTHONSAFEPATH is set: our modules lie beside this file, where our processes start too."""
    os.environ.pop("PYTHONSAFEPATH", None)
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  others may try
        print(f"Boardroom needs Python 3.11 or newer; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 2
    if sys.platform == "win32":
        print(WINDOWS, file=sys.stderr)
        return 2
    import_from_here()
    if (code := tell_of_own(*sys.argv[1:])) is not None:
        return code
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    try:
        enter_environment(TESTS if command in ("test", "bench") else PRODUCT)
    except CannotInstall as problem:
        print(problem, file=sys.stderr)
        return 2
    if command == "install":  # that was it: for images, and for machines that will lose their network
        make_ready()
        return 0
    if command == "test":
        return run_tests(sys.argv[2:])
    if command == "wasm":
        return build_wasm()
    if command in ELSEWHERE:
        return int(importlib.import_module(ELSEWHERE[command]).main(sys.argv[2:]))
    if sys.argv[1:] in ([], ["help"], ["--help"], ["-h"]):
        print_overview()
        return 0
    entry = importlib.import_module("tournaments.ops.launcher.main")  # it needs what was just installed
    return int(entry.main(sys.argv[1:]))


def tell_of_own(command: str = "help", *rest: str) -> int | None:
    """Tell of a command that Django does not know, or refuse its arguments: the exit code. None if neither is asked."""
    name = rest[0] if command == "help" and rest else command
    if name not in OWN or not rest or (command not in PLAIN and command != "help"):
        return None
    is_asked = command == "help" or bool({"-h", "--help"} & set(rest))
    about = importlib.import_module("tournaments.ops.launcher.overview").OURS[name]
    print(f"python3 manage.py {name}: {about}. {OWN[name]}", file=sys.stdout if is_asked else sys.stderr)
    return 0 if is_asked else 2


def print_overview() -> None:
    apps = importlib.import_module("tournaments.settings").INSTALLED_APPS
    print(importlib.import_module("tournaments.ops.launcher.overview").overview(apps))


def make_ready() -> None:
    """What the first start would make: a cluster to copy. An image gets its packages before the sources, so none."""
    if (ROOT / "tournaments").exists():
        subprocess.run([sys.executable, "-m", "tournaments.ops.launcher.ready_cluster"], check=False, cwd=ROOT)


def build_wasm() -> int:
    """The deterministic division: its two packages, and what is built with them, all in .venv. Half a minute, once."""
    try:
        with one_at_a_time():
            fill(WASM)
    except CannotInstall as problem:
        print(problem, file=sys.stderr)
        return 2
    return subprocess.run([sys.executable, "-m", "workers.sandbox.wasm.build"], check=False, cwd=ROOT).returncode


def run_tests(arguments: list[str]) -> int:
    """With no arguments but a whole run's: style, types and the tests. With others: what pytest makes of them."""
    low = max(10, os.getpriority(os.PRIO_PROCESS, 0))
    os.setpriority(os.PRIO_PROCESS, 0, low)  # as match workers have, which would wait for all other tests
    if {argument.partition("=")[0] for argument in arguments} - EVERYTHING:
        return start_tool("pytest", *arguments).wait()
    for style in (["check", "-q"], ["format", "-q", "--check"]):
        if code := start_tool("ruff", *style).wait():
            return code
    # Many tests wait for processes: a worker more than cores keeps these busy. Each needs 20 s to collect the tests.
    workers = ("-n", str(min(7, 1 + (os.cpu_count() or 1))), "--dist", "worksteal")
    with start_tool("mypy") as types:
        try:
            return start_tool("pytest", *arguments, *workers).wait() or types.wait()
        finally:
            types.terminate()


def start_tool(*command: str) -> subprocess.Popen[bytes]:
    # Some machines have Python keep no bytecode. The tests start hundreds of processes, and each would compile again.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, env=environment)


def run_command() -> int:
    """Return the exit code; without a word where whoever read the output has left, as in `manage.py help | head`."""
    try:
        try:
            return main()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        if not (unread := [stream for stream in (1, 2) if is_unread(stream)]):
            raise  # it was another pipe
        for stream in unread:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)  # for what is in the buffer
        return UNREAD


def is_unread(stream: int) -> bool:
    """Whether nobody can read any more what goes to this descriptor."""
    poll = select.poll()
    poll.register(stream, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


if __name__ == "__main__":
    sys.exit(run_command())
