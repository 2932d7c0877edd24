"""`boardroom fork`: continues a match from one of its moments, with a bot of yours in a seat."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bots.command.errors import FAILED, KitError
from bots.command.options import BotName, json_option
from bots.command.output import print_note, print_table, to_stdout
from bots.command.replay_file import sound
from bots.command.whole_files import write_whole
from bots.command.worker_pool import WITHOUT_SANDBOX, refuse_windows
from bots.contest import Contestant, Match, find_contestant, replay_of, table_of
from bots.process import share_one_core
from bots.table import ProcessTable
from engine import referee
from engine.core import Seat
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Prompt, Reply, Verdict
from engine.replay import Replay, write_replay

HEADS = ("seat", "then", "place", "score", "now", "place", "score", "faults")


class Fork:
    """`engine.referee.Table`: every bot is asked from the beginning, and up to the moment the replay answers."""

    def __init__(self, bots: ProcessTable, replay: Replay, start: int) -> None:
        self.bots, self.replay, self.at, self.step = bots, replay, start, 0

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        replies = dict(self.bots.ask(prompts))
        for seat in sorted(prompts):
            if self.step < self.at:
                replies[seat] = self._as_it_was(seat, replies[seat])
            self.step += 1
        return replies

    def _as_it_was(self, seat: Seat, reply: Reply) -> Reply:
        if reply.verdict not in (Verdict.OK, *referee.MENDABLE):
            raise gone(seat, reply)
        line: Any = self.replay.answers[self.step]
        return Reply(line[1], reply.ms)

    def dismiss(self, seat: Seat) -> None:
        self.bots.dismiss(seat)


def gone(seat: Seat, reply: Reply) -> KitError:
    message = f"the bot at seat {seat} did not come to the moment: {reply.verdict.value}: {reply.detail}"
    return KitError("bot_gone", message, FAILED)


@click.command(
    epilog="\b\nExamples:\n  boardroom fork match-42.json mybot.py --seat 1 --at 30\n"
    "  boardroom fork match-42.json mybot.py --seat 1 --at 30 --others greedy --replay other.json.gz"
)
@click.argument("replay", type=click.Path(path_type=Path))
@click.argument("bot", type=BotName())
@click.option("--seat", type=click.IntRange(0), required=True, help="Where BOT sits, from 0.")
@click.option("--at", "moment", type=click.IntRange(0), required=True, help="After so many answers of the replay.")
@click.option(
    "--others", "opponent", default="random", show_default=True, metavar="BOT", help="Who sits at the other seats."
)
@click.option("--replay", "out", type=click.Path(path_type=Path), help="Write the replay of what came of it.")
@json_option
def command(replay: Path, bot: str, seat: int, moment: int, opponent: str, out: Path | None, as_json: bool) -> None:
    """Play REPLAY again up to a moment, and on from there with BOT at a seat: the same deal, other answers.

    All bots are asked from the first question on, so that they know the match; up to the moment, what the replay has
    counts. Chance is that of the replay.
    """
    refuse_windows()
    original = sound(replay)
    if any(original.result.forfeits):
        print_note("a seat of the replay had forfeited; its stand-in's answers count up to the moment")
    seats = len(original.players)
    if seat >= seats or moment > len(original.answers):
        has = f"the replay has seats 0 to {seats - 1} and {len(original.answers)} answers"
        raise KitError("bad_moment", f"{has}; not seat {seat}, answer {moment}")
    if out and out.is_dir():
        raise KitError("is_folder", f"--replay: {out} is a folder; name a file")
    with tempfile.TemporaryDirectory(prefix="boardroom-") as store:
        own_bot, other_bot = (
            find_contestant(original.game, bot, Path(store)),
            find_contestant(original.game, opponent, Path(store)),
        )
        seated = [own_bot if place == seat else other_bot for place in range(seats)]
        print_note(WITHOUT_SANDBOX)
        share_one_core(0)
        played = play_on(original, seated, moment)
        if out:
            match = Match(list(range(seats)), original.seed, played)
            game, options = game_of_replay(original)
            write_whole(out, write_replay(replay_of(game, options, seated, match)))
    tell(original, seated, played, as_json=as_json)


def game_of_replay(replay: Replay) -> tuple[AnyGame, Options]:
    game = GAMES[replay.game]
    return game, game.read_options(replay.options)


def play_on(replay: Replay, seated: Sequence[Contestant], start: int) -> referee.Played:
    """Raises PlatformFault."""
    game, options = game_of_replay(replay)
    with table_of(game, options, seated) as bots:
        for seat, reply in bots.start().items():
            raise gone(seat, reply)
        played = referee.run_match(game, options, replay.seed, Fork(bots, replay, start))
        bots.end(played.result.places, played.result.scores)
    return played


def tell(replay: Replay, seated: Sequence[Contestant], played: referee.Played, *, as_json: bool) -> None:
    faults = [[fault for fault in played.faults if fault.seat == seat] for seat in range(len(seated))]
    for seat, slips in enumerate(faults):
        if slips:
            print_note(f"seat {seat}: {slips[0].verdict}: {slips[0].detail}")
    if as_json:
        names = [bot.name for bot in seated]
        then, now = to_plain(replay.result), to_plain(played.result)
        to_stdout({"bots": names, "then": then, "now": now, "faults": to_plain(played.faults)})
        return
    before, after = replay.result, played.result
    print_table(
        HEADS,
        [
            (
                *(seat, replay.players[seat].name, before.places[seat], before.scores[seat]),
                *(bot.name, after.places[seat], after.scores[seat], len(faults[seat])),
            )
            for seat, bot in enumerate(seated)
        ],
    )
