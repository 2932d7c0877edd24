"""Doubles: bots of one side that play alike hold one rank, by matches of one that are played again with the other."""

from typing import Any

import pytest

from tests.factories import (
    a_bot,
    a_ladder,
    a_user,
    a_version,
    rate,
    reports,
)
from tournaments.core.errors import Refused
from tournaments.features.likeness import stand_ins
from tournaments.features.likeness.actions import ClearDouble
from tournaments.features.likeness.identical_play import ANSWERS, MATCHES, TOLD, judge_stand_ins
from tournaments.features.overall.standings import overall_standings
from tournaments.features.teams import rules as teams
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_for
from tournaments.ledger.ladders.entries import enter, withdraw
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.matchmaking.spot_checks import assign_due
from tournaments.ledger.recording import divergent_workers
from tournaments.ledger.recording import reports as recording
from tournaments.models import Ladder, Likeness, MatchSet, Notice, User, Version
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db
Status = Likeness.Status


def plays(played: MatchSet, answers: str) -> None:
    """`answers`: what all seats draw theirs from, so that equal ones make equal matches."""
    order = order_for(played, claim(match_set=played))
    for report in reports(order, answers=answers):
        recording.record(report)


class Scene:
    """An honest bot, and two of one owner; matches of the first two are there to be played again."""

    def __init__(self, owner: User | None = None, later: User | None = None) -> None:
        self.ladder: Ladder = a_ladder(players=2)
        owner = owner or a_user()
        self.honest, self.first, self.later = (a_version(a_bot(who)) for who in (None, owner, later or owner))
        for version in (self.honest, self.first, self.later):
            enter(ladder=self.ladder, bot=version.bot, by=version.bot.owner)
        for _ in range(MATCHES):
            plays(create_set(ladder=self.ladder, versions=[self.first.pk, self.honest.pk]), "as ever")
        rate()

    def looks(self, answers: str) -> Likeness | None:
        """Until nothing more is dealt, or it is told."""
        while stand_ins.compare_next(self.ladder):
            [dealt] = MatchSet.objects.filter(stand_in=self.later, status=MatchSet.Status.OPEN)
            assert not assign_due()  # anybody may play it
            plays(dealt, answers)
            assert not divergent_workers.conclude()  # and it says nothing of workers
            judge_stand_ins()
        return Likeness.objects.filter(ladder=self.ladder).first()

    def line(self, version: Version) -> Any:
        return next(line for line in standings(self.ladder) if line.version_id == version.pk)


def test_who_gives_all_the_same_answers_has_no_rank_and_is_told(client: Any) -> None:
    scene = Scene()
    found = scene.looks("as ever")
    assert found
    assert (found.status, found.original, found.version) == (Status.ALIKE, scene.first, scene.later)
    assert found.matches >= MATCHES
    assert found.answers >= ANSWERS
    assert scene.line(scene.later).plays_as == scene.first.bot.name
    assert scene.line(scene.first).plays_as == scene.line(scene.honest).plays_as == ""
    row = next(row for row in table_of(ledger_of(scene.ladder)).rows if row.version == scene.later.pk)
    assert row.rank is None
    notice = Notice.objects.get(user=scene.later.bot.owner, key=f"alike {found.pk}")
    assert f"{scene.later} plays as {scene.first} does" in notice.text
    assert "Upload a version that plays otherwise" in notice.text
    assert f"plays as {scene.first.bot}" in client.get(f"/ladders/{scene.ladder.slug}/").content.decode()
    assert set(MatchSet.objects.filter(stand_in__isnull=False).values_list("reason", flat=True)) == {TOLD}


def test_its_rank_does_not_come_by_taking_the_first_out_but_by_an_organiser(client: Any) -> None:
    scene = Scene()
    scene.looks("as ever")
    enters = scene.ladder.entries.get(bot=scene.first.bot)
    withdraw(entry=enters, by=scene.first.bot.owner)
    assert scene.line(scene.later).plays_as
    organiser = a_user(staff=True)
    client.force_login(organiser)
    assert "clear_double/?bot=" in client.get("/desk/").content.decode()
    action = ClearDouble(scene.later.bot, scene.ladder)
    act = action.do(by=organiser, reason="They are two: one opens otherwise.")
    assert str(scene.first) in act.detail["says"][0]
    assert scene.line(scene.later).plays_as == ""
    with pytest.raises(Refused, match="was not found"):
        action.do(by=organiser, reason="Once more.")
    assert not stand_ins.compare_next(scene.ladder)


def test_one_other_answer_clears_it() -> None:
    found = Scene().looks("otherwise")
    assert found
    assert found.status in (Status.DIFFERENT, Status.UNTOLD)
    scene = Scene()
    while True:  # whose answer differs first is a matter of luck
        found = scene.looks(f"otherwise {scene.ladder.pk}")
        assert found
        if found.status == Status.DIFFERENT:
            break
        scene = Scene()
    assert scene.line(scene.later).plays_as == ""


def test_a_bot_of_another_owner_is_never_compared_and_a_team_counts_as_one() -> None:
    ada, bob = a_user(), a_user()
    scene = Scene(ada, bob)
    assert scene.looks("as ever") is None
    team = teams.create_team(name="The two", by=ada)
    teams.invite(team=team, user=bob, by=ada)
    teams.answer(team=team, by=bob, joins=True)
    found = scene.looks("as ever")
    assert found
    assert found.status == Status.ALIKE
    assert scene.line(scene.later).plays_as
    teams.leave(team=team, by=bob)
    assert scene.line(scene.later).plays_as == ""  # parted: nobody loses a rank by another's bot


def test_a_double_does_not_count_over_all_games() -> None:
    scene = Scene()
    scene.looks("as ever")
    for _ in range(12):
        for pair in ([scene.first.pk, scene.honest.pk], [scene.later.pk, scene.honest.pk]):
            plays(create_set(ladder=scene.ladder, versions=pair), "as ever")
    rate()
    assert not scene.line(scene.later).provisional
    _, joint = overall_standings()
    assert overall_standings()[1] is joint  # computed once for a fit
    owner = scene.later.bot.owner.username
    assert [line.games["zaibatsu"] for line in joint.lines if line.name == owner] == [scene.line(scene.first).elo]


def test_a_look_takes_as_many_queries_for_many_bots_of_a_side_as_for_two(django_assert_num_queries: Any) -> None:
    scene = Scene()
    scene.looks("as ever")
    with django_assert_num_queries(8) as few:
        assert not stand_ins.compare_next(scene.ladder)
    for _ in range(3):
        other = a_version(a_bot(scene.first.bot.owner))
        enter(ladder=scene.ladder, bot=other.bot, by=other.bot.owner)
        for earlier in (scene.first, scene.later):
            Likeness.objects.create(ladder=scene.ladder, original=earlier, version=other, status=Status.UNTOLD)
    with django_assert_num_queries(len(few)):
        assert not stand_ins.compare_next(scene.ladder)
