"""A worker at the door that lies: it reports twice, reports on what others hold, and from its third set on it puts the
replay of one match into the report of another."""

import sys
from typing import Any

from workers import door_worker
from workers.door_client import Door
from workers.door_words import Answer

honest = Door.say
HONEST = 3  # reports


class Lies:
    def __init__(self) -> None:
        self.told = 0
        self.before = ""

    def say(self, door: Door, verb: str, **more: Any) -> Answer:
        reports = [self.changed(plain) for plain in more.get("reports", ())]
        if not reports:
            return honest(door, verb, **more)
        of_others = [plain | {"match": plain["match"] + step} for plain in reports for step in (-2, -1, 1, 2, 3)]
        honest(door, verb, **more | {"reports": reports, "more": False})
        return honest(door, verb, **more | {"reports": [*reports, *of_others]})

    def changed(self, plain: dict[str, Any]) -> dict[str, Any]:
        self.told += 1
        replay, self.before = self.before, plain["replay"]
        return plain | {"replay": replay} if self.told > HONEST else plain


if __name__ == "__main__":
    lies = Lies()

    def say(door: Door, verb: str, **more: Any) -> Answer:
        return lies.say(door, verb, **more)

    Door.say = say  # type: ignore[method-assign, assignment]
    sys.exit(door_worker.main(sys.argv[1:]))
