"""Which tier one gets: the strongest that holds, the one asked for, or none; and no sandbox only by asking twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.boxes import (
    DEADLINE_S,
    SMALL,
    bundle,
    hear,
    hear_all,
    of_store,
    run,
    start,
    title,
    wait_until,
    why_not,
)
from tests.hostile.test_layers_removed import OF_NAMESPACES, weaken
from workers.sandbox.arena import Arena, plans_down_to
from workers.sandbox.errors import SandboxError
from workers.sandbox.tiers import PLANS, Plan


@pytest.mark.parametrize("possible", plans_down_to("pure"), ids=title)
def test_attacks_are_tried_on_every_plan_that_works_here(possible: Plan) -> None:
    if reason := why_not(possible):
        pytest.skip(f"NOT TESTED: attacks on {title(possible)}: {reason}")


def test_the_tier_that_is_asked_for_is_given(store: Path, plan: Plan) -> None:
    with Arena.start(store, tier=plan.tier) as arena:
        assert arena.tier == plan.tier


def test_a_tier_asked_for_that_is_not_there_is_refused_with_the_reason(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weaken(monkeypatch, OF_NAMESPACES["network"][0])
    with pytest.raises(SandboxError, match="still in the host's namespaces: net") as error:
        Arena.start(store, tier="namespaces")
    assert error.value.code == "tier_not_here"


def test_no_sandbox_has_to_be_asked_for_twice(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_UNSAFE", raising=False)
    with pytest.raises(SandboxError) as error:
        Arena.start(store, minimum="dev")
    assert error.value.code == "unsafe"


def test_no_sandbox_is_never_fallen_into(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_UNSAFE", "1")
    weaken(monkeypatch, "seccomp.install = lambda program: None")
    with pytest.raises(SandboxError) as error:
        Arena.start(store, minimum="pure")
    assert error.value.code == "no_sandbox"
    assert "dev" not in {plan.tier for plan in PLANS}


def test_no_sandbox_says_so_and_still_has_limits_and_leaves_nobody(
    store: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARENA_UNSAFE", "1")
    with Arena.start(store, minimum="dev") as arena:
        assert arena.tier == "UNSAFE"
        assert "no sandbox" in capfd.readouterr().err
        assert run(arena, "open('/etc/passwd'); print('read')")[0] == "read\n"
        assert run(arena, "x = bytearray(1 << 30)")[2].code == 1
        with start(arena, "import os\nprint(os.fork() and os.getpid(), flush=True)\nwhile True: pass") as box:
            hear(box)
        wait_until(lambda: len(of_store(store)) == 1)  # the zygote


PURE = [plan for plan in PLANS if plan.tier == "pure" and not plan.own_user]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with Arena(tmp_path_factory.mktemp("pure"), PURE[0], 500) as arena:
        yield arena


def test_python_alone_imports_what_its_bundle_brings(alone: Arena) -> None:
    name = bundle(alone, "import cards.deck, rules\nprint(cards.deck.SIZE, rules.NAME, __file__)", rules="NAME = 'x'")
    (alone.store / name / "cards").mkdir()
    (alone.store / name / "cards" / "__init__.py").write_text("")
    (alone.store / name / "cards" / "deck.py").write_text("from . import __name__ as up\nSIZE = up + '!'")
    with alone.spawn(name, "bot.py", SMALL) as box:
        assert hear(box) == "cards! x /bot/bot.py\n"


def test_python_alone_shows_the_lines_of_its_bundle_in_a_traceback(alone: Arena) -> None:
    name = bundle(alone, "import rules\nrules.wrong()", rules="def wrong():\n    return 1 / 0")
    with alone.spawn(name, "bot.py", SMALL) as box:
        complaints = hear_all(box.stderr)
        box.ended(DEADLINE_S)
    assert "return 1 / 0" in complaints
    assert "rules.wrong()" in complaints


def test_python_alone_reads_its_data_through_its_loader(alone: Arena) -> None:
    read = (
        "print(__loader__.get_data('/bot/rules.py').decode())\ntry: open('rules.py')\nexcept OSError: print('no file')"
    )
    with alone.spawn(bundle(alone, read, rules="7"), "bot.py", SMALL) as box:
        assert hear_all(box.stdout) == "7\nno file\n"
