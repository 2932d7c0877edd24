"""Plays a league at home by a format of a site: a round is drawn when the one before has been played."""

import tempfile
from collections.abc import Sequence
from contextlib import suppress

from bots.command.errors import STOPPED
from bots.command.journal import Journal
from bots.command.league_asked import Asked
from bots.command.league_events import EventContest, HomeEvent, rated_sets
from bots.command.league_formats import at_any_size, spec_of
from bots.command.league_standings import Table, tell_event
from bots.command.options import distinct_names
from bots.command.outcomes import tallied
from bots.command.output import print_note, progress
from bots.command.play import tell_slips
from bots.command.worker_pool import WITHOUT_SANDBOX, Cores
from bots.formats.settings import write_spec
from bots.paired_ratings import ratings


def play_event(asked: Asked, format_name: str, seats: int | None, rounds: int | None) -> int:
    """Play the event, and return the exit code."""
    spec = spec_of(asked.game, asked.bots, format_name, seats, rounds)
    spec, sized = at_any_size(asked.game, asked.bots, asked.rules, spec)
    event = HomeEvent(spec, len(asked.bots), asked.seed)
    event.plan_of([])  # says at once what cannot be played
    with tempfile.TemporaryDirectory(prefix="boardroom-") as store:
        contestants = asked.contestants(store)
        names = distinct_names([bot.name for bot in contestants])
        contest = EventContest(asked.game.name, {}, contestants, asked.seed, sized=sized)
        options = [sized[size] for size in sorted(sized)]
        head = asked.head(options, write_spec(spec), contestants)
        with Journal(asked.path, head) as journal:
            print_note(WITHOUT_SANDBOX)
            play_rounds(event, contest, journal, names, asked.cores)
    outcomes, plan = journal.outcomes, event.plan_of(journal.outcomes)
    sets = rated_sets(event, plan, outcomes)
    standings = Table(tallied(names, outcomes), sets, ratings(len(names), sets))
    tell_event(standings, plan, head, as_json=asked.as_json)
    return 0 if plan.done else STOPPED


def play_rounds(event: HomeEvent, contest: EventContest, journal: Journal, names: Sequence[str], cores: int) -> None:
    """Play until the format is finished, or somebody presses Ctrl-C."""
    plan = event.plan_of(journal.outcomes)
    if journal.outcomes:
        print_note(f"{len(journal.outcomes)} matches are in the journal; going on from there")
    if plan.done:
        return
    reported: set[int] = set()
    with suppress(KeyboardInterrupt), Cores(contest, cores) as players, progress("matches", None) as advance:
        while todo := event.orders(plan)[len(journal.outcomes) :]:
            for done in players.play(todo):
                journal.add(done.outcome)
                tell_slips(done.outcome, names, reported)
                advance(f"round {plan.round}")
            plan = event.plan_of(journal.outcomes)
