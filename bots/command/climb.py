"""`boardroom climb`: the highest rung of the field that a bot beats, by the test that `series` uses."""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from bots.bundle import Bundle, read_bundle
from bots.command.errors import FAILED, STOPPED, KitError
from bots.command.options import BotName, GameName, cores_option, distinct_names, json_option, seed_option
from bots.command.outcomes import Outcome
from bots.command.output import print_note, print_table, print_text, progress, to_stdout
from bots.command.series import play_until_decided
from bots.command.series_decision import Series
from bots.command.worker_pool import WITHOUT_SANDBOX, Cores, contest_of, cores_here, refuse_windows
from bots.contest import Contestant, bundle_named, ready
from bots.field import Field, Rung, code_of, read_fields, source
from bots.sequential_test import MOST, Evidence, elo_of, read_test
from engine.game import AnyGame
from engine.games import GAMES
from engine.records import RecordError

HEADS = ("rung", "family", "Elo of the rung", "verdict", "sets", "Elo against it", "95 % interval")
OF_GAME = re.compile(rb"""engine\.games\.(\w+)|Imagination\(\s*["'](\w+)["']""")
FIRST_SET = 2  # matches


@dataclass(frozen=True, slots=True)
class Climb:
    """How far a bot has come: by rung, what the test says."""

    field: Field
    tried: list[Series]

    @property
    def highest(self) -> int | None:
        """The number of the highest rung that was beaten."""
        beaten = [number for number, trial in enumerate(self.tried) if trial.evidence.accepted]
        return beaten[-1] if beaten else None


@click.command(
    epilog="\b\nExamples:\n  boardroom climb mybot.py\n  boardroom climb mybot.js --game kaiju --test=0:60\n"
    "  boardroom climb mybot/ --json > rung.json"
)
@click.argument("bot", type=BotName())
@click.option("--game", type=GameName(), help="Default: the one whose package the bot imports.")
@click.option("--test", "test_name", default="gain", show_default=True, help="As of series: beaten is accepted.")
@click.option("--most", type=click.IntRange(16, MOST), default=MOST, show_default=True, help="Sets against a rung.")
@seed_option
@cores_option
@json_option
def command(
    bot: str, game: AnyGame | None, test_name: str, most: int, seed: str, cores: int | None, as_json: bool
) -> int:
    """Play BOT against the field of its game, the weakest first, until it does not beat a rung.

    The field are frozen bots of the kit, ordered by measured strength. Against each a sequential test is played, as
    series does it. Ctrl-C tells how far it came. Exit codes: 0 done, 130 stopped before that.
    """
    refuse_windows()
    played = game or game_of(bot)
    field = measured_field_of(played)
    test = read_test(test_name)
    climb = Climb(field, [])
    with tempfile.TemporaryDirectory(prefix="boardroom-") as store:
        name, bundle = bundle_named(played.name, bot)
        mine = ready(name, bundle, Path(store))
        print_note(WITHOUT_SANDBOX)
        rungs = ((rung, frozen(played, rung, Path(store))) for rung in unchanged(field).rungs)
        code = 0
        try:
            go_up(climb, mine, rungs, partial(Evidence, test, 2, most), seed, cores or cores_here())
        except KeyboardInterrupt:
            code = STOPPED
    tell(climb, mine.name, as_json=as_json)
    return code


def go_up(
    climb: Climb,
    mine: Contestant,
    rungs: Iterable[tuple[Rung, Contestant]],
    evidence: Callable[[], Evidence],
    seed: str,
    cores: int,
) -> None:
    """Rung by rung, until one is not beaten. Raises KitError, ContestError, PlatformFault and KeyboardInterrupt."""
    for rung, contestant in rungs:
        pair = [mine, contestant]
        climb.tried.append(Series(distinct_names([bot.name for bot in pair]), evidence()))
        if not beats(climb.tried[-1], climb.field, pair, f"{seed}/{rung.bot}", cores):
            return


def game_of(bot: str) -> AnyGame:
    """The one that its files name. Raises KitError and ContestError."""
    _, bundle = bundle_named("", bot)
    named = {name for name in named_in(bundle) if name in GAMES}
    if len(named) != 1:
        raise KitError("which_game", f"{bot} does not say which game it plays; say so by --game ({', '.join(GAMES)})")
    return GAMES[named.pop()]


def named_in(bundle: Bundle) -> Iterator[str]:
    for content in bundle.files.values():
        for match in OF_GAME.finditer(content):
            yield (match[1] or match[2]).decode("ascii", "replace")


def measured_field_of(game: AnyGame) -> Field:
    measured = read_fields()
    if game.name not in measured:
        raise KitError("no_field", f"the kit has no field for {game.title}; there are {', '.join(measured)}")
    field = measured[game.name]
    if field.rules != game.version:
        print_note(f"the field's Elo were measured under rules {field.rules}; these are {game.version}")
    try:
        game.read_options(field.options)
    except RecordError as error:
        raise KitError("no_field", f"the field of {game.title} was measured under other options: {error}") from None
    return field


def unchanged(field: Field) -> Field:
    """Raises KitError where its families are others than those that were measured."""
    if code_of(field.game) != field.code:
        raise KitError(
            "other_rung", f"the field of {field.game} is not what was measured; install the kit anew", FAILED
        )
    return field


def frozen(game: AnyGame, rung: Rung, store: Path) -> Contestant:
    """The rung as it was measured. Raises KitError and ContestError."""
    bundle = read_bundle(source(game.name, rung.family, rung.numbers))
    if bundle.sha256 != rung.bundle:
        raise KitError("other_rung", f"{rung.bot} is not what was measured; install the kit anew", FAILED)
    return ready(rung.bot, bundle, store)


def beats(decided: Series, field: Field, pair: Sequence[Contestant], seed: str, cores: int) -> bool:
    """Return whether the bot beats the rung, by the options that the field was measured with. Raises KitError,
    PlatformFault and KeyboardInterrupt."""
    contest = contest_of(field.game, field.options, pair, seed)
    what = f"sets against {decided.names[1]}"
    with Cores(contest, cores) as players, progress(what, decided.evidence.most) as advance:
        orders = iter(range(2 * decided.evidence.most))
        play_until_decided(
            decided, [], without_faults((done.outcome for done in players.play(orders)), decided.names[0]), advance
        )
    return bool(decided.evidence.accepted)


def without_faults(outcomes: Iterator[Outcome], name: str) -> Iterator[Outcome]:
    """Return the outcomes. Raises KitError for a bot that faults in all of its first set: it has no strength to
    measure."""
    at_fault = []  # its first slip in each match where it has one
    for number, outcome in enumerate(outcomes, 1):
        at_fault += [slip for slip in outcome.slips if outcome.seats[slip.seat] == 0][:1]
        if number == len(at_fault) == FIRST_SET:
            message = (
                f"{name} is at fault in both matches of its first set: {at_fault[0].verdict}: {at_fault[0].detail}"
            )
            raise KitError("bot_faults", message, FAILED)
        yield outcome


def tell(climb: Climb, name: str, *, as_json: bool) -> None:
    if as_json:
        to_stdout(climb_document(climb, name))
        return
    rows = [
        rung_row(rung, trial)
        for rung, trial in zip(climb.field.rungs, climb.tried, strict=False)
        if trial.evidence.sets
    ]
    print_table(HEADS, rows)
    print_text(climb_verdict(climb, name))


def climb_verdict(climb: Climb, name: str) -> str:
    rungs, highest = climb.field.rungs, climb.highest
    if highest is None:
        is_open = bool(climb.tried) and climb.tried[-1].evidence.accepted is None
        return f"{name} beats no rung of {len(rungs)}{' so far' if is_open else ''}."
    beaten = rungs[highest]
    top = ", the highest" if highest + 1 == len(rungs) else ""
    return f"{name} beats {beaten.bot} of {len(rungs)} ({beaten.family}){top}, which has {beaten.elo:+.0f} Elo."


def rung_row(rung: Rung, tried: Series) -> tuple[object, ...]:
    evidence = tried.evidence
    result = {True: "beaten", False: "not beaten", None: "not decided"}[evidence.accepted]
    low, high = map(elo_of, evidence.interval)
    against = (f"{elo_of(evidence.mean):+.0f}", f"{low:+.0f} to {high:+.0f}")
    return (rung.bot, rung.family, f"{rung.elo:+.0f}", result, evidence.sets, *against)


def climb_document(climb: Climb, name: str) -> dict[str, object]:
    rungs, highest = climb.field.rungs, climb.highest
    tried = [
        {
            "rung": rung.bot,
            "family": rung.family,
            "numbers": rung.numbers,
            "rung_elo": rung.elo,
            "rung_interval": rung.interval,
            "accepted": trial.evidence.accepted,
            "sets": trial.evidence.sets,
            "elo": elo_of(trial.evidence.mean),
            "elo_interval": [elo_of(share) for share in trial.evidence.interval],
        }
        for rung, trial in zip(rungs, climb.tried, strict=False)
    ]
    reached = {
        "highest": None if highest is None else rungs[highest].bot,
        "rung": 0 if highest is None else highest + 1,
    }
    return {"bot": name, "game": climb.field.game, **reached, "rungs": len(rungs), "tried": tried}
