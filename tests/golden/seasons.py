"""The files of a ladder's season and of an event's, with their fingerprints."""

import json
from collections.abc import Iterator
from io import BytesIO

from engine.season_file import HEAD, open_season
from engine.season_fingerprint import fingerprint
from tests.factories import a_completed_set, a_user, play_set, rate
from tests.golden.text import settled, short
from tests.holding import KNOCKOUT, a_running, play_out
from tests.seasons import a_season
from tournaments.features.seasons.season_file import event_season, ladder_season
from tournaments.ledger.acts import VoidSet
from tournaments.ledger.acts.ladder_status import Close
from tournaments.ledger.dumps.streamed_zip import Files, zipped
from tournaments.models import Ladder, MatchSet

CHANGING = "log.jsonl"  # a member with times


def outputs() -> Iterator[tuple[str, str]]:
    yield from members("ladder", ladder_season(a_closed_ladder()))
    yield from members("event", event_season(play_out(a_running(4, KNOCKOUT)), replays=True))


def a_closed_ladder() -> Ladder:
    """Sets that were entered, two that were played, and one that was voided and played again."""
    ladder, versions = a_season(4, rounds=2)
    staff = a_user(staff=True)
    for pair in (versions[:2], versions[2:]):
        a_completed_set(ladder, pair)
    rate()
    VoidSet(set=ladder.sets.get(number=2)).do(by=staff, reason="a test")
    play_set(MatchSet.objects.get(replaces__number=2))
    Close(ladder=ladder).do(by=staff, reason="the season is over")
    rate()
    return Ladder.objects.get(pk=ladder.pk)


def members(name: str, files: Files) -> Iterator[tuple[str, str]]:
    file = BytesIO(b"".join(zipped(files)))
    season, changing = open_season(file), {CHANGING}
    yield f"{name}/fingerprint.txt", fingerprint(season) + "\n"
    for member in season.archive.namelist():
        content = season.read(member)
        if member.startswith("replays/"):
            yield f"{name}/{member}.txt", short(content) + "\n"
        elif member == HEAD:
            head = json.loads(content)
            head["members"] = {member: of for member, of in head["members"].items() if member not in changing}
            yield f"{name}/{member}", json.dumps(head, indent=1, ensure_ascii=False) + "\n"
        elif member != CHANGING:
            text = settled(content.decode(), {})
            changing |= {member} if text != content.decode() else set()
            yield f"{name}/{member}", text
