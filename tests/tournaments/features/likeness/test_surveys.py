"""Bots asked again what was asked in recorded matches: who answers as somebody else stands out, and nobody else."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from engine.dice import Dice
from engine.records import to_plain
from engine.referee import Verdict
from tests.factories import AnyAnswers, a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tests.practising import send
from tests.tournaments.web.api.asking import ask
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.errors import Refused
from tournaments.features.likeness import surveys
from tournaments.features.likeness.actions import CompareAnswers
from tournaments.features.likeness.answers import compare
from tournaments.features.likeness.findings import findings_of
from tournaments.features.practice.turns import TRIES
from tournaments.models import Bot, Ladder, Match, Practice, Seat, Survey, SurveyAnswers, User, Version
from tournaments.site.bundles_api import practice_needs
from workers.practice import Rehearsal, go_on
from workers.practice_orders import PracticeReport

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


@pytest.fixture
def organiser() -> User:
    return a_user("olga", staff=True)


@pytest.fixture
def ladder() -> Ladder:
    """Of six people, with as many sets as are drawn."""
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


def asked() -> SurveyAnswers:
    related = ("survey__ladder", "match__set", "match__result", "version__bot")
    return SurveyAnswers.objects.select_related(*related).get(status="asked")


def answers(who: Callable[[Version], str], forge: Callable[[dict[str, Any]], object] | None = None) -> str:
    """As a worker answers. `who`: what a bot's answers are drawn from."""
    order = surveys.order_for(row := asked())
    report = PracticeReport(order.practice, order.turn, "tester/1", "played", seconds=0.1, secret=order.secret)
    rehearsal = Rehearsal(AnyAnswers(Dice.of(f"{row.match_id} {who(row.version)}"), {}), order.people, {})
    go_on(order, rehearsal, report)
    plain = {**to_plain(report), "answers": rehearsal.digests}
    if forge:
        forge(plain)
    return send(plain)


def to_the_end(who: Callable[[Version], str]) -> None:
    while Survey.objects.filter(status="running").exists():
        surveys.go_on()
        if SurveyAnswers.objects.filter(status="asked").exists():
            answers(who)


def by_name(version: Version) -> str:
    return "one hand" if version.bot.name in ("bot c", "bot e") else version.bot.name


def test_who_answers_as_somebody_else_stands_out_and_nobody_else(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    to_the_end(by_name)
    found = findings_of(ladder)
    assert found
    [pair] = found.pairs
    assert {pair.one.bot.name, pair.other.bot.name} == {"bot c", "bot e"}
    assert (round(pair.pair.share, 6), pair.pair.equal) == (1.0, found.views)
    assert pair.pair.of_pairs == 1 / 15
    assert found.quantile > found.median
    assert not SurveyAnswers.objects.exists()
    client = Client()
    client.force_login(organiser)
    page = client.get("/desk/ladders/arena/sources/").content.decode()
    assert "bot c v1" in page[page.index('id="answers"') :]
    assert "answers,bot" in client.get("/desk/ladders/arena/sources.csv").content.decode()
    known = ask("GET", "ladders/arena/alike", f"Token {make_token(user=organiser, name='mine')}").json()
    assert [each["equal"] for each in known["answers"]["pairs"]] == [found.views]


def test_of_one_owner_or_team_no_pair_is_listed(ladder: Ladder, organiser: User) -> None:
    Bot.objects.filter(name="bot e").update(owner=Bot.objects.get(name="bot c").owner)
    begun(ladder, organiser)
    to_the_end(by_name)
    found = findings_of(ladder)
    assert found
    assert not found.pairs


def test_people_at_a_table_go_first_and_one_bot_is_asked_at_a_time(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    waits = Practice.objects.create(
        owner=a_user(), ladder=ladder, rules=1, options={}, seed="5e", seats=[], status=Practice.Status.WAITING
    )
    assert surveys.go_on() == 0
    waits.delete()
    assert surveys.go_on() == 1
    assert surveys.go_on() == 0
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
    surveys.go_on()
    assert answers(by_name, FORGED[what]) == "noted"
    assert not SurveyAnswers.objects.filter(status="given").exists()
    surveys.go_on()
    assert answers(by_name) == "taken"


def test_a_report_is_of_its_turn_and_a_bundle_is_had_for_it_alone(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    surveys.go_on()
    row, order = asked(), surveys.order_for(asked())
    bundle = row.version.bundle
    other = Version.objects.exclude(bundle=bundle)[0].bundle
    assert practice_needs(order.practice, order.turn, order.secret, bundle)
    assert not practice_needs(order.practice, order.turn, order.secret, other)
    assert not practice_needs(-order.practice, order.turn, order.secret, bundle)
    assert not practice_needs(order.practice, order.turn, "0" * 64, bundle)
    assert answers(by_name, lambda plain: plain.update(secret="0" * 64)).startswith("refused")
    assert answers(by_name, lambda plain: plain.update(turn=9)).startswith("refused")
    assert answers(by_name) == "taken"
    assert not practice_needs(order.practice, order.turn, order.secret, bundle)


def test_who_cannot_be_asked_is_left_out_and_holds_up_nobody(ladder: Ladder, organiser: User) -> None:
    begun(ladder, organiser)
    for _ in range(TRIES):
        surveys.go_on()
        SurveyAnswers.objects.filter(status="asked").update(until=Now())
    surveys.go_on()
    failed = SurveyAnswers.objects.filter(status="failed")
    assert failed.count() == surveys.MATCHES
    [version] = {row.version for row in failed}
    to_the_end(by_name)
    found = findings_of(ladder)
    assert found
    assert found.untold == [version]


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


def test_what_everybody_answers_counts_for_nothing_and_a_rare_answer_for_much() -> None:
    said = {one: [["all"] * 9, [f"{one}"] * 3] for one in range(6)}
    said[5] = [["all"] * 9, ["4", "4", "5"]]
    found = compare(said, {one: one for one in said}, least=0.0)
    shares = {(pair.one, pair.other): pair.share for pair in found.pairs}
    assert shares[0, 1] == 0.0
    assert 0.5 < shares[4, 5] < 0.7
    assert found.median == 0.0
    few = compare({one: said[one] for one in range(4)}, {one: one for one in said})
    assert (few.pairs, few.views) == ([], 12)
