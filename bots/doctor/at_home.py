"""The bot as an ordinary process of this machine: how `boardroom check` starts it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bots.contest import Contestant, closed, surroundings
from bots.doctor.session import Place
from bots.interrupts import held
from bots.process import Local
from bots.protocol import Clock
from bots.table import ProcessTable
from engine.core import Seat
from engine.game import AnyGame, Options


def place_of(bot: Contestant, game: AnyGame, clock: Clock) -> Place:
    @contextmanager
    def seated(options: Options, seat: Seat) -> Iterator[ProcessTable]:
        """Return a table with the bot's process, which is not left behind, whenever a signal comes."""
        with ExitStack() as at_the_end:
            with held():
                processes: list[Local | None] = [None] * options.players
                processes[seat] = Local(bot.folder, "", bot.command, environment=surroundings())
                table = ProcessTable(processes, game, options, clock)
                at_the_end.callback(closed, table)
            yield table

    return seated
