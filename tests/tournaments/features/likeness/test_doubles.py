"""Doubles: bots of one side that answer a survey's questions alike hold one rank."""

from typing import Any

import pytest

from tests.factories import a_bot, a_ladder, a_user, a_version, rate, reports
from tests.tournaments.features.likeness.asking import Forge, to_the_end
from tournaments.core.errors import Refused
from tournaments.features.likeness import surveys
from tournaments.features.likeness.actions import ClearDouble
from tournaments.features.likeness.doubles import ANSWERS, MATCHES
from tournaments.features.overall.standings import overall_standings
from tournaments.features.teams import rules as teams
from tournaments.ledger.acts import Close, Freeze, Reopen
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording import reports as recording
from tournaments.models import Ladder, Likeness, MatchSet, Notice, User, Version
from tournaments.ratings.table import table_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


def plays(match_set: MatchSet) -> None:
    """Play it with answers that are the same in every set."""
    order = order_of_set(match_set, claim(match_set=match_set))
    for report in reports(order, answers="as ever"):
        recording.record_report(report)


class Scene:
    """An honest bot, and two of one owner. The first two have played what is asked about."""

    def __init__(self, owner: User | None = None, later: User | None = None) -> None:
        self.ladder: Ladder = a_ladder(players=2)
        owner = owner or a_user()
        self.honest, self.first, self.later = (a_version(a_bot(person)) for person in (None, owner, later or owner))
        for version in (self.honest, self.first, self.later):
            enter_in_ladder(ladder=self.ladder, bot=version.bot, by=version.bot.owner)
        for _ in range(surveys.MATCHES):
            plays(create_set(ladder=self.ladder, versions=[self.first.pk, self.honest.pk]))
        rate()

    def survey(self, forge: Forge | None = None) -> Likeness | None:
        """Carry out a survey in which all answer alike, but for what is forged in the later one's reports."""
        surveys.begin_survey(self.ladder)
        to_the_end(lambda _: "as ever", forge, self.later)
        return Likeness.objects.filter(ladder=self.ladder).first()

    def line(self, version: Version) -> Any:
        return next(line for line in standings(self.ladder) if line.version_id == version.pk)


def test_who_gives_all_the_same_answers_has_no_rank_and_is_told(client: Any) -> None:
    scene = Scene()
    likeness = scene.survey()
    assert likeness
    assert (likeness.status, likeness.original, likeness.version) == ("alike", scene.first, scene.later)
    assert likeness.matches >= MATCHES
    assert likeness.answers >= ANSWERS
    assert scene.line(scene.later).plays_as == scene.first.bot.name
    assert scene.line(scene.first).plays_as == scene.line(scene.honest).plays_as == ""
    row = next(row for row in table_of(ledger_of(scene.ladder)).rows if row.version == scene.later.pk)
    assert row.rank is None
    notice = Notice.objects.get(user=scene.later.bot.owner, key=f"alike {likeness.pk}")
    assert f"{scene.later} plays as {scene.first} does" in notice.text
    assert "Upload a version that plays otherwise" in notice.text
    assert f"plays like {scene.first.bot}" in client.get(f"/ladders/{scene.ladder.slug}/").content.decode()
    scene.survey()
    assert [row.pk for row in Likeness.objects.all()] == [likeness.pk]


def test_its_rank_does_not_come_by_taking_the_first_out_but_by_an_organiser(client: Any) -> None:
    scene = Scene()
    scene.survey()
    enters = scene.ladder.entries.get(bot=scene.first.bot)
    withdraw_bot(entry=enters, by=scene.first.bot.owner)
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
    scene.survey()
    assert scene.line(scene.later).plays_as == ""


def test_one_other_answer_clears_it_and_answers_that_fail_do_not() -> None:
    scene = Scene()
    assert scene.survey(lambda report: report["answers"].__setitem__(-1, "0" * 12)) is None
    assert scene.line(scene.later).plays_as == ""
    assert scene.survey(lambda report: report["answers"].__setitem__(-1, "")) is not None
    assert scene.line(scene.later).plays_as


def test_who_answers_little_is_no_double() -> None:
    scene = Scene()
    assert scene.survey(lambda report: report.update(answers=["" for _ in report["answers"]])) is None


def test_a_bot_that_left_is_asked_about_by_what_it_played_most() -> None:
    scene = Scene()
    withdraw_bot(entry=scene.ladder.entries.get(bot=scene.first.bot), by=scene.first.bot.owner)
    assert set(surveys.versions_to_ask(scene.ladder)) == {scene.later.pk, scene.honest.pk, scene.first.pk}
    likeness = scene.survey()
    assert likeness
    assert likeness.original == scene.first
    assert scene.first.pk not in scene.ladder.surveys.get().findings["compared"]


def test_of_many_copies_each_is_a_double_of_the_first_alone() -> None:
    scene = Scene()
    copies = [scene.later, *(a_version(a_bot(scene.first.bot.owner)) for _ in range(2))]
    for copy in copies[1:]:
        enter_in_ladder(ladder=scene.ladder, bot=copy.bot, by=copy.bot.owner)
    scene.survey()
    pairs = Likeness.objects.order_by("version").values_list("original", "version")
    assert list(pairs) == [(scene.first.pk, copy.pk) for copy in copies]
    assert Notice.objects.filter(user=scene.first.bot.owner, key__startswith="alike").count() == len(copies)
    ClearDouble(copies[2].bot, scene.ladder).do(by=a_user(staff=True), reason="It opens otherwise.")
    scene.survey()  # another copy is no reason to take its rank again
    assert [bool(scene.line(copy).plays_as) for copy in copies] == [True, True, False]


def test_a_double_stays_one_where_versions_are_fixed_and_final_standings_stay_as_they_are() -> None:
    scene, organiser = Scene(), a_user(staff=True)
    Close(ladder=scene.ladder).do(by=organiser, reason="It is over.")
    assert scene.survey() is None
    Reopen(ladder=scene.ladder).do(by=organiser, reason="It goes on.")
    assert scene.survey() is not None
    Freeze(ladder=scene.ladder).do(by=organiser, reason="The last round.")
    a_version(scene.later.bot)  # plays elsewhere
    scene.ladder = Ladder.objects.get(pk=scene.ladder.pk)
    assert scene.line(scene.later).plays_as


def test_a_bot_of_another_owner_is_never_compared_and_a_team_counts_as_one() -> None:
    ada, bob = a_user(), a_user()
    scene = Scene(ada, bob)
    with pytest.raises(Refused, match="3 owners or teams"):
        scene.survey()
    team = teams.create_team(name="The two", by=ada)
    teams.invite_to_team(team=team, user=bob, by=ada)
    teams.answer_team_invitation(team=team, by=bob, joins=True)
    likeness = scene.survey()
    assert likeness
    assert scene.line(scene.later).plays_as
    teams.leave_team(team=team, by=bob)
    assert scene.line(scene.later).plays_as == ""  # parted: nobody loses a rank by another's bot


def test_a_double_does_not_count_over_all_games() -> None:
    scene = Scene()
    scene.survey()
    for _ in range(12):
        for pair in ([scene.first, scene.honest], [scene.later, scene.honest]):
            plays(create_set(ladder=scene.ladder, versions=[version.pk for version in pair]))
    rate()
    assert not scene.line(scene.later).provisional
    _, joint = overall_standings()
    assert overall_standings()[1] is joint  # computed once for a fit
    owner = scene.later.bot.owner.username
    assert [line.games["zaibatsu"] for line in joint.lines if line.name == owner] == [scene.line(scene.first).elo]


def test_it_takes_as_many_queries_for_many_bots_of_a_side_as_for_two(django_assert_num_queries: Any) -> None:
    scene = Scene()
    with django_assert_num_queries(5):
        surveys.versions_to_ask(scene.ladder)
    for _ in range(3):
        other = a_version(a_bot(scene.first.bot.owner))
        enter_in_ladder(ladder=scene.ladder, bot=other.bot, by=other.bot.owner)
    with django_assert_num_queries(5):
        surveys.versions_to_ask(scene.ladder)
