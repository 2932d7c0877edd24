"""Fail closed: take any one layer away by force, and the self-test refuses the arena."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.boxes import title
from tests.hostile.conftest import WORKING
from workers.sandbox import arena
from workers.sandbox.arena import Arena
from workers.sandbox.errors import SandboxError
from workers.sandbox.tiers import Plan

IMPORT = (
    "from workers.sandbox import cgroups, child, landlock, limits, namespaces, privileges, seccomp, syscalls, tiers; "
    "call = syscalls.call; "
)

# How each is taken away, and what the self-test says then.
LAYERS = {
    "seccomp": ("seccomp.install = lambda program: None", "open a unix socket"),
    "landlock": ("landlock.confine_files = landlock.prove_landlock = lambda *_, **__: None", "list /"),
    "limits": ("limits.Limits.apply = lambda self, **_: None", "take more memory than its limit"),
    "parent death": ("child.die_with_parent = lambda parent: None", "outlive its parent"),
    "descriptors": ("child.keep_only = lambda *_: None", "inherit a descriptor"),
    "environment": ("child.environment = lambda *_: {'SECRET': '7'}", "see the environment"),
    "no debugger": ("tiers.drop_privileges = lambda: syscalls.prctl(38, 1)", "keep privileges"),
    "no new privileges": ("tiers.drop_privileges = lambda: syscalls.prctl(4, 0)", "keep privileges|not permitted"),
    "no capability": (
        "syscalls.call = lambda name, *rest: 0 if name == 'capset' else call(name, *rest)",
        "by a capability",
    ),
    "a user for each": ("tiers.take_user = namespaces.take_user = lambda: None", "keep the worker's user"),
}
OF_NAMESPACES = {
    "namespaces": ("namespaces.enter = lambda **_: None", "not where it should be"),
    "network": ("namespaces.SHARED_BY_ALL &= ~namespaces.NEWNET", "in the host's namespaces: net"),
    "names in memory": ("namespaces.SHARED_BY_ALL &= ~namespaces.NEWIPC", "in the host's namespaces: ipc"),
    "processes": ("namespaces.Namespaces.fork = lambda self: __import__('os').fork()", "not where it should be"),
    "user": ("namespaces.Namespaces.change_user = lambda self: None", "keep the worker's user"),
}
ALL_LAYERS = LAYERS | OF_NAMESPACES
Case = tuple[str, Callable[[Plan], bool], str, str]


def any_plan(plan: Plan) -> bool:
    return bool(plan)


def own_user(plan: Plan) -> bool:
    return plan.own_user


def of(*tiers: str) -> Callable[[Plan], bool]:
    return lambda plan: plan.tier in tiers


CALL = "syscalls.call = lambda name, *rest: {} or call(name, *rest)"
# Layers that no other stands in for: each is taken away once, in the first plan that has it.
ONCE: list[Case] = [
    ("session", any_plan, "child.os.setsid = lambda: None", "stay in the worker's session"),
    ("futexes", any_plan, "seccomp.PRIVATE = (1, 0xFF, 0)", "meet others at a futex"),
    ("group", own_user, "privileges.os.setresgid = lambda *_: None", "keep the worker's group"),
    (
        *("further groups", own_user),
        *("privileges.os.setgroups([7]); privileges.os.setgroups = lambda _: None", "keep the worker's further groups"),
    ),
    (
        *("capabilities to gain", own_user, "privileges.syscalls.prctl(23, 0); privileges.PR_CAPBSET_DROP = 23"),
        "keep capabilities that it could gain",
    ),
    ("landlock", of("landlock"), CALL.format("'restrict' in name"), "said that Landlock is in force, and it is not"),
    ("landlock", of("pure"), CALL.format("'restrict' in name"), "said that Landlock is in force, and it is not"),
    (
        *("read-only bundle", of("namespaces")),
        "pick = namespaces.pick; namespaces.pick = lambda path, has: pick(path, has & (6 if 'self' in path else 7))",
        "/bot is mounted without its flags",
    ),
    (
        *("read-only root", of("namespaces")),
        "restrict = namespaces.restrict; namespaces.restrict = lambda *to: to[1] == '/' or restrict(*to)",
        "/ is mounted without its flags",
    ),
    ("nosuid", of("namespaces"), "namespaces.NO_SETUID = 0", "/bot is mounted without its flags"),
    ("store", of("namespaces"), CALL.format("rest[0] == b'/store'"), "see the store"),
]
HERE = [(case, plan) for case in ONCE for plan in [plan for plan in WORKING if case[1](plan)][:1]]


def weaken(monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    """The zygote's own start, with one change made just before its main function is called."""
    path, begin = arena.START.rsplit("; from ", 1)
    monkeypatch.setattr(arena, "START", f"{path}; {IMPORT}{change}; from {begin}")


def refusal(store: Path, plan: Plan) -> str:
    with pytest.raises(SandboxError) as error:
        Arena(store, plan, 10).close()
    assert error.value.code in ("self_test_failed", "box_not_built")
    assert list(store.iterdir()) == []
    return str(error.value)


def is_built_of(plan: Plan, layer: str) -> bool:
    """Nearly all layers are everywhere."""
    has_privileges = not plan.own_user and (os.geteuid() == 0 or plan.tier == "namespaces")
    exceptions = {
        "landlock": plan.tier != "pure",  # there, seccomp leaves no file to be forbidden
        "no debugger": not plan.own_user,  # who changes user cannot be debugged by that alone,
        "no capability": has_privileges,  # and has lost them
        "a user for each": plan.own_user,
    }
    return exceptions.get(layer, layer not in OF_NAMESPACES or plan.tier == "namespaces")


BUILT = [(layer, plan) for layer in ALL_LAYERS for plan in WORKING if is_built_of(plan, layer)]


@pytest.mark.parametrize(("layer", "where"), BUILT, ids=[f"{layer}-{title(where)}" for layer, where in BUILT])
def test_without_it_no_bot_runs(store: Path, monkeypatch: pytest.MonkeyPatch, layer: str, where: Plan) -> None:
    change, reason = ALL_LAYERS[layer]
    weaken(monkeypatch, change)
    assert re.search(reason, refusal(store, where))


@pytest.mark.parametrize(("case", "where"), HERE, ids=[f"{case[0]}-{title(where)}" for case, where in HERE])
def test_each_layer_is_proved_singly(store: Path, monkeypatch: pytest.MonkeyPatch, case: Case, where: Plan) -> None:
    weaken(monkeypatch, case[2])
    assert case[3] in refusal(store, where)


def test_a_machine_without_process_descriptors_is_told_apart(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: int) -> int:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", missing)
    with pytest.raises(SandboxError, match=r"There is no pidfd_open.* Linux 5\.3") as error:
        Arena.start(store)
    assert error.value.code == "no_sandbox"


def test_a_control_group_that_does_not_hold_is_noticed_where_it_alone_counts_threads(
    arena: Arena, store: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    weaken(monkeypatch, "cgroups.Groups.join = lambda self, bot: None")
    if "cgroup" in arena.extras and not plan.counts_threads:
        assert "start more threads than its limit" in refusal(store, plan)
    else:
        Arena(store, plan, 10).close()


def test_a_kernel_without_landlock_has_only_the_namespaces_tier(
    store: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    weaken(monkeypatch, "landlock.landlock_version = lambda: 0")
    if plan.tier == "landlock":
        assert "offers no Landlock" in refusal(store, plan)
    else:
        Arena(store, plan, 10).close()


def test_nothing_is_started_below_the_minimum(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weaken(monkeypatch, OF_NAMESPACES["network"][0])
    with pytest.raises(SandboxError) as error:
        Arena.start(store, minimum="namespaces")
    assert error.value.code == "no_sandbox"
    assert "still in the host's namespaces: net" in str(error.value)


def test_with_every_tier_broken_there_is_no_arena(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weaken(monkeypatch, LAYERS["seccomp"][0])
    with pytest.raises(SandboxError) as error:
        Arena.start(store, minimum="landlock")
    assert error.value.code == "no_sandbox"


def test_an_unknown_machine_has_no_sandbox(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.sandbox.syscalls.NUMBERS", {})
    with pytest.raises(SandboxError, match="x86_64 and aarch64"):
        Arena.start(store)
