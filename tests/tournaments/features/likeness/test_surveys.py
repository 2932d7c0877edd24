"""Bots asked again what was asked in recorded matches: who answers as somebody else stands out, and nobody else."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tests.tournaments.features.likeness.asking import answers, asked, to_the_end
from tests.tournaments.web.api.asking import ask
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.errors import Refused
from tournaments.features.likeness import surveys
from tournaments.features.likeness.actions import CompareAnswers
from tournaments.features.likeness.answers import compare_answers
from tournaments.features.likeness.findings import findings_of_survey
from tournaments.features.practice.turns import TRIES
from tournaments.features.worker_door.bundles_api import check_ticket
from tournaments.models import (
    Bot,
    Bundle,
    Ladder,
    Likeness,
    Match,
    Practice,
    Seat,
    Survey,
    SurveyAnswers,
    User,
    Version,
)
from workers.bundles import ticket

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


@pytest.fixture
def organiser() -> User:
    return a_user("olga", staff=True)


@pytest.fixture
def ladder() -> Ladder:
    """A ladder of six people, with as many sets as are drawn."""
    ladder = a_ladder("arena", players=2)
    versions = [a_version(a_bot(name=f"bot {letter}")) for letter in "abcdef"]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    for _ in range(surveys.MATCHES):
        a_completed_set(ladder, versions[:2])
    rate()
    return ladder


def begun(ladder: Ladder, organiser: User) -> Survey:
    CompareAnswers(ladder).do(by=organiser, reason="The course ends.")
    return Survey.objects.get(status="running")


def by_name(version: Version) -> str:
    return "one hand" if version.bot.name in ("bot c", "bot e") else version.bot.name


def test_who_answers_as_somebody_else_stands_out_and_nobody_else(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    to_the_end(by_name)
    findings = findings_of_survey(ladder)
    assert findings
    [pair] = findings.pairs
    assert {pair.one.bot.name, pair.other.bot.name} == {"bot c", "bot e"}
    assert (round(pair.pair.share, 6), pair.pair.equal) == (1.0, findings.views)
    assert pair.pair.of_pairs == 1 / 15
    assert findings.quantile > findings.median
    assert not SurveyAnswers.objects.exists()
    assert not Likeness.objects.exists()  # of different sides nobody loses a rank
    client = Client()
    client.force_login(organiser)
    page = client.get("/desk/ladders/arena/sources/").content.decode()
    assert "bot c v1" in page[page.index('id="answers"') :]
    desk = " ".join(client.get("/desk/").content.decode().split())
    assert '/desk/ladders/arena/sources/#answers">Arena</a>: 1 pair<' in desk
    assert "answers,bot" in client.get("/desk/ladders/arena/sources.csv").content.decode()
    report = ask("GET", "ladders/arena/alike", f"Token {make_token(user=organiser, name='mine')}").json()
    assert [row["equal"] for row in report["answers"]["pairs"]] == [findings.views]
    Ladder.objects.update(status="closed")
    assert "Similar play" not in client.get("/desk/").content.decode()


def test_of_one_owner_or_team_no_pair_is_listed(ladder: Ladder, organiser: User) -> None:
    Bot.objects.filter(name="bot e").update(owner=Bot.objects.get(name="bot c").owner)
    begun(ladder, organiser)
    to_the_end(by_name)
    findings = findings_of_survey(ladder)
    assert findings
    assert not findings.pairs


def test_people_at_a_table_go_first_and_one_bot_is_asked_at_a_time(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    waits = Practice.objects.create(
        owner=a_user(), ladder=ladder, rules=1, options={}, seed="5e", seats=[], status=Practice.Status.WAITING
    )
    assert surveys.ask_next() == 0
    waits.status = Practice.Status.ASKING
    waits.save()
    assert surveys.ask_next() == 0  # somebody has answered just now, and will wait soon
    Survey.objects.update(created_at=timezone.now() - surveys.POLITE)
    assert surveys.ask_next() == 1
    assert surveys.ask_next() == 0
    assert SurveyAnswers.objects.filter(status="asked").count() == 1


FORGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "an answer too few": lambda plain: plain["answers"].pop(),
    "no digest": lambda plain: plain["answers"].__setitem__(0, "<b>"),
    "a number": lambda plain: plain["answers"].__setitem__(0, 7),
    "nothing": lambda plain: plain.update(outcome="void", reason="no sandbox"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_report_that_does_not_hold_is_asked_for_again(what: str, ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    surveys.ask_next()
    assert answers(by_name, FORGED[what]) == "noted"
    assert not SurveyAnswers.objects.filter(status="given").exists()
    surveys.ask_next()
    assert answers(by_name) == "taken"


def is_shown(number: int, turn: int, secret: str, bundle: Bundle) -> bool:
    try:
        check_ticket(ticket("practice", number, turn, secret), bundle.pk)
    except Refused:
        return False
    return True


def test_a_report_is_of_its_turn_and_a_bundle_is_had_for_it_alone(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    surveys.ask_next()
    row, order = asked(), surveys.order_of_survey(asked())
    bundle = row.version.bundle
    other = Version.objects.exclude(bundle=bundle)[0].bundle
    assert is_shown(order.practice, order.turn, order.secret, bundle)
    assert not is_shown(order.practice, order.turn, order.secret, other)
    assert not is_shown(-order.practice, order.turn, order.secret, bundle)
    assert not is_shown(order.practice, order.turn, "0" * 64, bundle)
    assert answers(by_name, lambda plain: plain.update(secret="0" * 64)).startswith("refused")
    assert answers(by_name, lambda plain: plain.update(turn=9)).startswith("refused")
    assert answers(by_name) == "taken"
    assert not is_shown(order.practice, order.turn, order.secret, bundle)


def test_who_cannot_be_asked_is_left_out_and_holds_up_nobody(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    for _ in range(TRIES):
        surveys.ask_next()
        SurveyAnswers.objects.filter(status="asked").update(until=Now())
    surveys.ask_next()
    failed = SurveyAnswers.objects.filter(status="failed")
    assert failed.count() == surveys.MATCHES
    [version] = {row.version for row in failed}
    to_the_end(by_name)
    findings = findings_of_survey(ladder)
    assert findings
    assert findings.untold == [version]


def test_what_is_too_little_to_tell_is_said(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    with pytest.raises(Refused, match="are being asked"):
        CompareAnswers(ladder).preview()
    with pytest.raises(Refused, match="0 owners or teams"):
        CompareAnswers(a_ladder("empty")).preview()
    Survey.objects.all().delete()
    Seat.objects.filter(match=Match.objects.get(set__number=1, turn=0)).update(verdict=Verdict.CRASHED)
    with pytest.raises(Refused, match="5 sets without a fault; 6"):
        CompareAnswers(ladder).preview()


def test_a_survey_begins_by_itself_where_versions_have_come_and_not_too_often(ladder: Ladder) -> None:
    assert surveys.begin_due() == 0  # the ladder is new
    old = timezone.now() - surveys.PAUSE
    Ladder.objects.update(created_at=old)
    assert surveys.begin_due() == 1
    assert surveys.begin_due() == 0  # it runs
    to_the_end(by_name)
    assert surveys.begin_due() == 0  # it was lately
    Survey.objects.update(created_at=old)
    assert surveys.begin_due() == 0  # nobody is new
    ladder.entries.create(bot=a_version(a_bot(name="bot g")).bot)
    assert surveys.begin_due() == 1
    Survey.objects.filter(status="running").delete()
    Survey.objects.update(findings={**Survey.objects.get().findings, "compared": [], "untold": []})
    assert surveys.begin_due() == 1  # no worker answered in the last one


def test_none_begins_while_another_is_under_way_or_where_versions_are_fixed(ladder: Ladder) -> None:
    Ladder.objects.update(created_at=timezone.now() - surveys.PAUSE, status="frozen")
    assert surveys.begin_due() == 0
    Ladder.objects.update(status="open")
    other = Survey.objects.create(ladder=a_ladder("other"), matches=[])
    assert surveys.begin_due() == 0
    other.delete()
    assert surveys.begin_due() == 1


def test_sides_take_turns_so_that_many_bots_of_one_keep_nobody_out(
    ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = Bot.objects.get(name="bot c").owner
    for _ in range(6):
        ladder.entries.create(bot=a_version(a_bot(owner)).bot)
    Ladder.objects.update(created_at=timezone.now() - surveys.PAUSE)
    monkeypatch.setattr(surveys, "BY_ITSELF", 6)
    assert surveys.begin_due() == 1
    asked_for = Version.objects.filter(pk__in=SurveyAnswers.objects.values("version"))
    assert len(asked_for) == len({version.bot.owner_id for version in asked_for}) == 6


def test_a_late_survey_is_concluded_by_what_was_answered_and_the_others_are_asked_in_the_next(
    ladder: Ladder, organiser: User
) -> None:
    survey, answered = begun(ladder, organiser), set[int]()
    for _ in range(surveys.MATCHES):
        surveys.ask_next()
        answered.add(asked().version_id)
        answers(by_name)
    surveys.ask_next()
    late = timezone.now() - timedelta(hours=surveys.LONGEST, seconds=1)
    Survey.objects.update(created_at=late)
    surveys.ask_next()
    survey.refresh_from_db()
    assert (survey.status, set(survey.findings["compared"]), survey.findings["untold"]) == ("done", answered, [])
    assert not SurveyAnswers.objects.exists()
    Ladder.objects.update(created_at=late)
    assert surveys.begin_due() == 1


def test_a_survey_that_cannot_be_concluded_keeps_no_other_from_beginning(ladder: Ladder, organiser: User) -> None:
    survey = begun(ladder, organiser)
    long_ago = timezone.now() - timedelta(hours=surveys.STUCK, seconds=1)
    Survey.objects.update(created_at=long_ago)
    Ladder.objects.update(created_at=long_ago)
    assert surveys.begin_due() == 1
    survey.refresh_from_db()
    assert survey.status == "stopped"
    assert not survey.answers.exists()


def test_where_there_is_too_little_to_compare_none_begins(ladder: Ladder) -> None:
    Ladder.objects.update(created_at=timezone.now() - surveys.PAUSE)
    ladder.entries.filter(bot__name__in=("bot e", "bot f")).delete()
    assert surveys.begin_due() == 0
    assert not Survey.objects.exists()


def test_what_everybody_answers_counts_for_nothing_and_a_rare_answer_for_much() -> None:
    given = {version: [["all"] * 9, [f"{version}"] * 3] for version in range(6)}
    given[5] = [["all"] * 9, ["4", "4", "5"]]
    findings = compare_answers(given, {version: version for version in given}, least=0.0)
    shares = {(pair.one, pair.other): pair.share for pair in findings.pairs}
    assert shares[0, 1] == 0.0
    assert 0.5 < shares[4, 5] < 0.7
    assert findings.median == 0.0
    smaller = compare_answers(
        {version: given[version] for version in range(4)}, {version: version for version in given}
    )
    assert (smaller.pairs, smaller.views) == ([], 12)
