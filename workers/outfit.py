"""What a match worker plays with, by its environment: bundles, a sandbox, languages."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from redis import Redis

from workers import bot_runner, capacity, languages
from workers.bot_runner import Bare, BotRunner
from workers.bundles import Shelf, own_folder
from workers.match import Kit
from workers.sandbox.errors import SandboxError
from workers.sandbox.far import connect
from workers.sandbox.wasm import TIER, pack
from workers.settings_numbers import whole_number

SECRETS: Final = ("DATABASE_URL", "SECRET_KEY", "SECRET_KEY_FALLBACKS")
CACHE_MB = 1024  # of bundles, for all workers of a machine

log = logging.getLogger(__name__)


def refuse_secrets(environment: Mapping[str, str]) -> None:
    """Raises ValueError where this process knows what strangers' code must not."""
    if held := [name for name in SECRETS if environment.get(name)]:
        raise ValueError(f"it runs strangers' code and must not know {' or '.join(held)}: start it without")


def make_kit(worker: str, site: str, token: str, live: Redis | None = None) -> Kit:
    """Raises OSError, ValueError, SandboxError: without any of it no order is taken."""
    cache_mb = whole_number(os.environ, "WORKER_CACHE_MB", CACHE_MB, 10**6)
    shelf = Shelf(own_folder(os.environ.get("WORKER_CACHE", "")), site, token, cache_mb << 20)
    shelf.unpacked.mkdir(exist_ok=True)
    shelf.clear_leftovers()
    arena = _bot_runner(shelf.unpacked)
    log.info("sandbox: %s with %s", arena.tier, " and ".join(arena.extras) or "nothing besides")
    tools = arena.tools if isinstance(arena, Bare) else languages.find_tools(arena)
    log.info("bots in %s", ", ".join(tool.version for tool in tools.values()))
    return Kit(worker, shelf, arena, tools, live=live)


def worker_offers(kit: Kit) -> list[str]:
    """Its languages, the deterministic division where that is built, and what its machine has."""
    has = [*kit.tools, *capacity.offered(capacity.this_machine())]
    try:
        pack.find_pack()
    except SandboxError as reason:
        log.info("no deterministic division: %s", reason)
        return has
    return [*has, TIER]


def _bot_runner(store: Path) -> BotRunner:
    """The worker's own sandbox, or the arena that serves at ARENA_SOCKET."""
    minimum, tier = (os.environ.get(name, "") for name in ("MIN_SANDBOX", "SANDBOX"))
    if served := os.environ.get("ARENA_SOCKET"):
        if tier:
            raise ValueError("SANDBOX asks for a tier of this worker's own, and ARENA_SOCKET for another's; unset one")
        return connect(served, store, minimum=minimum or bot_runner.LEAST)
    return bot_runner.find_runner(store, minimum=minimum, tier=tier)
