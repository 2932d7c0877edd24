"""Placebo twins: one bot under two names, which nobody but organisers can tell from anything public until the end."""

import json
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, new_contents, play_set
from tests.tournaments.features.fairness.test_reports import made
from tests.tournaments.features.likeness.asking import to_the_end
from tournaments.audit.log import log_lines
from tournaments.core.errors import Refused
from tournaments.features.fairness.actions import EnterTwins, RevealTwins
from tournaments.features.fairness.twins import SIZES, disguised
from tournaments.features.final_runs.actions import StartFinalRun
from tournaments.features.likeness import surveys
from tournaments.features.seasons.steps import first_of
from tournaments.ledger.acts import Close
from tournaments.ledger.competitors.clones import check_no_clone
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import refit, refit_due
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Badge, Bot, Ladder, Likeness, Twins, User, Version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]


class Scene:
    """A ladder in which a bot of the house plays, and somebody's."""

    def __init__(self) -> None:
        self.ladder: Ladder = a_ladder(players=2)
        self.organiser: User = a_user(staff=True)
        self.original, self.other = a_version(a_bot(), new_contents()), a_version()
        Bot.objects.filter(pk=self.original.bot_id).update(house="cautious")
        self.original.bot.refresh_from_db()
        for version in (self.original, self.other):
            enter_in_ladder(ladder=self.ladder, bot=version.bot, by=version.bot.owner)

    def enters(self, name: str = "Mellow") -> Version:
        EnterTwins(self.ladder, self.original.bot, name).do(by=self.organiser, reason="Is it fair?")
        twin = Twins.objects.get(ladder=self.ladder).twin
        play_set(twin.check_set)
        twin.refresh_from_db()
        return twin

    def plays(self, *versions: Version, sets: int = 1) -> None:
        for _ in range(sets):
            for version in versions:
                a_completed_set(self.ladder, [version, self.other])
        rate()
        refit_due()

    def page(self, user: User | None = None, of: str = "fair/") -> str:
        client = Client()
        if user:
            client.force_login(user)
        return client.get(f"/ladders/{self.ladder.slug}/{of}").content.decode()


def test_the_second_name_plays_the_same_bot_and_no_fact_of_its_upload_is_the_firsts() -> None:
    scene = Scene()
    twin = scene.enters()
    assert (twin.status, twin.contents, twin.bot.owner) == ("active", scene.original.contents, scene.original.bot.owner)
    assert scene.ladder.entries.get(bot=twin.bot).status == "playing"
    first, second = scene.original.bundle, twin.bundle
    assert bytes(second.content).startswith(bytes(first.content))
    assert first.sha256 != second.sha256
    assert (second.size % SIZES, second.size > first.size) == (0, True)
    assert twin.bot.house not in ("", scene.original.bot.house)


def test_no_two_disguises_are_the_same_and_a_size_says_nothing() -> None:
    source = b"x = 1"
    assert disguised(source) != disguised(source)
    assert {len(disguised(b"#" * size)) for size in (1, 1000, SIZES - 70)} == {SIZES}
    assert len(disguised(b"#" * (SIZES - 60))) == 2 * SIZES


def test_nobody_but_organisers_is_told_before_the_end() -> None:
    scene = Scene()
    twin = scene.enters()
    scene.plays(scene.original, twin)
    made(scene.ladder)
    verdict, pair = "are one bot under two names", Twins.objects.get().text
    assert verdict in scene.page(scene.organiser)
    for person in (None, a_user(), scene.other.bot.owner):
        assert verdict not in scene.page(person)
        assert "plays like" not in scene.page(person, of="")
    log = "".join(log_lines(()))
    assert sha256(pair.encode()).hexdigest() in log
    entry = next(entry for entry in map(json.loads, log.splitlines()) if entry["kind"] == "enter_twins")
    assert not [name for name in ("Mellow", scene.original.bot.name, pair) if name in json.dumps(entry)]
    report = Client().get(f"/api/v1/ladders/{scene.ladder.slug}/fairness").json()["report"]
    assert [check["state"] for check in report["checks"] if check["name"] == "twins"] == ["absent"]
    seen = [Client().get(f"/api/v1/bots/{version.bot_id}/versions/1").json() for version in (scene.original, twin)]
    shared = {name for name in seen[0] if seen[0][name] == seen[1][name]}
    assert not shared & {"bundle", "size", "created_at", "id"}


def test_a_survey_does_not_reveal_them_and_finds_other_doubles_still() -> None:
    scene = Scene()
    twin, copy = scene.enters(), a_version(a_bot(scene.original.bot.owner))
    enter_in_ladder(ladder=scene.ladder, bot=copy.bot, by=copy.bot.owner)
    for _ in range(surveys.MATCHES):
        play_set(create_set(ladder=scene.ladder, versions=[scene.original.pk, scene.other.pk]))
    rate()
    surveys.begin_survey(scene.ladder)
    to_the_end(lambda _: "as ever")
    doubles = Likeness.objects.values_list("original", "version")
    assert (scene.original.pk, twin.pk) not in doubles
    assert twin.pk not in dict(doubles).values()


def test_the_rule_on_copies_exempts_the_twins_alone() -> None:
    scene = Scene()
    twin = scene.enters()
    check_no_clone(twin.bot, [twin.contents], [scene.ladder])
    check_no_clone(scene.original.bot, [twin.contents], [scene.ladder])
    third = a_bot(scene.original.bot.owner)
    with pytest.raises(Refused, match="already has these contents"):
        check_no_clone(third, [twin.contents], [scene.ladder])


def test_closing_reveals_them_and_neither_has_a_rank_or_wins() -> None:
    scene = Scene()
    twin = scene.enters()
    scene.plays(scene.original, twin, sets=2)
    assert {line.plays_as for line in standings(scene.ladder)} == {""}
    act = Close(scene.ladder).do(by=scene.organiser, reason="The season ends.")
    pair = Twins.objects.get()
    assert pair.revealed_at
    assert act.detail["says"][0].endswith(pair.text)
    assert (scene.original.bot.name in pair.text, "Mellow" in pair.text) == (True, True)
    refit_due()
    lines = {line.version_id: line for line in standings(scene.ladder)}
    assert lines[scene.original.pk].plays_as == "Mellow"
    assert lines[twin.pk].plays_as == scene.original.bot.name
    assert lines[scene.other.pk].plays_as == ""
    assert first_of(standings(scene.ladder)) == [scene.other.bot_id]
    assert not Badge.objects.filter(bot__in=(twin.bot, scene.original.bot)).exists()
    assert "Mellow" in scene.page()
    assert "are one bot under two names" in scene.page()


def test_an_organiser_reveals_them_before_and_must_before_a_final_run() -> None:
    scene = Scene()
    twin = scene.enters()
    scene.plays(scene.original, twin)
    with pytest.raises(Refused, match="reveal the placebo twins"):
        StartFinalRun(scene.ladder, [1], 9).preview()
    RevealTwins(scene.ladder).do(by=scene.organiser, reason="The borders are drawn without them.")
    for action in (RevealTwins(scene.ladder), EnterTwins(scene.ladder, scene.original.bot, "Other")):
        with pytest.raises(Refused, match=r"no hidden twins|its twins already"):
            action.preview()


def test_once_revealed_the_check_compares_their_ratings() -> None:
    scene = Scene()
    twin = scene.enters()
    for number in range(8):  # each wins half of its sets: of drawn results one in 400 sets them too far apart
        for version in (scene.original, twin):
            loser = version if number % 2 else scene.other
            a_completed_set(scene.ladder, [version, scene.other], faults={loser.pk: Verdict.CRASHED})
    rate()
    RevealTwins(scene.ladder).do(by=scene.organiser, reason="The season ends.")
    refit(ladder=scene.ladder)
    check: dict[str, Any] = next(check for check in made(scene.ladder).checks if check["name"] == "twins")
    assert (check["state"], check["has"], check["needs"]) == ("ok", 8, 8)
    ratings = {line.version_id: line.elo for line in standings(scene.ladder)}
    assert check["values"]["apart"] == pytest.approx(abs(ratings[twin.pk] - ratings[scene.original.pk]), abs=0.15)
    assert check["values"]["most"] > check["values"]["error"]


def test_only_a_bot_of_the_house_that_plays_and_is_rated_gets_a_second_name() -> None:
    scene = Scene()
    with pytest.raises(Refused, match="no bot of the house"):
        EnterTwins(scene.ladder, scene.other.bot, "Mellow").preview()
    with pytest.raises(Refused, match="no bot of the house"):
        EnterTwins(a_ladder(), scene.original.bot, "Mellow").preview()
    scene.ladder.anchor = scene.original
    scene.ladder.save()
    with pytest.raises(Refused, match="held at its rating"):
        EnterTwins(scene.ladder, scene.original.bot, "Mellow").preview()
    with pytest.raises(Refused) as refused:
        EnterTwins(scene.ladder, scene.original.bot, "Mellow").do(by=a_user(), reason="Why not?")
    assert refused.value.code == "not_organiser"
    assert not Twins.objects.exists()


def test_the_desk_offers_what_can_be_done() -> None:
    scene, client = Scene(), Client()
    client.force_login(scene.organiser)

    def offered(ladder: Ladder) -> set[str]:
        page = client.get(f"/desk/ladders/{ladder.slug}/").content.decode()
        return {kind for kind in ("enter_twins", "reveal_twins") if kind in page}

    assert offered(a_ladder()) == set()
    assert offered(scene.ladder) == {"enter_twins"}
    scene.enters()
    assert offered(scene.ladder) == {"reveal_twins"}
    RevealTwins(scene.ladder).do(by=scene.organiser, reason="The season ends.")
    assert offered(scene.ladder) == set()


def test_a_name_that_is_taken_enters_nobody() -> None:
    scene = Scene()
    with pytest.raises(Refused) as refused:
        EnterTwins(scene.ladder, scene.original.bot, scene.other.bot.name).do(by=scene.organiser, reason="Why not?")
    assert refused.value.code == "name_taken"
    assert not Twins.objects.exists()
