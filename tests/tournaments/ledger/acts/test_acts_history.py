"""Disqualifying and voiding in the middle of history: a filter and a refit, the same as if it had never been played."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.referee import Verdict
from tests import thorough
from tests.again import again
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tournaments.audit import log
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Action
from tournaments.ledger.acts.disqualification import Disqualify, Reinstate
from tournaments.ledger.acts.void_sets import ReinstateSet, VoidSet
from tournaments.ledger.ladders.disqualified import excluded
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.ladder_sets import Waves
from tournaments.models import Act, Entry, Ladder, MatchSet, Rating
from tournaments.ratings import fit as ratings_fit
from tournaments.ratings import played_again
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db


class World:
    """Four bots, one of them with two versions, and nine sets in a ladder of two."""

    def __init__(self) -> None:
        self.organiser, self.ladder = a_user("olga", staff=True), a_ladder("main", players=2, sets_wanted=0)
        owner = a_user("ada")
        bots = [a_bot(owner), a_bot(owner), a_bot(), a_bot()]
        for bot in bots:
            enter_in_ladder(ladder=self.ladder, bot=bot, by=bot.owner)
        self.first = a_version(bots[0])
        self.versions = [self.first, *(a_version(bot) for bot in bots[1:])]
        self._play([(0, 1), (0, 2), (1, 2), (2, 3)])
        self.versions[0] = a_version(bots[0])
        self._play([(0, 3), (1, 3), (0, 1), (2, 0), (3, 2)])
        rate()
        self.begin = numbers(self.ladder)

    def _play(self, tables: list[tuple[int, int]]) -> None:
        for first, second in tables:
            seated = [self.versions[first], self.versions[second]]
            a_completed_set(self.ladder, seated, faults={seated[0].pk: Verdict.CRASHED} if first == 2 else None)

    def do(self, action: Action) -> Act:
        return action.do(by=self.organiser, reason="the test wants it")


@pytest.fixture
def world() -> World:
    return again(World)


def numbers(ladder: Ladder) -> dict[int, tuple[object, ...]]:
    """The published numbers, to the last digit."""
    columns = ("version", "milli_elo", "delta", "sets", "games", "places", "forfeits", "streak", "elo", "fitted", "sd")
    return {line[0]: line[1:] for line in Rating.objects.filter(ladder=ladder).values_list(*columns)}


def test_a_bot_disqualified_in_the_middle_of_history_has_never_played(world: World) -> None:
    out = world.versions[1]
    before = ledger_of(world.ladder)
    expected = table_of(before.without([out.pk]))
    preview = Disqualify(bot=out.bot, ladder=world.ladder).preview()
    assert numbers(world.ladder) == world.begin  # a preview writes nothing
    world.do(Disqualify(bot=out.bot, ladder=world.ladder))
    shown = {line.version_id: (line.rank, line.elo) for line in standings(world.ladder)}
    assert shown == {row.version: (row.rank, row.elo) for row in expected.rows}
    [table] = preview.tables
    previewed = {line.bot: (line.rank_after, line.elo_after) for line in table.lines}
    assert previewed == {row.bot: (row.rank, row.elo) for row in expected.rows} | {out.bot.name: (None, None)}
    assert (table.sets_before, table.sets_after) == (9, 5)
    assert recompute(ladder=world.ladder) == {}
    assert MatchSet.objects.filter(ladder=world.ladder).count() == 9  # kept, to be looked at


def test_what_is_shown_and_done_is_fitted_once_for_each_ladder(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    other = a_ladder("other", players=2)
    for version in world.versions[:3]:
        enter_in_ladder(ladder=other, bot=version.bot, by=version.bot.owner)
    a_completed_set(other, world.versions[:2])
    a_completed_set(other, world.versions[1:3])
    rate()
    fitted: list[int] = []
    counted = partial(_count, fitted, ratings_fit.fit_ratings)
    monkeypatch.setattr(played_again, "fit_ratings", counted)
    out = Disqualify(bot=world.versions[1].bot)
    out.preview()
    assert len(fitted) == 2
    act = world.do(out)
    assert len(fitted) == 4
    world.do(Reinstate(act=act))
    assert len(fitted) == 6
    world.do(VoidSet(set=MatchSet.objects.get(ladder=world.ladder, number=2)))
    assert len(fitted) == 7
    assert [recompute(ladder=ladder) for ladder in (world.ladder, other)] == [{}, {}]


def _count(
    fitted: list[int], fit: Callable[..., ratings_fit.Fit], pairs: Pairs, *arguments: Any, **named: Any
) -> ratings_fit.Fit:
    fitted.append(len(pairs.cells))
    return fit(pairs, *arguments, **named)


def test_it_comes_back_as_if_nothing_had_been(world: World) -> None:
    acts = [
        world.do(Disqualify(owner=world.first.bot.owner)),
        world.do(Disqualify(version=world.versions[2], ladder=world.ladder)),
    ]
    assert not numbers(world.ladder).keys() & {world.first.pk, world.versions[1].pk, world.versions[2].pk}
    for act in acts:
        world.do(Reinstate(act=act))
    assert numbers(world.ladder) == world.begin
    assert recompute(ladder=world.ladder) == {}
    done = Act.objects.filter(by="olga").order_by("number").values_list("kind", flat=True)
    assert list(done) == ["disqualify", "disqualify", "reinstate", "reinstate"]
    assert log.head().number == Act.objects.count()


def test_an_old_version_is_disqualified_and_its_successor_plays_on(world: World) -> None:
    world.do(Disqualify(version=world.first))
    versions = ledger_of(world.ladder).versions
    assert world.first.pk not in versions
    assert versions[world.versions[0].pk].forerunner is None
    assert world.versions[0].pk in {line.version_id for line in standings(world.ladder)}
    assert recompute(ladder=world.ladder) == {}


def test_who_is_disqualified_is_neither_listed_nor_paired_nor_let_in(world: World) -> None:
    bot = world.versions[1].bot
    act = world.do(Disqualify(bot=bot))
    entry = Entry.objects.get(bot=bot)
    assert entry.status == Entry.Status.DISQUALIFIED
    Ladder.objects.update(sets_wanted=100)
    world.ladder.refresh_from_db()
    seated = {version for table in Waves.of(world.ladder).following(9) for version in table}
    assert seated
    assert not seated & set(bot.versions.values_list("pk", flat=True))
    verbs: list[Callable[[], object]] = [
        lambda: enter_in_ladder(ladder=world.ladder, bot=bot, by=bot.owner),
        lambda: withdraw_bot(entry=entry, by=bot.owner),
    ]
    for verb in verbs:
        with pytest.raises(Refused) as refused:
            verb()
        assert refused.value.code == "disqualified"
    a_version(bot)  # a new upload does not help
    assert bot.pk not in {line.bot_id for line in standings(world.ladder)}
    world.do(Reinstate(act=act))
    entry.refresh_from_db()
    assert entry.status == Entry.Status.PLAYING


def test_who_had_withdrawn_before_is_withdrawn_after(world: World) -> None:
    bot = world.versions[1].bot
    withdraw_bot(entry=Entry.objects.get(bot=bot), by=bot.owner)
    first = world.do(Disqualify(bot=bot))
    second = world.do(Disqualify(owner=bot.owner))
    world.do(Reinstate(act=first))
    assert Entry.objects.get(bot=bot).status == Entry.Status.DISQUALIFIED
    world.do(Reinstate(act=second))
    assert Entry.objects.get(bot=bot).status == Entry.Status.WITHDRAWN


def test_a_voided_set_is_dealt_again_and_may_come_back_in_its_old_place(world: World) -> None:
    old = world.ladder.sets.get(number=6)
    preview = VoidSet(set=old).preview()
    world.do(VoidSet(set=old))
    new = MatchSet.objects.get(replaces=old)
    old.refresh_from_db()
    assert (old.status, old.rated, new.status, new.number) == ("void", False, "open", 10)
    assert seated(new) == seated(old)
    assert old.matches.filter(result__isnull=False).count() == 2  # the evidence
    assert {row.bot: row.elo for row in table_of(ledger_of(world.ladder)).rows} == {
        line.bot: line.elo_after for line in preview.tables[0].lines
    }
    world.do(ReinstateSet(set=old))
    new.refresh_from_db()
    assert (new.status, numbers(world.ladder)) == ("void", world.begin)


def seated(of: MatchSet) -> set[int]:
    return set(of.matches.get(turn=0).seats.values_list("version", flat=True))


def test_nothing_is_done_without_an_organiser_and_a_reason(world: World) -> None:
    action = Disqualify(bot=world.versions[1].bot)
    for by, reason, code in ((world.organiser, "  ", "no_reason"), (world.first.bot.owner, "envy", "not_organiser")):
        with pytest.raises(Refused) as refused:
            action.do(by=by, reason=reason)
        assert refused.value.code == code
    assert not excluded(world.ladder)
    assert not Act.objects.filter(kind="disqualify")


STEPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 99)), max_size=8)


@settings(max_examples=thorough.budget(2, full=40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_acts_leave_the_ratings_that_the_ledger_gives_and_taking_them_back_the_first(
    world: World, steps: list[tuple[int, int]]
) -> None:
    with transaction.atomic():
        for kind, number in steps:
            _step(world, kind, number)
        assert recompute(ladder=world.ladder) == {}
        for row in Act.objects.filter(disqualification__lifted=None, kind="disqualify"):
            world.do(Reinstate(act=row))
        for old in MatchSet.objects.filter(status=MatchSet.Status.VOID, replaces=None):
            world.do(ReinstateSet(set=old))
        assert numbers(world.ladder) == world.begin
        assert log.head().number == Act.objects.count()
        transaction.set_rollback(True)


def _step(world: World, kind: int, number: int) -> None:
    version = world.versions[number % 4]
    actions: list[Callable[[], Action]] = [
        lambda: Disqualify(version=version, ladder=world.ladder),
        lambda: Disqualify(owner=version.bot.owner) if number % 2 else Disqualify(bot=version.bot),
        lambda: VoidSet(set=world.ladder.sets.get(number=1 + number % 9)),
        lambda: Reinstate(act=Act.objects.filter(by="olga").order_by("number")[number % 3]),
    ]
    with suppress(Refused, IndexError), transaction.atomic():  # done before, or never to be undone
        world.do(actions[kind]())
