"""Who may play in a practice, and how its row stores it.

By seat: {"person": true}, the owner alone; {"invited": true}, one of several people (a `PracticeSeat` says who);
{"version": its id}; {"draft": SHA-256 of the bundle, "name": ..., "filename": ..., "need": ...}, and the same with
"sample" in place of "draft".
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models import Q

from bots.archive import BundleError
from bots.bundle import read_bundle
from bots.contest import sample_files
from engine.replay import Player
from tournaments.core.accounts.permissions import may_run
from tournaments.core.accounts.spaces import check_of_space, open_to
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.bundles import keep_bundle
from tournaments.ledger.ladders.disqualified import excluded
from tournaments.models import Bundle, Draft, Entry, Ladder, Practice, PracticeSeat, User, Version
from workers.orders import Competitor

PERSON: Final = "person"
INVITED: Final = "invited"  # kept for whoever comes by the invitation
NOBODY = "a free seat"


@dataclass(frozen=True, slots=True)
class Sample:
    """One of the platform's sample bots in Python, by its name: "greedy"."""

    name: str


SeatedPlayer = Literal["person", "invited"] | Version | Draft | Sample
Plain = dict[str, Any]


def python_samples(game: str) -> list[str]:
    """The samples in Python; others need a language that a worker may lack."""
    return [name for name in sample_files(game) if "." not in name]


def stored_seat(player: SeatedPlayer, by: User, ladder: Ladder, played: Collection[int]) -> Plain:
    """Return the seat as the row stores it. Versions with ids in `played` played in the continued match. Raises
    Refused."""
    match player:
        case Version():
            _check_version(player, by, ladder, played)
            return {"version": player.pk}
        case Draft():
            if player.owner_id != by.pk:
                raise Refused("not_yours", "this draft belongs to somebody else")
            return _bundled("draft", player.name, player.source.encode(), player.filename)
        case Sample(name):
            if name not in python_samples(ladder.game):
                names = ", ".join(python_samples(ladder.game))
                raise Refused(
                    "unknown_bot",
                    "there is no sample bot %(name)s; there are %(there)s",
                    name=f"{name:.40}",
                    there=names,
                )
            path = sample_files(ladder.game)[name]
            return _bundled("sample", f"sample {name}", path.read_bytes(), path.name)
    return {player: True}


def _check_version(version: Version, by: User, ladder: Ladder, played: Collection[int]) -> None:
    """Any version of one's own bots is allowed; of other bots, those that play in the ladder."""
    bot = version.bot
    if Bundle.objects.filter(pk=version.bundle_id, size=0).exists():
        raise Refused("erased", "%(version)s is erased and can no longer run", version=version)
    check_of_space(bot, ladder)
    if bot.game != ladder.game:
        raise Refused("wrong_game", "%(version)s plays another game than %(ladder)s", version=version, ladder=ladder)
    if may_run(by, bot) or version.pk in played:
        return
    entry = ladder.entries.filter(bot=bot, status=Entry.Status.PLAYING).first()
    plays = entry and (entry.pinned_id == version.pk or (not entry.pinned_id and version.status == "active"))
    if not plays or version.pk in excluded(ladder):
        raise Refused(
            "not_entered",
            "%(version)s does not play in %(ladder)s now; choose bots of its standings",
            version=version,
            ladder=ladder,
        )


def _bundled(kind: str, name: str, data: bytes, filename: str) -> Plain:
    try:
        bundle = read_bundle(data, filename)
    except BundleError as error:
        raise Refused(error.code, error.detail) from None
    keep_bundle(bundle.sha256, data)
    return {kind: bundle.sha256, "name": name, "filename": filename, "need": bundle.need}


def versions_at_table(practice: Practice) -> Mapping[int, Version]:
    ids = [seat["version"] for seat in practice.seats if "version" in seat]
    return Version.objects.select_related("bot").in_bulk(ids)


def players(practice: Practice) -> list[Player]:
    """The players for a replay."""
    versions, names = versions_at_table(practice), names_of_people(practice)
    return [_player(seat, versions, names.get(number, NOBODY)) for number, seat in enumerate(practice.seats)]


def _player(seat: Plain, versions: Mapping[int, Version], person: str) -> Player:
    if "version" in seat:
        version = versions[seat["version"]]
        return Player(version.bot.name, version.number, version.bundle_id)
    if bundle := seat.get("draft") or seat.get("sample"):
        return Player(seat["name"], 0, bundle)
    return Player(person)


def names_of_people(practice: Practice) -> dict[int, str]:
    alone = {seat: practice.owner.username for seat, plain in enumerate(practice.seats) if "person" in plain}
    return alone | {number: row.user.username for number, row in sitting(practice).items()}


def sitting(practice: Practice) -> dict[int, PracticeSeat]:
    """Return who sits at a table of several people, by seat."""
    if not is_shared(practice):
        return {}
    return {row.number: row for row in practice.sitting.select_related("user")}


def is_shared(practice: Practice) -> bool:
    """Whether it is a table of several people, or is to become one."""
    return any(INVITED in seat for seat in practice.seats)


def person_seat(practice: Practice, person: User) -> int | None:
    """Return where somebody sits who has not left."""
    if not is_shared(practice):
        return next(iter(person_seats(practice)), None) if practice.owner_id == person.pk else None
    rows = sitting(practice).values()
    return next((row.number for row in rows if row.user_id == person.pk and row.state != row.State.LEFT), None)


def at_tables_of(person: User) -> Q:
    """Practices that somebody began, or sits or sat at: nobody else learns of them."""
    return Q(owner=person) | Q(pk__in=PracticeSeat.objects.filter(user=person).values("practice"))


def free_seats(practice: Practice) -> list[int]:
    taken = sitting(practice)
    return [number for number, seat in enumerate(practice.seats) if INVITED in seat and number not in taken]


def absent_seats(practice: Practice) -> set[int]:
    """The seats of people that defaults are answered for."""
    if not is_shared(practice):
        return set()
    present = {
        number for number, row in sitting(practice).items() if row.state == row.State.HERE and row.user.is_active
    }
    return set(person_seats(practice)) - present


def competitors(practice: Practice) -> tuple[list[Competitor], list[int], set[str]]:
    """The bots, the index of the bot at each seat (-1: a person), and what a worker must offer to run them."""
    versions = versions_at_table(practice)
    bots: list[Competitor] = []
    seats, needs = [], set[str]()
    for seat in practice.seats:
        if is_person(seat):
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


def person_seats(practice: Practice) -> list[int]:
    return [number for number, seat in enumerate(practice.seats) if is_person(seat)]


def is_person(seat: Plain) -> bool:
    return PERSON in seat or INVITED in seat


def own_seats(practice: Practice) -> set[int]:
    """Seats whose evidence the owner of the practice may see: versions of bots they run, and drafts."""
    mine = {pk for pk, version in versions_at_table(practice).items() if may_run(practice.owner, version.bot)}
    return {number for number, seat in enumerate(practice.seats) if "draft" in seat or seat.get("version", 0) in mine}


def sees_evidence(practice: Practice, person: User) -> bool:
    """Whether somebody sees what bots told the owner; where others sit not before the end, as a bot knows what its seat
    alone may know."""
    return practice.owner_id == person.pk and (practice.status == Practice.Status.OVER or not is_shared(practice))


LONGEST_ID = 18  # digits that the database can hold


def seated_player(key: str, by: User) -> SeatedPlayer:
    """Raises Refused: unknown_bot."""
    kind, _, name = key.partition("-")
    number = int(name) if name.isascii() and name.isdigit() and len(name) <= LONGEST_ID else 0
    if key == PERSON:
        return PERSON
    if key == INVITED:
        return INVITED
    if kind == "sample":
        return Sample(name)
    if kind == "version" and (version := version_of(number, by)):
        return version
    if kind == "draft" and (draft := Draft.objects.filter(pk=number, owner=by).first()):
        return draft
    raise Refused("unknown_bot", "nobody is called %(key)s here; choose again who sits where", key=repr(key[:40]))


def version_of(number: int, by: User) -> Version | None:
    return Version.objects.filter(open_to(by, "bot__space"), pk=number).select_related("bot").first()
