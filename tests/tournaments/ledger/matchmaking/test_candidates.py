"""Who may be paired, by plain rows: the same candidates, to the last bit, as by the models and `rating_of`."""

import math
from datetime import UTC, datetime
from random import Random

import pytest

from tests.factories import a_bot, a_ladder, a_user, a_version
from tournaments.core.accounts.sides import Sides
from tournaments.ledger.acts.disqualification import Disqualify
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.standings import active_versions, rating_of, ratings_by_bot
from tournaments.ledger.matchmaking.candidates import candidates_of
from tournaments.ledger.matchmaking.pairing import Candidate
from tournaments.models import Entry, Ladder, Rating, Version
from tournaments.ratings.scale import START

pytestmark = pytest.mark.django_db
NONE: dict[str, object] = {"sd": None, "chance_sd": None}
ODD: list[dict[str, object]] = [{"elo": None}, NONE, {"chance_sd": None}, {"sd": None}, {"chance_sd": 0.0}, {"sets": 0}]


def by_models(ladder: Ladder, under_way: dict[int, int]) -> list[Candidate]:
    active = {version.bot_id: version for version in active_versions(ladder)}
    ratings, sides = ratings_by_bot(ladder), Sides()
    entries = ladder.entries.filter(status=Entry.Status.PLAYING, bot__in=active).select_related("bot").order_by("pk")
    return [candidate(ladder, entry, active[entry.bot_id], ratings, sides, under_way) for entry in entries]


def candidate(
    ladder: Ladder,
    entry: Entry,
    plays: Version,
    ratings: dict[int, list[Rating]],
    sides: Sides,
    under_way: dict[int, int],
) -> Candidate:
    rating, busy = rating_of(plays, ratings.get(entry.bot_id, []), START, ladder.prior_sd), under_way.get(plays.pk, 0)
    sd, since = rating.chance_sd or rating.sd, (entry.paired_at or entry.entered_at).timestamp()
    elo, unsure = (START, ladder.prior_sd) if rating.elo is None or sd is None else (rating.elo, sd)
    return Candidate(
        plays.pk, sides.of(entry.bot.owner_id), elo, unsure / math.sqrt(1 + busy), rating.sets + busy, since
    )


@pytest.fixture
def ladder() -> Ladder:
    """Fourteen bots: by turns rated, with an odd rating, with a newer version than is rated, and without a rating."""
    ladder, draw, owners = a_ladder(), Random("candidates"), [a_user() for _ in range(4)]
    for number in range(14):
        version = a_version(a_bot(owners[number % 4]))
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
        if number % 7 != 6:
            numbers: dict[str, object] = {"elo": draw.gauss(1500, 200), "sd": draw.random() * 90, "sets": number}
            numbers |= {"milli_elo": 1000, "chance_sd": draw.random() * 90} | ODD[number % 7]
            Rating.objects.create(ladder=ladder, version=version, **numbers)
        if number % 2:
            a_version(version.bot)
        when = datetime.fromtimestamp(draw.randrange(2**41) / 1000, UTC) if number % 3 else None
        ladder.entries.filter(bot=version.bot).update(
            paired_at=when and when.replace(microsecond=draw.randrange(10**6))
        )
    return ladder


def test_they_are_those_of_the_models(ladder: Ladder) -> None:
    under_way = {version.pk: version.pk % 3 for version in active_versions(ladder)}
    candidates = candidates_of(ladder, under_way)
    assert len(candidates) == 14
    assert repr(candidates) == repr(by_models(ladder, under_way))
    assert candidates_of(ladder) == by_models(ladder, {})


def test_nobody_is_among_them_who_does_not_play(ladder: Ladder) -> None:
    left, suspended, out = (ladder.entries.order_by("pk")[place] for place in (1, 4, 7))
    Entry.objects.filter(pk=suspended.pk).update(status=Entry.Status.SUSPENDED)
    Entry.objects.filter(pk=left.pk).update(status=Entry.Status.WITHDRAWN)
    Disqualify(bot=out.bot, ladder=ladder).do(by=a_user(staff=True), reason="It counts cards.")
    assert len(candidates_of(ladder)) == 11
    assert candidates_of(ladder) == by_models(ladder, {})


def test_a_frozen_ladder_has_its_pinned_versions(ladder: Ladder) -> None:
    for entry in ladder.entries.order_by("pk")[:5]:
        Entry.objects.filter(pk=entry.pk).update(pinned=entry.bot.versions.order_by("number").first())
    Ladder.objects.update(status=Ladder.Status.FROZEN)
    ladder.refresh_from_db()
    assert [candidate.version for candidate in candidates_of(ladder)] == [
        entry.pinned_id for entry in ladder.entries.order_by("pk")[:5]
    ]
    assert candidates_of(ladder) == by_models(ladder, {})
