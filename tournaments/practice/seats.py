"""Who may play in a practice, and how its row stores it.

By seat: {"person": true}; {"version": its id}; {"draft": SHA-256 of the bundle, "name": ..., "filename": ..., "need":
...}, and the same with "sample" in place of "draft".
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from bots.archive import BundleError
from bots.bundle import read_bundle
from bots.contest import sample_files
from engine.replay import Player
from tournaments.accounts.permissions import may_run
from tournaments.competitors.bundles import keep_bundle
from tournaments.errors import Refused
from tournaments.ladders.disqualified import excluded
from tournaments.models import Bundle, Draft, Entry, Ladder, Practice, User, Version
from workers.orders import Competitor

PERSON: Final = "person"


@dataclass(frozen=True, slots=True)
class Sample:
    """One of the platform's sample bots in Python, by its name: "greedy"."""

    name: str


SeatedPlayer = Literal["person"] | Version | Draft | Sample
Plain = dict[str, Any]


def samples_of(game: str) -> list[str]:
    """The samples in Python; others need a language that a worker may lack."""
    return [name for name in sample_files(game) if "." not in name]


def plain(player: SeatedPlayer, by: User, ladder: Ladder, known: Collection[int]) -> Plain:
    """The seat as the row stores it. Versions with ids in `known` played in the continued match. Raises Refused."""
    match player:
        case Version():
            _check_version(player, by, ladder, known)
            return {"version": player.pk}
        case Draft():
            if player.owner_id != by.pk:
                raise Refused("not_yours", "this draft belongs to somebody else")
            return _bundled("draft", player.name, player.source.encode(), player.filename)
        case Sample(name):
            if name not in samples_of(ladder.game):
                there = ", ".join(samples_of(ladder.game))
                raise Refused("unknown_bot", f"there is no sample bot {name:.40}; there are {there}")
            path = sample_files(ladder.game)[name]
            return _bundled("sample", f"sample {name}", path.read_bytes(), path.name)
    return {"person": True}


def _check_version(version: Version, by: User, ladder: Ladder, known: Collection[int]) -> None:
    """Any version of one's own bots is allowed; of other bots, those that play in the ladder."""
    bot = version.bot
    if Bundle.objects.filter(pk=version.bundle_id, size=0).exists():
        raise Refused("erased", f"{version} is erased: nothing can be run of it any more")
    if bot.game != ladder.game:
        raise Refused("wrong_game", f"{version} plays another game than {ladder}")
    if may_run(by, bot) or version.pk in known:
        return
    entry = ladder.entries.filter(bot=bot, status=Entry.Status.PLAYING).first()
    plays = entry and (entry.pinned_id == version.pk or (not entry.pinned_id and version.status == "active"))
    if not plays or version.pk in excluded(ladder):
        raise Refused("not_entered", f"{version} does not play in {ladder} now; choose bots of its standings")


def _bundled(kind: str, name: str, data: bytes, filename: str) -> Plain:
    try:
        found = read_bundle(data, filename)
    except BundleError as error:
        raise Refused(error.code, error.detail) from None
    keep_bundle(found.sha256, data)
    return {kind: found.sha256, "name": name, "filename": filename, "need": found.need}


def versions_in(practice: Practice) -> Mapping[int, Version]:
    ids = [seat["version"] for seat in practice.seats if "version" in seat]
    return Version.objects.select_related("bot").in_bulk(ids)


def players(practice: Practice) -> list[Player]:
    """The players for a replay."""
    versions = versions_in(practice)
    return [_player(seat, practice, versions) for seat in practice.seats]


def _player(seat: Plain, practice: Practice, versions: Mapping[int, Version]) -> Player:
    if "version" in seat:
        version = versions[seat["version"]]
        return Player(version.bot.name, version.number, version.bundle_id)
    if bundle := seat.get("draft") or seat.get("sample"):
        return Player(seat["name"], 0, bundle)
    return Player(practice.owner.username)


def competitors(practice: Practice) -> tuple[list[Competitor], list[int], set[str]]:
    """The bots, the index of the bot at each seat (-1: a person), and what a worker must offer to run them."""
    versions = versions_in(practice)
    bots: list[Competitor] = []
    seats, needs = [], set[str]()
    for seat in practice.seats:
        if "person" in seat:
            seats.append(-1)
            continue
        version = versions.get(seat.get("version", 0))
        bot = _competitor(version) if version else _without_version(seat)
        needs.add(version.need if version else seat["need"])
        if bot not in bots:
            bots.append(bot)
        seats.append(bots.index(bot))
    return bots, seats, needs


def _competitor(version: Version) -> Competitor:
    return Competitor(version.bot.name, version.number, version.bundle_id, version.filename)


def _without_version(seat: Plain) -> Competitor:
    return Competitor(seat["name"], 0, seat.get("draft") or seat["sample"], seat["filename"])


def people(practice: Practice) -> list[int]:
    return [number for number, seat in enumerate(practice.seats) if "person" in seat]


def own_seats(practice: Practice) -> set[int]:
    """Seats whose evidence the owner of the practice may see: versions of bots they run, and drafts."""
    mine = {pk for pk, version in versions_in(practice).items() if may_run(practice.owner, version.bot)}
    return {number for number, seat in enumerate(practice.seats) if "draft" in seat or seat.get("version", 0) in mine}
