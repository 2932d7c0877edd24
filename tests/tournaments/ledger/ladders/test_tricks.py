"""Tricks with which people would raise a rating: what the site does about each. What they gained is in
`tests/tournaments/ratings/tricks.py`."""

import io
import zipfile
from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from bots.bundle import read_bundle
from bots.contents import LONGEST, bundle_fingerprint
from bots.python_tokens import tokens_of
from engine.referee import Verdict
from tests.factories import (
    SAMPLE,
    a_bot,
    a_completed_set,
    a_ladder,
    a_user,
    a_version,
    an_upload,
    play_set,
    rate,
)
from tournaments.core.accounts.sides import people_with
from tournaments.core.errors import Refused
from tournaments.features.overall import counting_bots
from tournaments.features.overall.counting_bots import counting_for
from tournaments.features.overall.rules import NAMED_FOR, WAITED_FOR, name_bot
from tournaments.features.overall.standings import overall_standings
from tournaments.features.promises import promised_waits
from tournaments.features.teams import rules as teams
from tournaments.ledger.competitors.uploads import upload
from tournaments.ledger.ladders.absences import played_by
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.ladders.left_entries import left_in
from tournaments.ledger.ladders.official_fit import recompute, refit
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.activation import activate
from tournaments.ledger.matchmaking.ladder_sets import Waves, create_set, pair
from tournaments.models import Bot, Entry, Fit, Ladder, Seat, Team, User, Version
from tournaments.ratings.absence_debt import EACH, MOST
from tournaments.ratings.export import read as read_export
from tournaments.ratings.export import write as write_export
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db
ONE, OTHER = b"ONE = 1\n" + SAMPLE, b"TWO = 2\n" + SAMPLE


def code(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.detail[-1] not in ".\n"
    return refusal.value.code


def zipped(files: dict[str, bytes], year: int = 2020) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), content)
    return packed.getvalue()


def a_team(*people: User) -> Team:
    founder, *members = people
    team = teams.create_team(name=f"Team of {founder.username}", by=founder)
    for person in members:
        teams.invite_to_team(team=team, user=person, by=founder)
        teams.answer_team_invitation(team=team, by=person, joins=True)
    return team


def enters(ladder: Ladder, bot: Bot) -> Entry:
    return enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("main.py", ONE),
        ("bot.py", b"# made anew\n\n" + ONE.replace(b"\n", b"  \r\n").replace(b"ONE = 1", b"ONE  =  1 # one")),
        ("bot.zip", zipped({"bot.py": ONE})),
        ("renamed.zip", zipped({"bot.py": ONE}, 2024)),
        ("other.zip", zipped({"main.py": ONE, "bot.toml": b'name = "Another"\n'})),
    ],
)
def test_packing_it_otherwise_makes_no_other_bundle(name: str, data: bytes) -> None:
    assert bundle_fingerprint(read_bundle(data, name)) == bundle_fingerprint(read_bundle(ONE, "bot.py"))
    assert bundle_fingerprint(read_bundle(data, name)) != bundle_fingerprint(read_bundle(OTHER, "bot.py"))


@pytest.mark.parametrize(
    ("name", "source", "changed"),
    [
        ("bot.py", b"A = '''\n# b\n'''\n", b"A = '''\n# c\n'''\n"),  # no comment: it stands in a string
        ("bot.py", b"A = '''\n\n'''\n", b"A = '''\n'''\n"),
        ("bot.py", b"A = f'''{1}\n# b\n'''\n", b"A = f'''{1}\n# c\n'''\n"),
        ("bot.py", b"A = '# b'\n", b"A = '# c'\n"),
        ("bot.py", b"if A:\n  B\nC\n", b"if A:\n  B\n  C\n"),
        ("bot.js", b"A = `\n// b\n`\n", b"A = `\n// c\n`\n"),
        ("bot.cpp", b'auto a = R"(\n// b\n)";\n', b'auto a = R"(\n// c\n)";\n'),
    ],
)
def test_what_only_looks_like_a_comment_counts(name: str, source: bytes, changed: bytes) -> None:
    """It is another program: to refuse it as known contents would be wrong."""
    assert bundle_fingerprint(read_bundle(source, name)) != bundle_fingerprint(read_bundle(changed, name))


def test_what_is_no_python_or_too_long_is_compared_by_its_bytes() -> None:
    assert tokens_of(b"A = '''never ends\n") is None
    assert tokens_of(b"# coding: nonsense\nA = 1\n") is None
    for times, equal in ((9, True), (LONGEST // 6, False)):
        fingerprint = bundle_fingerprint(read_bundle(b"A = 1\n" * times, "bot.py"))
        assert (bundle_fingerprint(read_bundle(b"A = 1\n" * times + b"\n" * 9, "bot.py")) == fingerprint) == equal


def test_the_place_of_a_file_and_its_contents_are_told_apart() -> None:
    packed = [{"bot.py": ONE, "ab": b"c"}, {"bot.py": ONE, "a": b"bc"}, {"bot.py": ONE, "ab": b"c "}, {"bot.py": ONE}]
    assert len({bundle_fingerprint(read_bundle(zipped(files), "bot.zip")) for files in packed}) == 4


def test_one_bundle_has_one_entry_of_an_owner_in_a_ladder() -> None:
    ladder, owner = a_ladder(), a_user()
    first, second = a_version(a_bot(owner), ONE), a_version(a_bot(owner), b"# again\n" + ONE)
    enters(ladder, first.bot)
    assert code(lambda: enters(ladder, second.bot)) == "same_contents"
    enters(a_ladder(), second.bot)
    enters(ladder, a_version(a_bot(), ONE).bot)  # somebody else's


def test_a_team_counts_as_one_owner_and_so_do_teams_that_share_somebody() -> None:
    ladder, ada, bob, eve = a_ladder(), a_user(), a_user(), a_user()
    enters(ladder, a_version(a_bot(ada), ONE).bot)
    twin = a_version(a_bot(eve), ONE).bot
    a_team(ada, bob)
    team = teams.create_team(name="The others", by=bob)
    teams.invite_to_team(team=team, user=eve, by=bob)
    assert people_with(eve) == {eve.pk}
    teams.answer_team_invitation(team=team, by=eve, joins=True)
    assert people_with(eve) == {ada.pk, bob.pk, eve.pk}
    assert code(lambda: enters(ladder, twin)) == "same_contents"
    teams.leave_team(team=team, by=eve)
    enters(ladder, twin)


def test_a_version_that_another_entry_plays_is_refused_when_uploaded_and_when_activated() -> None:
    ladder, owner = a_ladder(version_pause=0), a_user()
    enters(ladder, a_version(a_bot(owner), ONE).bot)
    old = a_version(a_bot(owner), ONE)
    bot = a_version(old.bot, OTHER).bot
    enters(ladder, bot)
    assert code(lambda: activate(version=old, by=owner)) == "same_contents"
    third = a_version(a_bot(owner)).bot
    enters(ladder, third)
    assert code(lambda: an_upload(third, ONE)) == "same_contents"
    assert third.versions.count() == 1


def test_a_bundle_that_is_checked_still_holds_its_place() -> None:
    ladder, owner = a_ladder(), a_user()
    first, second = an_upload(a_bot(owner), ONE), an_upload(a_bot(owner), ONE)
    enters(ladder, first.bot)
    assert code(lambda: enters(ladder, second.bot)) == "same_contents"


def test_a_bundle_that_has_played_goes_on_with_its_bot_and_begins_with_no_other() -> None:
    ladder, owner = a_ladder(players=2), a_user()
    mine, rival = a_version(a_bot(owner), ONE), a_version()
    entries = [enters(ladder, version.bot) for version in (mine, rival)]
    a_completed_set(ladder, [mine, rival])
    rate()
    before = next(line for line in standings(ladder) if line.bot_id == mine.bot_id)
    withdraw_bot(entry=entries[0], by=owner)
    assert code(lambda: enters(ladder, a_version(a_bot(owner), ONE).bot)) == "same_contents"
    enters(ladder, mine.bot)
    rate()
    after = next(line for line in standings(ladder) if line.bot_id == mine.bot_id)
    assert (after.elo, after.games, after.sets) == (before.elo, before.games, before.sets)


def test_doubles_of_before_stay_until_one_of_them_changes_something() -> None:
    ladder, ada, bob = a_ladder(version_pause=0), a_user(), a_user()
    first, second = a_version(a_bot(ada), ONE).bot, a_version(a_bot(bob), ONE).bot
    entries = [enters(ladder, bot) for bot in (first, second)]
    a_team(ada, bob)
    assert set(Entry.objects.values_list("status", flat=True)) == {"playing"}
    withdraw_bot(entry=entries[1], by=bob)
    assert code(lambda: enters(ladder, second)) == "same_contents"


@pytest.mark.django_db(transaction=True)
def test_of_two_that_enter_at_once_one_is_refused() -> None:
    ladder, owner = a_ladder(), a_user()
    twins = [a_version(a_bot(owner), ONE).bot for _ in range(4)]
    start, outcomes = Barrier(len(twins)), []

    def go(bot: Bot) -> None:
        try:
            start.wait()
            enters(ladder, bot)
            outcomes.append("entered")
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [Thread(target=go, args=(bot,)) for bot in twins]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["entered", *["same_contents"] * 3]
    assert ladder.entries.count() == 1


def test_going_back_and_forth_keeps_the_rating_and_has_a_pace() -> None:
    ladder, bot = a_ladder(players=2, version_pause=10), a_bot()
    old, rival = a_version(bot, ONE), a_version()
    for version in (old, rival):
        enters(ladder, version.bot)
    a_completed_set(ladder, [old, rival])
    rate()
    kept = old.ratings.get()
    new = a_version(bot, OTHER)
    assert code(lambda: activate(version=old, by=bot.owner)) == "too_soon"
    Version.objects.filter(pk=new.pk).update(activated_at=timezone.now() - timedelta(minutes=10, seconds=1))
    activate(version=old, by=bot.owner)
    assert code(lambda: an_upload(bot, OTHER)) == "already_uploaded"
    line = next(line for line in standings(ladder) if line.bot_id == bot.pk)
    assert (line.version_id, line.games) == (old.pk, kept.games)
    assert old.ratings.get().elo == kept.elo


def test_a_suspended_bot_goes_back_at_once() -> None:
    ladder, bot = a_ladder(), a_bot()
    old = a_version(bot, ONE)
    enters(ladder, bot)
    a_version(bot, OTHER)
    Entry.objects.update(status=Entry.Status.SUSPENDED)
    activate(version=old, by=bot.owner)
    assert Entry.objects.get().status == "playing"


def test_bots_of_one_team_never_meet() -> None:
    ladder, ada, bob = a_ladder(players=2), a_user(), a_user()
    a_team(ada, bob)
    for owner in (ada, bob, a_user()):
        enters(ladder, a_version(a_bot(owner)).bot)
    pair()
    assert ladder.sets.count()
    for made in ladder.sets.all():
        owners = Seat.objects.filter(match__set=made).values_list("version__bot__owner", flat=True)
        assert not {ada.pk, bob.pk} <= set(owners)


@pytest.mark.parametrize(("few_owners", "played"), [("play", 1), ("wait", 0)])
def test_with_fewer_owners_than_seats_it_is_as_the_ladder_says(
    few_owners: str, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder, owner = a_ladder(players=3, few_owners=few_owners), a_user()
    for person in (owner, owner, owner, a_user()):
        enters(ladder, a_version(a_bot(person)).bot)
    tables = Waves.of(ladder).following(9)
    assert len(tables) == played
    for table in tables:
        assert Version.objects.filter(pk__in=table, bot__owner=owner).count() == 2
    monkeypatch.setattr(promised_waits, "LOOKS", promised_waits.Looks())
    promised_waits.keep_promises()
    reasons = set(Entry.objects.values_list("unpromised", flat=True))
    missing = any("bots of 3 owners, a team being one, and 2 are here" in reason for reason in reasons)
    assert missing == (few_owners == "wait"), reasons


def test_who_left_stands_without_a_rank_and_moves_nobody_else() -> None:
    ladder = a_ladder(players=2)
    versions = [a_version(), a_version(), a_version()]
    entries = [enters(ladder, version.bot) for version in versions]
    for pair_of in (versions[:2], versions[1:], versions[::2]):
        a_completed_set(ladder, pair_of)
    rate()
    best = standings(ladder)[0]
    entry = next(entry for entry in entries if entry.bot_id == best.bot_id)
    withdraw_bot(entry=entry, by=entry.bot.owner)
    rate()
    assert best.bot_id not in {line.bot_id for line in standings(ladder)}
    [left] = left_in(ladder)
    assert (left.bot_id, left.games, left.sets) == (best.bot_id, best.games, best.sets)
    enters(ladder, entry.bot)
    assert left_in(ladder) == []


def test_who_comes_back_has_no_rank_until_it_has_played_what_it_owes(client: Any) -> None:
    ladder = a_ladder(players=2)
    versions = [a_version(), a_version(), a_version()]
    entries = [enters(ladder, version.bot) for version in versions]
    for _ in range(12):
        for pair_of in (versions[:2], versions[1:], versions[::2]):
            a_completed_set(ladder, pair_of)
    rate()
    best = standings(ladder)[0]
    assert best.rank == 1
    entry = next(entry for entry in entries if entry.bot_id == best.bot_id)
    rivals = [version for version in versions if version.bot_id != best.bot_id]
    withdraw_bot(entry=entry, by=entry.bot.owner)
    a_completed_set(ladder, rivals)  # a set of each of the two others
    enters(ladder, entry.bot)
    rate()
    lines = {line.bot_id: line for line in standings(ladder)}
    assert (lines[best.bot_id].rank, lines[best.bot_id].to_rank) == (None, EACH)
    ranks = sorted(lines[version.bot_id].rank or 0 for version in rivals)
    assert ranks in ([1, 2], [1, 1])  # it counts for nobody's; who are equal share theirs
    table = table_of(read_export(write_export(ledger_of(ladder))))
    assert {row.version: row.rank for row in table.rows} == {line.version_id: line.rank for line in lines.values()}
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert f"back, {EACH} sets to a rank" in page
    mine = next(version for version in versions if version.bot_id == best.bot_id)
    for _ in range(EACH - 1):
        a_completed_set(ladder, [mine, rivals[0]])
    rate()
    assert next(line.to_rank for line in standings(ladder) if line.bot_id == best.bot_id) == 1
    a_completed_set(ladder, [mine, rivals[1]])
    rate()
    assert next(line for line in standings(ladder) if line.bot_id == best.bot_id).rank is not None


def test_absences_add_up_and_who_missed_nothing_owes_nothing() -> None:
    ladder = a_ladder(players=2)
    versions = [a_version() for _ in range(5)]
    entries = [enters(ladder, version.bot) for version in versions]
    a_completed_set(ladder, versions[:2])
    rate()

    def away(sets: int) -> float:
        withdraw_bot(entry=entries[0], by=entries[0].bot.owner)
        for _ in range(sets):
            create_set(ladder=ladder, versions=[versions[1].pk, versions[2].pk])
        enters(ladder, versions[0].bot)
        entries[0].refresh_from_db()
        return entries[0].ranked_from - played_by(entries[0])

    assert away(0) < 1e-9
    assert away(1) == pytest.approx(EACH / 2)  # a set has two seats, and four bots are there
    assert away(1) == pytest.approx(EACH)
    assert away(100) == MOST
    withdraw_bot(entry=entries[4], by=entries[4].bot.owner)  # it has never played
    create_set(ladder=ladder, versions=[versions[1].pk, versions[2].pk])
    assert enters(ladder, versions[4].bot).ranked_from == 0


def counted(owner: User) -> float | None:
    """The rating with which somebody stands in the table over all games."""
    return next((line.games["zaibatsu"] for line in overall_standings()[1].lines if line.name == owner.username), None)


def by_the_official_fit(ladder: Ladder) -> dict[int, float]:
    return {line.bot_id: line.elo for line in standings(ladder)}


def test_a_named_bot_counts_by_the_sets_since_and_the_former_one_until_they_are_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting_bots, "LEAST", 2)
    ladder, owner, other = a_ladder(players=2), a_user(), a_user()
    first, second, rival = versions = [a_version(a_bot(person)) for person in (owner, owner, other)]
    for version in versions:
        enters(ladder, version.bot)
    for _ in range(3):  # it always wins
        a_completed_set(ladder, [second, rival], faults={rival.pk: Verdict.CRASHED})
        a_completed_set(ladder, [first, rival])
    rate()
    assert counted(owner) == by_the_official_fit(ladder)[first.bot_id]
    assert code(lambda: name_bot(bot=first.bot, by=owner)) == "named_already"
    assert code(lambda: name_bot(bot=second.bot, by=other)) == "not_yours"
    name_bot(bot=second.bot, by=owner)
    assert Fit.objects.get().stale
    refit(ladder=ladder)
    assert counted(owner) == by_the_official_fit(ladder)[first.bot_id]
    a_completed_set(ladder, [second, rival])
    rate()
    assert counted(owner) == by_the_official_fit(ladder)[first.bot_id]
    a_completed_set(ladder, [second, rival])
    rate()
    assert counted(owner) == Fit.objects.get().named[str(second.bot_id)]["elo"]
    assert (counted(owner) or 0) < by_the_official_fit(ladder)[second.bot_id] - 20
    elos = by_the_official_fit(ladder)
    recompute(ladder=ladder)
    assert by_the_official_fit(ladder) == elos  # the ladder's own table knows nothing of it


def test_naming_again_begins_again_and_has_its_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting_bots, "LEAST", 1)
    ladder, owner = a_ladder(players=2), a_user()
    first, second, rival = versions = [a_version(a_bot(person)) for person in (owner, owner, None)]
    for version in versions:
        enters(ladder, version.bot)

    def play(version: Version) -> None:
        a_completed_set(ladder, [version, rival])
        rate()

    def named_since(days: timedelta) -> None:
        Bot.objects.filter(named_at__isnull=False).update(named_at=timezone.now() - days)

    play(first)
    name_bot(bot=second.bot, by=owner)
    assert code(lambda: name_bot(bot=second.bot, by=owner)) == "named_already"
    named_since(NAMED_FOR)
    assert code(lambda: name_bot(bot=first.bot, by=owner)) == "named_lately"  # the named one has played nothing
    named_since(WAITED_FOR)
    name_bot(bot=first.bot, by=owner)
    assert Entry.objects.get(bot=first.bot).named_after is None  # it has counted all the time
    named_since(NAMED_FOR)
    name_bot(bot=second.bot, by=owner)
    play(second)
    assert counting_for(owner.pk) == {second.bot_id}
    assert code(lambda: name_bot(bot=first.bot, by=owner)) == "named_lately"
    named_since(NAMED_FOR)
    name_bot(bot=first.bot, by=owner)  # from zero again
    rate()
    assert counting_for(owner.pk) == {second.bot_id}
    play(first)
    assert counting_for(owner.pk) == {first.bot_id}
    assert Fit.objects.get().named[str(first.bot_id)]["sets"] == 1


def test_leaving_or_a_team_makes_no_other_bot_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting_bots, "LEAST", 1)
    ladder, owner, captain = a_ladder(players=2), a_user(), a_user()
    first, second, rival = versions = [a_version(a_bot(person)) for person in (owner, owner, None)]
    entries = [enters(ladder, version.bot) for version in versions]
    for version in (first, second):
        a_completed_set(ladder, [version, rival])
    rate()
    withdraw_bot(entry=entries[0], by=owner)
    rate()
    assert counted(owner) is None
    enters(ladder, first.bot)
    teams.give_bot(bot=first.bot, team=a_team(owner, captain), by=owner)
    assert counting_for(owner.pk) == {first.bot_id}
    assert counting_for(captain.pk) == set()


def test_the_pages_say_which_bot_counts_and_what_naming_another_costs(client: Any) -> None:
    ladder, owner = a_ladder(players=2), a_user()
    versions = [a_version(a_bot(person)) for person in (owner, owner, None)]
    client.force_login(owner)
    assert "count over all games" not in client.get("/account/").content.decode()
    for version in versions:
        enters(ladder, version.bot)
    for version in (versions[0], versions[1], versions[1]):
        a_completed_set(ladder, [version, versions[2]])
    rate()
    first, second = (version.bot for version in versions[:2])
    page = client.get("/account/").content.decode()
    assert f"{first}</a> counts." in page
    assert f"Let {second} count" in page
    for address in ("/account/", f"/bots/{second.pk}/"):
        assert "Its 2 sets so far no longer count over all games." in client.get(address).content.decode()
    assert client.post(f"/bots/{second.pk}/overall/").status_code == 302
    for address in ("/account/", f"/bots/{second.pk}/"):
        page = client.get(address).content.decode()
        assert f"{first}</a> counts" in page
        assert f"{second}</a>: it counts once it has played 60 sets since; it has played 0." in page
        assert "Another may be named from" in page
        assert f"Let {second} count" not in page


def test_the_pause_of_a_named_bot_holds_whoever_runs_it_meanwhile() -> None:
    """A bot may be given to a team and taken back; its owner, and with it the pause, stays."""
    owner, captain = a_user(), a_user()
    named, other = a_bot(owner), a_bot(owner)
    team = a_team(owner, captain)
    name_bot(bot=named, by=owner)
    teams.give_bot(bot=named, team=team, by=owner)
    assert code(lambda: name_bot(bot=other, by=owner)) == "named_lately"
    assert code(lambda: name_bot(bot=named, by=captain)) == "not_yours"
    named.refresh_from_db()
    assert (named.owner_id, named.team) == (owner.pk, team)
    teams.give_bot(bot=named, team=None, by=owner)
    assert code(lambda: name_bot(bot=other, by=owner)) == "named_lately"


def test_a_refused_entry_comes_back_with_what_was_chosen(client: Any) -> None:
    ladder, owner = a_ladder(), a_user()
    enters(ladder, a_version(a_bot(owner), ONE).bot)
    twin = a_version(a_bot(owner), ONE).bot
    client.force_login(owner)
    answer = client.post(f"/ladders/{ladder.slug}/enter/", {"bot": twin.pk})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "already has these contents" in page
    assert f'value="{twin.pk}" selected' in page


def test_a_check_is_of_one_deal_under_the_same_rules() -> None:
    first, second = an_upload(a_bot()), an_upload(a_bot())
    assert first.check_set.seed == second.check_set.seed
    play_set(first.check_set)
    assert (
        upload(bot=first.bot, by=first.bot.owner, data=ONE, filename="bot.py").check_set.seed == second.check_set.seed
    )


def test_those_who_left_are_listed_a_page_at_a_time(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.web.pages.standings_filter.LENGTH", 2)
    ladder = a_ladder(players=2)
    versions = [a_version() for _ in range(4)]
    entries = [enters(ladder, version.bot) for version in versions]
    for pair_of in (versions[:2], versions[1:3]):
        a_completed_set(ladder, pair_of)
    rate()
    for entry in entries[:3]:
        withdraw_bot(entry=entry, by=entry.bot.owner)
    page = client.get(f"/ladders/{ladder.slug}/").content.decode()
    assert page.count('<span class="tag">left</span>') == 2
    assert "3 bots have left; 2 are shown" in page
    assert "page=1&amp;left=2#standings" in page
    for number in ("2", "99"):
        page = client.get(f"/ladders/{ladder.slug}/?left={number}").content.decode()
        assert page.count('<span class="tag">left</span>') == 1
        assert "Better ones that left" in page
