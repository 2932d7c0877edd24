"""The capacity left for other leaders' queues, so that all get their share, whoever chooses first."""

from collections.abc import Collection

from tournaments.broker.told_by_leaders import tell
from tournaments.dispatch.fair_share import Floor, Waiting, our_part
from workers.orders import space_of_queue

Place = tuple[str, str]  # a queue, and a line that has something waiting for it
BETWEEN = "\t"


def leave_room(floor: Floor, heads: Collection[Waiting], full: Collection[Place]) -> None:
    """Take from the floor what others would get if one leader chose for all.

    `full`: lines of ours in queues without room, where nobody has looked; they may have something waiting, too.
    """
    ours = {(each.queue, each.line) for each in heads}
    theirs = [_place(one) for one in tell("waiting", map(BETWEEN.join, {*ours, *full}))]
    for queue in {each.queue for each in heads} if theirs else ():
        held = [[floor.lines[_counted(*place)] for place in places if place[0] == queue] for places in (ours, theirs)]
        floor.room[queue] = our_part(floor.room[queue], *held)


def _counted(queue: str, line: str) -> str:
    return Waiting(0, line, queue, pool=space_of_queue(queue)).counted


def _place(text: str) -> Place:
    queue, _, line = text.partition(BETWEEN)
    return queue, line
