"""Fail closed: take any one layer away by force, and the self-test refuses the arena."""

from pathlib import Path

import pytest

from workers.sandbox import Arena, SandboxError, arena
from workers.sandbox.tiers import Plan

IMPORT = "from workers.sandbox import child, landlock, limits, namespaces, seccomp, tiers; "
LAYERS = {
    "seccomp": "seccomp.install = lambda program: None",
    "landlock": "landlock.confine = lambda read, write: None",
    "privileges": "tiers.drop_privileges = lambda: None",
    "limits": "limits.Limits.apply = lambda self, **_: None",
    "parent death": "child.die_with_parent = lambda parent: None",
    "descriptors": "child.keep_only = lambda *_: None",
}
OF_NAMESPACES = {
    "namespaces": "namespaces.enter = lambda **_: None",
    "network": "namespaces.SHARED_BY_ALL &= ~namespaces.NEWNET",
    "processes": "namespaces.Namespaces.fork = lambda self: __import__('os').fork()",
    "user": "namespaces.Namespaces.change_user = lambda self: None",
    "store taken out": "namespaces.MNT_DETACH = 0; namespaces.Namespaces.show = tiers.Tier.show",
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


@pytest.mark.parametrize("layer", LAYERS)
def test_without_it_no_bot_runs(store: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch, layer: str) -> None:
    weaken(monkeypatch, LAYERS[layer])
    assert refusal(store, plan)


@pytest.mark.parametrize("layer", OF_NAMESPACES)
def test_without_it_no_bot_runs_in_namespaces(
    store: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch, layer: str
) -> None:
    weaken(monkeypatch, OF_NAMESPACES[layer])
    if plan.tier == "namespaces":
        assert refusal(store, plan)
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
    weaken(monkeypatch, OF_NAMESPACES["network"])
    with pytest.raises(SandboxError) as error:
        Arena.start(store, minimum="namespaces")
    assert error.value.code == "no_sandbox"
    assert "still in the host's namespaces: net" in str(error.value)


def test_with_every_tier_broken_there_is_no_arena(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weaken(monkeypatch, LAYERS["seccomp"])
    with pytest.raises(SandboxError) as error:
        Arena.start(store, minimum="landlock")
    assert error.value.code == "no_sandbox"


def test_an_unknown_machine_has_no_sandbox(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.sandbox.syscalls.NUMBERS", {})
    with pytest.raises(SandboxError, match="knows x86_64 and aarch64"):
        Arena.start(store)
