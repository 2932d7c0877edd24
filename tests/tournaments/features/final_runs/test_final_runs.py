"""Final runs: who is dealt to, when one ends, and what stops it. Places are entered, not played."""

import pytest

from tests.factories import a_user
from tests.seasons import a_season, end_set, fit, open_sets, play_on, seated
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.errors import Refused
from tournaments.features.final_runs.actions import CancelFinalRun, StartFinalRun
from tournaments.features.final_runs.borders import Borders, borders_of
from tournaments.features.final_runs.forecast import final_forecast
from tournaments.features.final_runs.steps import continue_runs
from tournaments.features.promises import promised_waits
from tournaments.features.promises.promised_waits import IN_FINAL_RUN, keep_promises
from tournaments.ledger import acts
from tournaments.ledger.acts.base import Action
from tournaments.ledger.ladders.final_fits import final_table
from tournaments.ledger.ladders.official_fit import memories
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.ladder_sets import create_set, pair
from tournaments.models import (
    Act,
    Entry,
    FailingItem,
    FinalRun,
    Fit,
    Ladder,
    Notice,
    SeedChain,
    User,
)
from tournaments.ops import dispatcher

pytestmark = pytest.mark.django_db


def do(action: Action) -> Act:
    organiser = User.objects.filter(username="olga").first() or a_user("olga", staff=True)
    return action.do(by=organiser, reason="the season ends")


def refusal(action: Action) -> tuple[str, str]:
    acts_before = Act.objects.count()
    with pytest.raises(Refused) as refused:
        do(action)
    assert (Act.objects.count(), FinalRun.objects.count()) == (acts_before, 0)
    return refused.value.code, refused.value.detail


def the_run() -> FinalRun:
    return FinalRun.objects.select_related("ladder", "act", "ended_by").get()


def borders(ladder: Ladder, *places: int) -> Borders:
    return borders_of(Ladder.objects.get(pk=ladder.pk), places)


def test_it_deals_to_all_then_near_the_border_and_closes_when_it_is_decided() -> None:
    ladder, versions = a_season(6)
    Ladder.objects.update(by_lot=0)
    act = do(StartFinalRun(ladder, [2], 600))
    order = [line.version_id for line in standings(Ladder.objects.get())]
    assert (Ladder.objects.get().status, the_run().act, the_run().sets) == ("frozen", act, 0)
    turns = 0
    while Ladder.objects.get().status == "frozen":
        judged = borders(ladder, 2)
        near = {line.who.version_id for pair in judged.unsure for line in pair}
        lack = {line.who.version_id for line in judged.lacking}
        continue_runs()
        dealt = open_sets(ladder)
        assert seated(dealt[0]) & lack if lack else all(seated(made) <= near for made in dealt)
        assert len(dealt) <= 2  # as many as one worker has and can take next
        play_on(ladder, versions, upsets=7)
        turns += 1
        assert turns < 200
    assert set(final_table(Ladder.objects.get()).winners) <= {version.bot_id for version in versions[:2]}
    run, closing = the_run(), Act.objects.order_by("-number")[0]
    assert (run.state, run.ended_by, closing.kind, closing.by) == ("decided", closing, "close_ladder", "the platform")
    assert closing.reason == "its final run is over: every border is decided"
    assert [row["likely"] for row in closing.detail["final_run"]["judged"]] == [str(run.judged[0]["likely"])]
    assert run.judged[0]["decided"]
    assert run.judged[0]["likely"] >= 0.95
    assert order[:2] == [version.pk for version in versions[:2]]
    assert run.sets == ladder.sets.count() - 4 * 9 > 0


def test_ordinary_pairing_and_promises_stop_and_come_back_when_it_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ladder, versions = a_season(3)
    other, _ = a_season(3)
    do(StartFinalRun(ladder, [1], 50))
    assert pair() > 0
    assert (open_sets(ladder), len(open_sets(other)) > 0) == ([], True)
    monkeypatch.setattr(promised_waits, "LOOKS", promised_waits.Looks())
    keep_promises()
    assert {entry.no_promise for entry in ladder.entries.all()} == {IN_FINAL_RUN}
    assert not other.entries.filter(unpromised=IN_FINAL_RUN).exists()
    continue_runs()
    do(CancelFinalRun(ladder))
    assert (the_run().state, Ladder.objects.get(pk=ladder.pk).status) == ("cancelled", "frozen")
    assert len(open_sets(ladder)) == 2
    play_on(ladder, versions)
    assert continue_runs() == 0
    pair()
    assert open_sets(ladder)
    monkeypatch.setattr(promised_waits, "LOOKS", promised_waits.Looks())
    keep_promises()
    assert not ladder.entries.filter(unpromised=IN_FINAL_RUN).exists()
    assert refusal_of(CancelFinalRun(ladder)) == "no_final_run"


def refusal_of(action: Action) -> str:
    with pytest.raises(Refused) as refused:
        do(action)
    return refused.value.code


def test_its_deals_are_of_a_chain_that_was_announced_when_it_began() -> None:
    ladder, _ = a_season(3)
    [before] = ladder.sets.values_list("chain", flat=True).distinct()
    act = do(StartFinalRun(ladder, [1], 50))
    fresh = SeedChain.objects.exclude(pk=before).exclude(used__gt=0).get(ladder=ladder)
    announced = Act.objects.get(kind="seed_chain", detail__anchor=fresh.anchor)
    assert announced.number > act.number
    continue_runs()
    dealt = open_sets(ladder)
    assert {made.chain_id for made in dealt} == {fresh.pk}
    assert len({made.seed for made in ladder.sets.all()}) == ladder.sets.count()


def test_a_spent_budget_closes_it_and_names_what_is_open() -> None:
    ladder, versions = a_season(3)
    do(StartFinalRun(ladder, [1, 2], 23))
    for _ in range(12):
        continue_runs()
        play_on(ladder, versions, fair=False)
    continue_runs()
    run = the_run()
    assert (run.state, run.sets, Ladder.objects.get().status) == ("spent", 23, "closed")
    [closing] = Act.objects.filter(kind="close_ladder")
    assert any("are not surely told apart" in sentence for sentence in closing.detail["says"])


def test_it_ends_only_when_what_is_under_way_is_over_and_decided_still() -> None:
    """Sets that were dealt count: nothing is cancelled because a border was decided without it."""
    ladder, versions = a_season(4, rounds=1)
    do(StartFinalRun(ladder, [2], 50))
    continue_runs()
    first, last = open_sets(ladder)
    for turn in range(25):  # as if so many had come in
        for better in versions[:2]:
            for worse in versions[2:]:
                order = [worse.pk, better.pk] if turn % 8 == 7 else [better.pk, worse.pk]
                end_set(create_set(ladder=ladder, versions=order), order)
    end_set(first, sorted(seated(first)))
    fit()
    assert not borders(ladder, 2).unsure
    assert (continue_runs(), Ladder.objects.get().status, the_run().judged[0]["decided"]) == (0, "frozen", True)
    assert open_sets(ladder) == [last]
    end_set(last, sorted(seated(last)))
    assert (continue_runs(), Ladder.objects.get().status) == (0, "frozen")  # no fit has taken it in
    fit()
    assert (continue_runs(), Ladder.objects.get().status, the_run().state) == (1, "closed", "decided")


def test_another_dispatcher_goes_on_where_the_last_one_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ladder, versions = a_season(4)
    do(StartFinalRun(ladder, [2], 30))
    continue_runs()
    before = the_run().sets
    assert continue_runs() == 0  # what is dealt is not dealt twice
    memories.clear()
    monkeypatch.setattr(promised_waits, "LOOKS", promised_waits.Looks())
    play_on(ladder, versions, fair=False)
    continue_runs()
    assert before < the_run().sets <= 30
    assert dispatcher.LOOKING["final runs"].run is continue_runs


def test_one_ladders_fault_stops_no_other_run() -> None:
    broken, _ = a_season(3)
    sound, _ = a_season(3)
    for ladder in (broken, sound):
        do(StartFinalRun(ladder, [1], 30))
    Ladder.objects.filter(pk=broken.pk).update(options={})
    assert continue_runs() == 2
    [item] = FailingItem.objects.all()
    assert (item.loop, item.item) == ("final runs", f"ladder {broken.slug}")
    assert (len(open_sets(broken)), len(open_sets(sound))) == (0, 2)
    assert FAILING_ITEMS.knows("final runs", f"ladder {broken.slug}")


def test_it_ends_when_too_few_play_and_waits_for_a_release() -> None:
    ladder, versions = a_season(3)
    do(StartFinalRun(ladder, [1], 50))
    Ladder.objects.update(rules=ladder.rules + 7)
    assert (continue_runs(), open_sets(ladder)) == (0, [])
    assert "which this release does not play" in the_run().waits
    Ladder.objects.update(rules=ladder.rules)
    Entry.objects.exclude(bot=versions[2].bot).update(status=Entry.Status.SUSPENDED)
    assert continue_runs() == 1
    assert (the_run().state, the_run().waits, Ladder.objects.get().status) == ("stuck", "", "closed")
    assert final_table(Ladder.objects.get()).winners == []


def test_who_is_disqualified_in_it_is_dealt_to_no_more_and_borders_move_up() -> None:
    ladder, versions = a_season(4, rounds=12)
    do(StartFinalRun(ladder, [2], 50))
    continue_runs()
    do(acts.Disqualify(bot=versions[1].bot, ladder=ladder))
    assert continue_runs() > 0
    assert versions[1].pk not in set().union(*map(seated, open_sets(ladder)))
    do(acts.Disqualify(bot=versions[0].bot, ladder=ladder))
    while Ladder.objects.get().status == "frozen":
        play_on(ladder, versions)
        assert continue_runs() >= 0
    assert final_table(Ladder.objects.get()).winners == [versions[2].bot_id]  # nobody is below the second place now
    assert (the_run().state, Ladder.objects.get().status) == ("decided", "closed")


def test_other_acts_on_the_ladder_in_it() -> None:
    ladder, _ = a_season(3)
    do(StartFinalRun(ladder, [1], 50))
    continue_runs()
    for action, code in (
        (acts.Thaw(ladder), "final_run_under_way"),
        (StartFinalRun(ladder, [1], 50), "final_run_under_way"),
        (acts.Pause(ladder), "wrong_status"),
        (acts.Reopen(ladder), "wrong_status"),
    ):
        assert refusal_of(action) == code
    closing = do(acts.Close(ladder))
    assert closing.detail["says"][0] == "Its final run ends, and its borders stay as they are."
    assert (the_run().state, the_run().ended_by, continue_runs(), open_sets(ladder)) == ("cancelled", closing, 0, [])
    do(acts.Reopen(ladder))
    do(StartFinalRun(ladder, [2], 30))
    assert list(FinalRun.objects.order_by("pk").values_list("state", flat=True)) == ["cancelled", "running"]


def test_owners_hear_of_it() -> None:
    ladder, versions = a_season(6, rounds=12)
    do(StartFinalRun(ladder, [1], 50))
    run = the_run()
    notices = Notice.objects.filter(key__startswith=f"final run {run.pk} began")
    assert {notice.user_id for notice in notices} == {version.bot.owner_id for version in versions}
    do(CancelFinalRun(ladder))
    assert Notice.objects.filter(key__startswith=f"final run {run.pk} cancelled").count() == notices.count() > 0


@pytest.mark.parametrize(
    ("borders", "sets_at_most", "code", "words"),
    [
        ([], 10, "bad_borders", "borders is empty"),
        ([0], 10, "bad_borders", "there is no border after place 0"),
        ([-1], 10, "bad_borders", "it is 1 to 2"),
        ([3], 10, "bad_borders", "with 3 bots in the table, it is 1 to 2"),
        ([1, 2, 1], 10, "bad_borders", "borders has 1 twice"),
        ([1, "2"], 10, "bad_borders", "no border after place 2"),
        ([True], 10, "bad_borders", "no border after place True"),
        ([1], 0, "bad_sets_at_most", "sets_at_most is 0; a run may have 1 to 10,000 sets"),
        ([1], 10**9, "bad_sets_at_most", "1 to 10,000"),
        ([1], 22, "bad_sets_at_most", "sets_at_most is 22; 23 are needed until every bot has 15, and a place"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_half_done(
    borders: list[int], sets_at_most: int, code: str, words: str
) -> None:
    ladder, _ = a_season(3, rounds=1)
    refused_as, detail = refusal(StartFinalRun(ladder, borders, sets_at_most))
    assert refused_as == code
    assert words in detail
    assert Ladder.objects.get().status == "open"


def test_a_ladder_that_is_closed_or_too_small_is_refused() -> None:
    ladder, versions = a_season(3, rounds=1)
    Entry.objects.exclude(bot=versions[0].bot).update(status=Entry.Status.SUSPENDED)
    assert refusal(StartFinalRun(ladder, [1], 10))[0] == "too_few_bots"
    do(acts.Close(ladder))
    assert refusal(StartFinalRun(ladder, [1], 10))[0] == "wrong_status"


def test_organisers_alone_may_and_the_preview_tells_all_of_it() -> None:
    ladder, versions = a_season(4)
    with pytest.raises(Refused) as refused:
        StartFinalRun(ladder, [2], 40).do(by=versions[0].bot.owner, reason="mine")
    assert refused.value.code == "not_organiser"
    effect = StartFinalRun(ladder, [2], 40).preview()
    sentences = " ".join(effect.says)
    assert "First every bot plays 15, which takes 30 sets at least, then those near the borders." in sentences
    assert "4 bots are in it, each with the version it has now" in sentences
    assert "The 40 sets that are allowed decide all in about" in sentences
    assert "of 10 cases, by 200 draws from the ratings and their errors" in sentences
    lines = [row.who for row in borders(ladder, 2).lines]
    shares = [final_forecast(lines, [2], 2, sets).decided for sets in (29, 100, 400, 10_000)]
    assert 0 == shares[0] <= shares[1] < shares[2] < shares[3] <= 1
    assert final_forecast(lines, [2], 2, 40) == final_forecast(lines, [2], 2, 40)
    assert "styles beat each other" not in sentences
    Fit.objects.update(clash=80.0)
    assert "stray by" not in " ".join(StartFinalRun(ladder, [2], 40).preview().says)  # half are by lot
    Ladder.objects.update(by_lot=0)
    assert "stray by 80 Elo" in " ".join(StartFinalRun(ladder, [2], 40).preview().says)
    assert (FinalRun.objects.count(), Ladder.objects.get().status) == (0, "open")
