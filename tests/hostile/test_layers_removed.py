"""Fail closed: take any one layer away by force, and the self-test refuses the arena."""

import os
import re
from pathlib import Path

import pytest

from workers.sandbox import Arena, SandboxError, arena
from workers.sandbox.tiers import Plan

IMPORT = (
    "from workers.sandbox import cgroups, child, landlock, limits, namespaces, privileges, seccomp, syscalls, tiers; "
    "call = syscalls.call; "
)

# How each is taken away, and what the self-test says then.
LAYERS = {
    "seccomp": ("seccomp.install = lambda program: None", "open a unix socket"),
    "landlock": ("landlock.confine = lambda *_, **__: None", "list /"),
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
    "a user for each": ("tiers.take_user = namespaces.take_user = lambda pid: None", "keep the worker's user"),
}
OF_NAMESPACES = {
    "namespaces": ("namespaces.enter = lambda **_: None", "not where it should be"),
    "network": ("namespaces.SHARED_BY_ALL &= ~namespaces.NEWNET", "in the host's namespaces: net"),
    "names in memory": ("namespaces.SHARED_BY_ALL &= ~namespaces.NEWIPC", "in the host's namespaces: ipc"),
    "processes": ("namespaces.Namespaces.fork = lambda self: __import__('os').fork()", "not where it should be"),
    "user": ("namespaces.Namespaces.change_user = lambda self: None", "keep the worker's user"),
    "store taken out": (  # and with it Landlock, which would forbid the store as well
        (
            "syscalls.call = lambda name, *rest: 0 if rest[0] == b'/store' else call(name, *rest); "
            "namespaces.Namespaces.lock = lambda self, _, rules: (tiers.drop_privileges(), seccomp.install(rules))"
        ),
        r"read /store/self-test-\w+/secret.py",
    ),
}


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


@pytest.mark.parametrize("layer", [*LAYERS, *OF_NAMESPACES])
def test_without_it_no_bot_runs(store: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch, layer: str) -> None:
    change, reason = (LAYERS | OF_NAMESPACES)[layer]
    weaken(monkeypatch, change)
    if is_built_of(plan, layer):
        assert re.search(reason, refusal(store, plan))
    else:
        Arena(store, plan, 10).close()


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
    weaken(monkeypatch, "landlock.version = lambda: 0")
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
