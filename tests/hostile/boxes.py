"""Putting a bot's text into a real box, and listening to it."""

import fcntl
import json
import os
import select
import tempfile
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path

from tests.patience import looks
from workers.sandbox import cgroups
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Exit, Limits
from workers.sandbox.tiers import Plan

NUMBERS = count()
DEADLINE_S = 20
SMALL = Limits(memory_mb=200, threads=8, temp_mb=2, files_mb=1, cpu_s=10)


def bundle(arena: Arena, source: str, **modules: str) -> str:
    """A new bundle in the arena's store: `bot.py`, and other modules by name. Its name there."""
    name = f"bundle{next(NUMBERS)}"
    folder = arena.store / name
    folder.mkdir()
    for module, text in {"bot": source, **modules}.items():
        (folder / f"{module}.py").write_text(text)
    return name


def start(arena: Arena, source: str, limits: Limits = SMALL) -> Box:
    return arena.spawn(bundle(arena, source), "bot.py", limits)


def run(arena: Arena, source: str, say: str = "", limits: Limits = SMALL) -> tuple[str, str, Exit]:
    """Run a bot to its end. What it wrote, what it complained of, and how it ended."""
    with start(arena, source, limits) as box:
        os.write(box.stdin, say.encode())
        output, errors = hear_all(box.stdout), hear_all(box.stderr)
        assert box.ended(DEADLINE_S), f"the bot did not end; it said: {output}{errors}"
        return output, errors, box.wait()


def hear(box: Box) -> str:
    """The next thing it writes."""
    assert ready(box.stdout), "the bot is silent"
    return os.read(box.stdout, 65536).decode()


def hear_all(pipe: int) -> str:
    text = b""
    while ready(pipe) and (more := os.read(pipe, 65536)):
        text += more
    return text.decode(errors="replace")


def ready(pipe: int) -> bool:
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    return bool(poll.poll(DEADLINE_S * 1000))


def wait_until(condition: Callable[[], bool]) -> None:
    assert any(condition() for _ in looks(DEADLINE_S)), "it did not come about in time"


def of_store(store: Path) -> list[int]:
    """Return all living processes that belong to an arena on this store: its path is in their command line."""
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and names(entry, str(store))]


def names(process: Path, text: str) -> bool:
    try:
        return text in (process / "cmdline").read_text() and "State:\tZ" not in (process / "status").read_text()
    except OSError:
        return False


def groups(arena: Arena) -> list[Path]:
    """The folders of its bots' groups."""
    name = getattr(arena._zygotes[()], "group", "") or "none"  # a far arena's are not ours to see
    return sorted(group for tree in cgroups.own_trees() for group in tree.folder.glob(f"{name}/*/"))


@cache
def why_not(plan: Plan) -> str:
    """Return what is in the way of this plan here, for this user, if anything. The processes of a run try it once."""
    with Path(os.environ["RUN_FOLDER"], f"plan-{title(plan)}.json").open("a+") as answer:
        fcntl.flock(answer, fcntl.LOCK_EX)
        answer.seek(0)
        if not (noted := answer.read()):
            noted = json.dumps(tried(plan))
            answer.write(noted)
        return str(json.loads(noted))


def tried(plan: Plan) -> str:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        try:
            Arena(Path(folder), plan, 10).close()
        except SandboxError as refusal:
            return str(refusal)
    return ""


def title(plan: Plan) -> str:
    return f"{plan.tier}-{'own-user' if plan.own_user else 'same-user'}"
