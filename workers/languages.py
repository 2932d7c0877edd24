"""Bots of every language in the sandbox: what this worker can run, proved by running it, and how it starts a bot."""

import logging
from collections.abc import Callable, Mapping

from bots.bundle import Bundle, read_bundle, remove_unpacked, unpack
from bots.languages import ALL, Language, Missing, Tool
from bots.languages.python import Python
from workers import capability_cache
from workers.building import FAILED, Build, build_program, listen
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import Limits
from workers.sandbox.program import BUNDLE, Program

Tools = Mapping[str, Tool]  # by what a bundle may need
PATIENCE_S = 30.0

log = logging.getLogger(__name__)


class NotHere(Exception):
    """The platform's fault: a bot was sent to a worker that cannot run it."""


def prepare(arena: Arena, bundle: Bundle, tools: Tools, stopped: Callable[[], bool] = bool) -> None:
    """Build a bundle, if it has to be and was not built here before. Raises as `spawn` does, and Stopped."""
    if bundle.language.built and (tool := tools.get(bundle.need)):
        build_program(Build(arena, bundle.folder, bundle.manifest.entry, bundle.language, tool, stopped))


def spawn(arena: Arena, bundle: Bundle, tools: Tools, limits: Limits) -> Box:
    """Start a bundle that is unpacked in the arena's store. Raises NotHere, Missing, SandboxError or OSError."""
    language, entry = bundle.language, bundle.manifest.entry
    if language.name == "python":
        return arena.spawn(bundle.folder, entry, limits)  # a copy of the zygote, which has Python running already
    if not (tool := tools.get(bundle.need)):
        raise NotHere(f"a bot needs {bundle.need}, which this worker does not have")
    if isinstance(language, Python):
        return arena.spawn(bundle.folder, entry, limits, packages=tool.reads)
    folder = bundle.folder
    if language.built:
        home = build_program(Build(arena, folder, entry, language, tool))
        if (home / FAILED).is_file():
            return arena.spawn(home.name, FAILED, limits)
        folder = home.name
    argv = tuple(language.run(tool, BUNDLE, entry, limits.memory_mb))
    if language.alone:
        return arena.spawn(folder, entry, limits, Program(argv, alone=True, reserves_mb=language.reserves_mb))
    return arena.spawn(folder, entry, limits, Program(argv, tool.reads, reserves_mb=language.reserves_mb))


def find_tools(arena: Arena) -> dict[str, Tool]:
    """The tools by language that this worker offers: those on this machine whose trial succeeds in the sandbox."""
    tools: dict[str, Tool] = {}
    with capability_cache.locked_cache(arena) as proved:
        for language in (candidate for candidate in ALL if not candidate.home_only):
            try:
                tools[language.offer()] = _proved(arena, language, proved)
            except (Missing, SandboxError, OSError) as reason:
                log.info("no bots in %s: %s", language.title, reason)
    arena.end_programs()  # 25 to 50 MB for each language that was tried
    return tools


def _proved(arena: Arena, language: Language, proved: capability_cache.CapabilityCache) -> Tool:
    """The language as it was found here. Raises Missing, SandboxError or OSError."""
    tool = language.detect()
    if not proved.holds(language, tool):
        prove_language(arena, language, tool)
        proved.keep(language, tool)
    return tool


def prove_language(arena: Arena, language: Language, tool: Tool) -> None:
    """Raises SandboxError (`language_fails`) if the language's trial does not say what it should, or cannot run."""
    ending = next(iter(language.endings), "")
    bundle = read_bundle(language.trial, f"trial{ending}")
    unpack(bundle, arena.store)
    with spawn(arena, bundle, {bundle.need: tool}, Limits()) as box:
        output = listen(box, PATIENCE_S)
    if output != b"ready\n":
        for home in arena.store.glob(f"{bundle.folder}.*"):
            remove_unpacked(home)  # when the machine is mended it must be built anew
        heard = output[:500].decode("utf-8", "replace").strip() or "nothing"
        raise SandboxError("language_fails", f"{tool.version} fails in the sandbox; its trial said: {heard}")
