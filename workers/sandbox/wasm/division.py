"""The deterministic division, for those who play in it and for those who check what was played."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bots.bundle import Bundle
from bots.process import Local
from bots.protocol import Clock, Output
from bots.table import USUAL
from engine.game import AnyGame, Options
from engine.records import to_plain
from engine.replay import Terms
from workers.sandbox.arena import Arena
from workers.sandbox.limits import Limits
from workers.sandbox.wasm.pack import RUNNER, Pack
from workers.sandbox.wasm.table import FuelTable
from workers.sandbox.wasm.turns import Hold, Program, Running

JAILS = ("namespaces", "landlock")  # the tiers of the arena that a runner, which has files of its own, can live in
ROOMY = Limits(memory_mb=16_384, cpu_s=86_400)  # of addresses, most never used: the bot's own limit is the component's


def fuel_terms(pack: Pack, clock: Clock, limits: Limits, output: Output = USUAL) -> Terms:
    return Terms(pack.name, memory_mb=limits.memory_mb, **to_plain(clock), **to_plain(output))


def program_of(bundle: Bundle, folder: Path) -> Program:
    """The bot unpacked in `folder`. In place of one that cannot be run here plays one that says why and is gone."""
    if bundle.manifest.language != "python":
        sentence = f"the deterministic division takes Python with its own library; this is {bundle.language.title}"
        return Program({"bot.py": f"raise SystemExit({sentence!a})\n".encode()}, "bot.py")
    files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return Program({name: path.read_bytes() for name, path in files.items()}, bundle.manifest.entry)


def open_fuel_table(
    pack: Pack, programs: Sequence[Program | None], game: AnyGame, options: Options, terms: Terms, arena: Arena | None
) -> FuelTable:
    """A fresh runner for each bot: in the arena where there is one fit for it, else in a process of its own."""
    with ExitStack() as started:
        holds: list[Hold | None] = []
        for program in programs:
            hold = Hold(_process(pack, arena)) if program else None
            holds.append(hold)
            if hold:
                started.callback(hold.leave)
        table = FuelTable(holds, programs, game, options, terms)
        started.pop_all()  # from here on the table ends them
    return table


def _process(pack: Pack, arena: Arena | None) -> Running:
    if arena and arena.tier in JAILS:
        pack.put_into(arena.store)
        return arena.spawn(pack.name, RUNNER, ROOMY)
    return Local(pack.folder, RUNNER, environment={})  # ours may hold the worker's token
