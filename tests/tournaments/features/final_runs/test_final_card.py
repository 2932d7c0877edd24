"""Who wins a season: by the sets dealt after the freeze, by no others, and nobody where they are too few."""

from pathlib import Path

import pytest
from django.test import Client

from tests.factories import a_user
from tests.seasons import a_season, end_set, fit
from tests.spaces import a_space
from tournaments.features.seasons.season_file import ladder_season
from tournaments.features.seasons.steps import print_due
from tournaments.ledger import acts
from tournaments.ledger.acts.base import Action
from tournaments.ledger.dumps.streamed_zip import zipped
from tournaments.ledger.ladders.classic_elo import STREAK
from tournaments.ledger.ladders.final_fits import final_table
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Act, Bot, Entry, Ladder, PastSeason, Seat, User, Version
from tournaments.ratings.__main__ import main as ratings
from tournaments.ratings.final_table import LEAST

pytestmark = pytest.mark.django_db


def do(action: Action) -> Act:
    organiser = User.objects.filter(username="olga").first() or a_user("olga", staff=True)
    return action.do(by=organiser, reason="the season ends")


def again(ladder: Ladder) -> Ladder:
    return Ladder.objects.get(pk=ladder.pk)


def deal(ladder: Ladder, best_first: list[Version], rounds: int) -> None:
    """Everyone meets everyone, and the better win."""
    ids = [version.pk for version in best_first]
    for _ in range(rounds):
        for position, winner in enumerate(ids):
            for loser in ids[position + 1 :]:
                end_set(create_set(ladder=ladder, versions=[winner, loser]), [winner, loser])
    fit()


def page(ladder: Ladder, language: str = "en") -> str:
    headers = {"accept-language": language}
    return " ".join(Client().get(f"/ladders/{ladder.slug}/", headers=headers).content.decode().split())


def test_who_led_when_it_was_frozen_wins_by_what_is_dealt_since_or_not_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ladder, versions = a_season(3, rounds=30)
    do(acts.Freeze(ladder))
    first, second, last = versions
    deal(again(ladder), [second, first, last], 8)
    assert standings(again(ladder))[0].bot_id == first.bot_id, "it leads by all sets"
    assert "First in the final table: " + second.bot.name in page(ladder)
    sentence = do(acts.Close(ladder)).detail["says"]
    assert "First in the final table: " + second.bot.name + "." in sentence
    fit()
    print_due()
    assert PastSeason.objects.get().winners == [second.bot_id]
    path = tmp_path / "season.zip"
    path.write_bytes(b"".join(zipped(ladder_season(again(ladder)))))
    assert ratings([str(path)]) == 0
    printed = capsys.readouterr().out
    assert f"The final table, by the 24 sets after set 90:\n\n   1  {second.bot.name}  " in printed


def test_sets_that_were_dealt_before_the_freeze_do_not_count_when_they_end_after_it() -> None:
    ladder, versions = a_season(2)
    ids = [version.pk for version in versions]
    late = [create_set(ladder=ladder, versions=ids) for _ in range(LEAST)]
    do(acts.Freeze(ladder))
    for made in late:
        end_set(made, ids)
    fit()
    assert (final_table(again(ladder)).sets, final_table(again(ladder)).winners) == (0, [])


def test_nobody_wins_while_one_that_plays_has_too_few_and_who_was_stopped_stops_nobody() -> None:
    ladder, versions = a_season(3)
    do(acts.Freeze(ladder))
    deal(again(ladder), versions[:2], LEAST)
    name = versions[2].bot.name
    assert f"Nobody wins yet. Fewer than 15 sets since the freeze: {name}." in page(ladder)
    assert final_table(again(ladder)).winners == []
    Entry.objects.filter(bot=versions[2].bot).update(status=Entry.Status.SUSPENDED)
    assert final_table(again(ladder)).winners == [versions[0].bot_id]
    assert len(final_table(again(ladder)).placed) == 2


def test_names_in_its_sentences_are_no_sentences_of_ours() -> None:
    ladder, versions = a_season(2)
    Bot.objects.filter(pk=versions[0].bot_id).update(name="bot 7")
    do(acts.Freeze(ladder))
    assert "Weniger als 15 Sätze seit dem Einfrieren: " in page(ladder, "de")
    assert "Bot 7" not in page(ladder, "de")
    deal(again(ladder), versions, LEAST)
    assert "bot 7." in page(ladder, "de")
    assert Client().get(f"/api/v1/ladders/{ladder.slug}").json()["final_after"] == again(ladder).final_after


def test_a_bot_that_cannot_get_enough_has_no_place_as_the_ladder_closes_and_takes_nobodys_title() -> None:
    ladder, versions = a_season(4)
    do(acts.Freeze(ladder))
    deal(again(ladder), versions[:3], LEAST)
    first, lame = versions[0].bot, versions[3].bot
    outcome = f"First in the final table: {first}. Without a place, for fewer than 15 sets: {lame}."
    assert f"Nobody wins yet. Fewer than 15 sets since the freeze: {lame}." in page(ladder)
    assert outcome in acts.Close(again(ladder)).preview().says, "who closes sees whom it leaves out"
    assert outcome in do(acts.Close(ladder)).detail["says"]
    assert outcome in page(ladder)
    print_due()
    assert PastSeason.objects.get().winners == [first.pk]


def test_most_must_have_enough_or_whoever_closes_could_choose_among_few() -> None:
    ladder, versions = a_season(4)
    do(acts.Freeze(ladder))
    deal(again(ladder), versions[:2], LEAST)
    nobody = "Nobody wins: half of the bots or more have fewer than 15 sets."
    assert nobody in do(acts.Close(ladder)).detail["says"]
    assert nobody in page(ladder)
    assert final_table(again(ladder)).winners == []
    entries = Entry.objects.filter(ladder=ladder)
    entries.filter(bot=versions[3].bot).update(status=Entry.Status.SUSPENDED)
    assert final_table(again(ladder)).winners == [versions[0].bot_id], "two of three that play"
    entries.filter(bot=versions[1].bot).update(status=Entry.Status.SUSPENDED)
    assert final_table(again(ladder)).winners == [], "one of two"


def test_who_fails_gains_nothing_for_what_it_forfeits_counts() -> None:
    """Neither does it stay without a place, nor does it hold up others: after a few sets it is suspended."""
    ladder, versions = a_season(3)
    do(acts.Freeze(ladder))
    deal(again(ladder), versions, LEAST)
    leader, second, _ = versions
    [before] = [line.row for line in final_table(again(ladder)).placed if line.who.bot_id == leader.bot_id]
    for _ in range(STREAK):
        made = create_set(ladder=again(ladder), versions=[leader.pk, second.pk])
        end_set(made, [second.pk, leader.pk])
        Seat.objects.filter(match__set=made, version=leader).update(verdict="crashed", forfeited=True)
    fit()
    [fallen] = [line for line in final_table(again(ladder)).placed if line.who.bot_id == leader.bot_id]
    assert (fallen.plays, fallen.lacks, fallen.row.sets) == (False, 0, 2 * LEAST + STREAK)
    assert fallen.row.elo < before.elo


def test_one_less_than_enough_is_too_few() -> None:
    ladder, versions = a_season(2)
    do(acts.Freeze(ladder))
    deal(again(ladder), versions, LEAST - 1)
    assert final_table(again(ladder)).winners == []
    deal(again(ladder), versions, 1)
    assert final_table(again(ladder)).winners == [versions[0].bot_id]


def test_a_ladder_closed_without_a_freeze_has_no_winner_and_one_closed_before_has_its_old_one() -> None:
    ladder, versions = a_season(3, rounds=12)
    sentences = do(acts.Close(ladder)).detail["says"]
    assert "Nobody wins the season, for it was not frozen: only sets dealt after that decide." in sentences
    print_due()
    assert PastSeason.objects.get().winners == []
    assert "Final table" not in page(ladder)
    Ladder.objects.update(final_after=None)  # as it is in those of before
    PastSeason.objects.update(changes=9)
    print_due()
    assert PastSeason.objects.get().winners == [versions[0].bot_id]


def test_who_moves_the_freeze_begins_anew_and_the_log_says_so() -> None:
    ladder, versions = a_season(2)
    do(acts.Freeze(ladder))
    deal(again(ladder), versions, LEAST)
    sentences = do(acts.Thaw(ladder)).detail["says"]
    assert "Its final table is dropped, with its sets: 15. The next freeze begins another." in sentences
    assert again(ladder).final_after is None
    fit()
    do(acts.Freeze(ladder))
    assert (final_table(again(ladder)).sets, final_table(again(ladder)).winners) == (0, [])


def test_a_winner_disqualified_later_leaves_the_title_to_the_next() -> None:
    ladder, versions = a_season(3)
    do(acts.Freeze(ladder))
    deal(again(ladder), versions, LEAST)
    do(acts.Close(ladder))
    print_due()
    assert PastSeason.objects.get().winners == [versions[0].bot_id]
    do(acts.Disqualify(bot=versions[0].bot, ladder=again(ladder)))
    print_due()
    assert PastSeason.objects.get().winners == [versions[1].bot_id]


def test_a_version_uploaded_at_the_last_moment_plays_like_all_others_and_one_after_it_does_not() -> None:
    ladder, versions = a_season(2)
    Version.objects.filter(pk=versions[1].pk).update(status=Version.Status.RETIRED)
    last = Version.objects.create(
        bot=versions[1].bot, number=2, bundle=versions[1].bundle, status=Version.Status.ACTIVE
    )
    do(acts.Freeze(ladder))
    deal(again(ladder), [last, versions[0]], LEAST)
    [first, second] = final_table(again(ladder)).placed
    assert (first.who.version_id, first.row.sets, second.row.sets) == (last.pk, LEAST, LEAST)
    assert first.row.elo + second.row.elo == 3000.0, "what its forerunner lost is not in it"


def test_strangers_see_nothing_of_a_private_space() -> None:
    ladder, versions = a_season(2)
    space = a_space("club", members=[versions[0].bot.owner])
    Ladder.objects.filter(pk=ladder.pk).update(space=space)
    Bot.objects.update(space=space)
    do(acts.Freeze(again(ladder)))
    assert Client().get(f"/ladders/{ladder.slug}/").status_code == 404
    inside = Client()
    inside.force_login(versions[0].bot.owner)
    assert 'id="final-table"' in inside.get(f"/ladders/{ladder.slug}/").content.decode()
