"""Where a worker's bots run: an arena, or an alternative where the kernel supports none.

The order of detection that arena.py describes ends here, with two tiers that ask nothing of the kernel, and so work on
other systems than Linux too:

    wasm   every match is played in WebAssembly: Python bots alone, a ladder's clock counted in fuel, as in the
           deterministic division. The machine keeps a bot in; no second wall is around it.
    dev    no sandbox: ordinary processes, Python alone. (On Linux the arena has its own `dev`, with more limits.)
           It is in no order of strength, and takes MIN_SANDBOX=dev and ARENA_UNSAFE=1 together.
"""

import resource
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from bots.bundle import Bundle
from bots.languages import LANGUAGES
from bots.process import Local
from workers.languages import NotHere
from workers.sandbox.arena import UNSAFE, Arena, insist_on_none
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import MB, Limits
from workers.sandbox.tiers import DEV
from workers.sandbox.wasm import TIER as WASM
from workers.sandbox.wasm import pack, selftest

LEAST = "landlock" if sys.platform == "linux" else WASM  # unless MIN_SANDBOX says otherwise


class Loose(Local):
    """A bot with no sandbox around it, but for the limits that this system knows."""

    def __init__(self, folder: Path, entry: str, limits: Limits) -> None:
        super().__init__(folder, entry, prepare=lambda: _bind(limits), environment={})  # ours holds the token

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait()


@dataclass(frozen=True, slots=True)
class Bare:
    """No arena. In the tier `wasm` matches need none; in the other one bots are ordinary processes."""

    store: Path
    tier: str
    extras: ClassVar[tuple[str, ...]] = ()
    counts_threads: ClassVar = False
    tools: ClassVar = {"python": LANGUAGES["python"].detect()}

    def admit(self, bundles: Iterable[Bundle]) -> None:
        """Raises NotHere if one of them cannot play on an ordinary ladder here."""
        if missing := {bundle.need for bundle in bundles} - self.tools.keys():
            raise NotHere(f"a bot needs {min(missing)}, and in the tier '{self.tier}' there is Python alone")

    def spawn(self, bundle: Bundle, limits: Limits) -> Loose:
        """A bot without a sandbox. Raises OSError."""
        return Loose(self.store / bundle.folder, bundle.manifest.entry, limits)

    def close(self) -> None:
        """Nothing is kept from match to match."""


BotRunner = Arena | Bare


def find_runner(store: Path, *, minimum: str = "", tier: str = "") -> BotRunner:
    """The strongest runner that holds, from `minimum` up, or `tier` exactly; for the bundles unpacked in `store`.

    Raises SandboxError as Arena.start does.
    """
    minimum = minimum or LEAST
    exactly = DEV if minimum == DEV else tier
    if exactly == WASM:
        return _wasm(store, "tier_not_here", f"The tier '{WASM}' does not work here.")
    if exactly == DEV and sys.platform != "linux":
        insist_on_none()
        return Bare(store.resolve(strict=True), UNSAFE)
    try:
        return Arena.start(store, minimum=minimum, tier=exactly or None)
    except SandboxError as refusal:
        if minimum != WASM or exactly or refusal.code not in ("no_sandbox", "unknown_machine"):
            raise
        return _wasm(store, "no_sandbox", f"{refusal} {WASM}:")


def _wasm(store: Path, code: str, before: str) -> Bare:
    """Raises SandboxError with that code, and that sentence before the reason."""
    try:
        selftest.prove_runner(pack.find_pack())
    except SandboxError as refusal:
        raise SandboxError(code, f"{before} {refusal}") from None
    return Bare(store.resolve(strict=True), WASM)


def _bind(limits: Limits) -> None:
    """Limit this process for good as far as the system lets it (macOS knows no limit of memory)."""
    values = {
        resource.RLIMIT_CPU: limits.cpu_s,
        resource.RLIMIT_AS: limits.memory_mb * MB,
        resource.RLIMIT_FSIZE: limits.files_mb * MB,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in values.items():
        with suppress(OSError, ValueError):
            resource.setrlimit(limit, (value, value))
