"""Every poison by its name in the plan."""

from collections.abc import Callable

from tests.faults.poison.envelopes import BadEnvelope
from tests.faults.poison.giving import Poison
from tests.faults.poison.greedy import (
    GreedyLadder,
    HeavyBuilds,
    LongForms,
    LongLog,
    LongText,
    ManyNotices,
    SleepingBots,
    StrangersRoster,
)
from tests.faults.poison.lies import BadReplay, Liar
from tests.faults.poison.lines import BadHeader, SilentStreams, SlowReaders, SlowUploaders
from tests.faults.poison.rows import BadEvent, BadLadder, BadWebhook
from tests.faults.stage import Stage

KNOWN: dict[str, Callable[[Stage, int], Poison]] = {
    "bad ladder": BadLadder,
    "bad event": BadEvent,
    "bad webhook": BadWebhook,
    "bad envelope": BadEnvelope,
    "bad replay": BadReplay,
    "bad header": BadHeader,
    "slow readers": SlowReaders,
    "slow uploaders": SlowUploaders,
    "silent streams": SilentStreams,
    "liar with a key": Liar,
    "long forms": LongForms,
    "long text": LongText,
    "long log": LongLog,
    "many notices": ManyNotices,
    "greedy ladder": GreedyLadder,
    "sleeping bots": SleepingBots,
    "heavy builds": HeavyBuilds,
    "strangers' roster": StrangersRoster,
}
