"""One match: an order's bundles, a fresh process for each seat, the referee, and the report of it."""

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import monotonic
from typing import cast

from redis import Redis

from bots.bundle import Bundle
from bots.languages import Missing
from bots.notes import noted
from bots.process import Process
from bots.table import ProcessTable, Stopped
from engine import replay
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.referee import PlatformFault, Played, seat_referee
from engine.replay import Terms
from workers import capacity
from workers.bot_runner import Bare, BotRunner, Loose
from workers.bundles import CannotFetch, LeaseOver, Shelf, ticket
from workers.languages import NotHere, Tools, prepare, spawn
from workers.live import broadcast
from workers.orders import Competitor, MatchOrder, Note, Order, Report, Stderr
from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.errors import SandboxError
from workers.sandbox.wasm import TIER, division, pack
from workers.sandbox.wasm.table import FuelTable

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Kit:
    """What a worker plays with. `worker` is its name in reports; `tools` are the languages that it offers besides
    Python; `voids` counts its matches void in a row; `live` gets the answers of a match while it is played."""

    worker: str
    shelf: Shelf
    arena: BotRunner
    tools: Tools = field(default_factory=dict)
    voids: int = 0
    live: Redis | None = None
    is_over: Callable[[], bool] = bool  # whether nobody waits any more for what is played


def report_match(order: Order, match: MatchOrder, kit: Kit) -> Report:
    """The report of one match: "played" whatever the bots did, "returned" if it took longer than the order's patience,
    "void" with the reason if the platform failed. Raises LeaseOver."""
    report = Report(match.match, match.lease, kit.worker, "void", tier=order.tier or kit.arena.tier)
    report.secret = match.secret
    began = monotonic()
    try:
        bundles = [fetch_bundle(order.competitors[number], match, kit) for number in match.seats]
        _play(order, match, kit, bundles, report)
    except Stopped as end:
        if kit.is_over():
            raise LeaseOver from end
        report.outcome = "returned"
        report.reason = f"it was not over after {order.patience_ms / 1000:g} s"
    except (CannotFetch, NotHere, Missing, PlatformFault, SandboxError, OSError) as error:
        report.reason = str(error)
    except LeaseOver:
        raise
    except Exception as error:  # a fault of our own must end this match only, and not be sent round for ever
        log.exception("this worker failed")
        report.reason = f"the worker failed: {type(error).__name__}: {error}"
    report.seconds = round(monotonic() - began, 3)
    return report


def fetch_bundle(competitor: Competitor, match: MatchOrder, kit: Kit) -> Bundle:
    """Raises CannotFetch, LeaseOver."""
    if competitor.withdrawn:
        return kit.shelf.stand_in(competitor.withdrawn)
    order_ticket = ticket("match", match.match, match.lease, match.secret)
    return kit.shelf.take(competitor.bundle, competitor.filename, order_ticket)


def _play(order: Order, match: MatchOrder, kit: Kit, bundles: list[Bundle], report: Report) -> None:
    game, seats = GAMES[order.game], range(len(bundles))
    options, terms = game.read_options(order.options), terms_of_order(order, kit)
    with open_table(order, kit, bundles, game, options, terms) as table:
        absent, at_work = table.start(), seat_referee(game, options, order.seed, table, order.strikes)
        with broadcast(kit.live, match, at_work.answers, absent):
            played = at_work.play(absent)
        table.end(played.result.places, played.result.scores)
    report.faults = played.faults
    report.stderr = [Stderr(seat, text) for seat in seats if (text := table.stderr(seat))]
    report.notes = [Note(*note) for note in noted([table.notes(seat) for seat in seats], played.answers)]
    report.cpu_ms = [round(table.cpu_s(seat) * 1000, 1) for seat in seats]
    report.took_ms = [round(table.took_s(seat) * 1000, 1) for seat in seats]
    report.memory_mb = [round(table.memory_mb(seat), 1) for seat in seats]
    # On an ordinary ladder fuel is this worker's own way to count time, and no replay promises to be run again by it.
    report.replay = replay.write_replay(_record(order, match, game, options, played, terms if order.tier else None))
    report.outcome = "played"


def terms_of_order(order: Order, kit: Kit) -> Terms | None:
    """The terms where fuel is the bots' clock: on a ladder of that division, or where nothing else works. Else None."""
    by_fuel = TIER in (order.tier, kit.arena.tier)
    return division.fuel_terms(pack.find_pack(), order.clock, order.limits, order.output) if by_fuel else None


def open_table(
    order: Order, kit: Kit, bundles: Sequence[Bundle | None], game: AnyGame, options: Options, terms: Terms | None
) -> ProcessTable | FuelTable:
    """One fresh process for each seat that has a bundle, started side by side: nothing is carried over from match to
    match."""
    runner, stopped = kit.arena, _stopped(order, kit)
    if reason := capacity.capacity_refusal(
        order.bots_use(len(bundles) - list(bundles).count(None)), capacity.this_machine()
    ):
        raise PlatformFault(reason)
    if isinstance(runner, Bare) and not order.tier:
        runner.admit(filter(None, bundles))
    if terms:
        unpacked = kit.shelf.unpacked
        programs = [division.program_of(seated, unpacked / seated.folder) if seated else None for seated in bundles]
        jail = runner if isinstance(runner, Arena) else None
        by_fuel = division.open_fuel_table(pack.find_pack(), programs, game, options, terms, jail)
        by_fuel.stopped = stopped
        return by_fuel
    if isinstance(runner, Arena):
        for bundle in filter(None, bundles):  # before any bot runs: it would have all that time to compute
            prepare(runner, bundle, kit.tools, stopped)
    with ExitStack() as started:
        boxes = [seated and started.enter_context(_spawn(kit, seated, order)) for seated in bundles]
        # A box ends with the sandbox's own `Exit`, the same fields: the sandbox may not load `bots` outside a box.
        limits = order.limits.announced(threads=kit.arena.counts_threads, writable=kit.arena.tier == "namespaces")
        processes = cast("list[Process | None]", boxes)
        table = ProcessTable(processes, game, options, order.clock, order.output, limits)
        table.stopped = stopped
        started.pop_all()  # from here on the table ends them
    return table


def _stopped(order: Order, kit: Kit) -> Callable[[], bool]:
    """Return what says whether a match that begins now is to end: nobody waits for it, or not for so long."""
    if not order.patience_ms:
        return kit.is_over
    until = monotonic() + order.patience_ms / 1000
    return lambda: kit.is_over() or monotonic() > until


def _spawn(kit: Kit, bundle: Bundle, order: Order) -> Box | Loose:
    if isinstance(kit.arena, Bare):
        return kit.arena.spawn(bundle, order.limits)
    return spawn(kit.arena, bundle, kit.tools, order.limits)


def _record(
    order: Order, match: MatchOrder, game: AnyGame, options: Options, played: Played, terms: Terms | None
) -> replay.Replay:
    seated = [order.competitors[number] for number in match.seats]
    players = [replay.Player(bot.name, bot.version, bot.bundle) for bot in seated]
    return replay.record(game, options, order.seed, players, played, terms)
