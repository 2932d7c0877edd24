"""The longest time a bot of a ladder may have to wait until a match of it is over: a pure estimate.

It rests on two rules: a quarter of the seats of every wave go to those who have waited longest (`pairing`), and every
line has its share of the workers (`fair_share`). The rest is measured, so a margin is added.
"""

from dataclasses import dataclass

MARGIN = 2.0
SLACK = 120.0  # seconds: a dead worker is noticed after a lease, and the match is played again


@dataclass(frozen=True, slots=True)
class LadderFigures:
    """Figures of a ladder. Seconds are those of recent matches."""

    seats: int  # at its smallest tables
    pace: float  # seconds between two sets, when all have played enough
    due: float  # sets that are made at full speed before that
    waiting: int  # sets of its line that nobody plays yet
    lines: float  # that share the workers, its own among them; more if trials share its own
    workers: int  # that are not held by long sets
    set_seconds: float  # of a set here, or of the site's, whichever is more
    longest: float  # match here: the table may hold the slowest bot; with one worker, set of all


@dataclass(frozen=True, slots=True)
class BotFigures:
    """Figures of a bot that plays there."""

    ahead: int  # bots that have waited longer
    siblings: int = 0  # those of them that may not sit with it, being its owner's
    dealt: bool = False  # it sits in a set that is not over
    long_sets: float = 0.0  # of a slow bot: long sets that must be over before it may sit down
    long_seconds: float = 0.0  # of such a set


def max_wait(ladder: LadderFigures, bot: BotFigures) -> float:
    """The upper bound of seconds until a match of the bot is over."""
    interval = ladder.set_seconds * ladder.lines / ladder.workers  # between two sets of the ladder that begin
    sets = 0.0 if bot.dealt else max(4 * (bot.ahead + 1) / ladder.seats, bot.siblings + 1.0)
    quick = min(sets, ladder.due)
    turn = quick * interval + (sets - quick) * max(ladder.pace, interval)
    queue = (ladder.waiting + 1) * interval + ladder.set_seconds
    return MARGIN * (turn + queue) + bot.long_sets * bot.long_seconds + ladder.longest + SLACK
