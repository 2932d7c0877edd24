"""What a space keeps for a while goes by itself, and its results are what they were."""

from datetime import timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.utils import timezone

from engine.verify import main as verify
from tests.factories import a_checked, a_completed_set, a_ladder, a_user, rate
from tests.spaces import a_space
from tests.tournaments.web.api.asking import ask
from tournaments.audit.log import entry_of
from tournaments.core.errors import Refused
from tournaments.features.seasons.season_file import ladder_season
from tournaments.features.spaces import retention
from tournaments.features.spaces.settings_actions import SetRetention
from tournaments.ledger.acts.ladder_status import Close
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.ledger.dumps.streamed_zip import zipped
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import Act, FailingItem, Ladder, Match, Result, Seat, Space, SpaceMember, User, Version
from tournaments.ratings.__main__ import main as ratings

pytestmark = pytest.mark.django_db


@pytest.fixture
def teacher() -> User:
    return a_user("tess")


@pytest.fixture
def space(teacher: User) -> Space:
    space = a_space("bio1", organiser=teacher, members=[a_user("ann"), a_user("bob")])
    space.members.filter(user__username="ann").update(identity="Ann Example", address="ann@example.org")
    return space


@pytest.fixture
def ladder(space: Space) -> Ladder:
    """A ladder of two bots; one has an older version. Its first set is 40 days old, its second of today."""
    made = a_ladder("bio1-main", players=2, space=space)
    versions = []
    for name in ("ann", "bob"):
        owner = User.objects.get(username=name)
        bot = create_bot(owner=owner, game="zaibatsu", name=f"bot of {name}", space=space)
        versions.append(a_checked(bot))
        enter_in_ladder(ladder=made, bot=bot, by=owner)
    a_completed_set(made, versions)
    Seat.objects.update(stderr="my name is Ann")
    Result.objects.update(recorded_at=F("recorded_at") - timedelta(days=40))
    Version.objects.update(created_at=F("created_at") - timedelta(days=40))
    versions[0] = a_checked(versions[0].bot)
    a_completed_set(made, versions)
    rate()
    return made


def keep(space: Space, **days: int) -> None:
    SetRetention(Space.objects.get(pk=space.pk), **days).do(by="the platform", reason="our officer asks for it")


def kept_replays(ladder: Ladder) -> list[bool]:
    rows = Result.objects.filter(match__set__ladder=ladder).order_by("pk").values_list("replay", flat=True)
    return [bool(replay) for replay in rows]


def test_what_is_old_goes_and_what_is_new_stays(space: Space, ladder: Ladder) -> None:
    Seat.objects.filter(match__set__ladder=ladder).update(stderr="a word")
    assert retention.apply_retention() == 0, "nothing goes that nobody asked for"
    keep(space, words=30, replays=30, sources=30)
    assert retention.apply_retention() > 0
    assert retention.apply_retention() == 0
    assert kept_replays(ladder) == [False, False, True, True]
    words = Seat.objects.filter(match__set__ladder=ladder).order_by("match", "pk").values_list("stderr", flat=True)
    assert list(words) == [""] * 4 + ["a word"] * 4
    old, new = Version.objects.filter(bot__name="bot of ann").select_related("bundle").order_by("number")
    assert (old.bundle.size, bytes(old.bundle.content), new.bundle.size > 0) == (0, b"", True)
    other = Version.objects.select_related("bundle").get(bot__name="bot of bob")
    assert other.bundle.size > 0, "it plays, however old it is"
    with pytest.raises(Refused) as refused:
        activate(version=old, by=old.bot.owner)
    assert refused.value.code == "erased"


def test_the_table_the_log_and_the_file_of_the_season_are_true_as_before(
    space: Space, ladder: Ladder, teacher: User, tmp_path: Path
) -> None:
    Close(ladder=ladder).do(by=teacher, reason="the term is over")
    rate()
    recompute(ladder=ladder)
    before = list(ladder.ratings.order_by("pk").values("version", "elo", "sd", "milli_elo", "sets", "games"))
    digests = list(Result.objects.order_by("pk").values_list("digest", flat=True))
    keep(space, words=30, replays=30, sources=30, identities=30)
    retention.apply_retention()
    assert recompute(ladder=ladder) == {}
    assert list(ladder.ratings.order_by("pk").values("version", "elo", "sd", "milli_elo", "sets", "games")) == before
    assert list(Result.objects.order_by("pk").values_list("digest", flat=True)) == digests
    season = tmp_path / "season.zip"
    season.write_bytes(b"".join(zipped(ladder_season(Ladder.objects.get(pk=ladder.pk), replays=True))))
    with ZipFile(BytesIO(season.read_bytes())) as archive:
        assert sum("replays/" in name for name in archive.namelist()) == 2
    assert (ratings([str(season)]), verify([str(season)])) == (0, 0)
    call_command("audit")
    assert "set_retention" in {entry_of(act).kind for act in Act.objects.all()}


def test_pages_and_the_api_say_that_a_replay_is_not_kept(space: Space, ladder: Ladder) -> None:
    keep(space, replays=30)
    retention.apply_retention()
    match = Match.objects.filter(set__ladder=ladder).order_by("pk")[0]
    visitor = Client()
    visitor.force_login(User.objects.get(username="ann"))
    assert "Its replay is no longer kept." in visitor.get(f"/matches/{match.pk}/").content.decode()
    answer = visitor.get(f"/api/v1/matches/{match.pk}/replay")
    assert (answer.status_code, answer.json()["code"]) == (410, "forgotten")
    assert visitor.get(f"/matches/{match.pk}/film/").status_code == 404


def test_who_members_are_goes_after_the_space_is_closed_and_not_before(space: Space) -> None:
    space.admits.create(address="@example.org")
    keep(space, identities=30)
    retention.apply_retention()
    assert SpaceMember.objects.filter(identity="Ann Example").exists()
    Space.objects.update(closed_at=timezone.now() - timedelta(days=31))
    assert retention.apply_retention() == 2
    assert not SpaceMember.objects.exclude(identity="", address="").exists()
    assert not space.admits.exists()


def test_bytes_that_somebody_else_uploaded_too_are_theirs_and_stay(space: Space, ladder: Ladder) -> None:
    keep(space, sources=30)
    old = Version.objects.get(bot__name="bot of ann", number=1)
    bot = create_bot(owner=a_user("eve"), game="zaibatsu", name="the same")
    a_checked(bot, bytes(old.bundle.content))
    retention.apply_retention()
    assert Version.objects.select_related("bundle").get(pk=old.pk).bundle.size > 0


def test_the_preview_says_what_goes_and_when(space: Space, ladder: Ladder) -> None:
    says = SetRetention(space, replays=30, identities=90).preview().says
    soon = timezone.localtime() + timedelta(days=30)
    assert says[1] == (
        f"Replays of matches go 30 days after the match: 4 of them within the hour, the next on {soon:%Y-%m-%d}."
    )  # two of the first set, and of the checks of that time
    assert says[0].endswith("are kept as long as the site keeps them.")
    assert says[3].endswith("90 days after the space is closed: none of them yet, as it is open.")
    for days in (6, 3651):
        with pytest.raises(Refused) as refused:
            SetRetention(space, replays=days).preview()
        assert refused.value.code == "bad_replays"
    with pytest.raises(Refused, match="already keeps things for that long"):
        keep(space)
    assert not Act.objects.filter(kind="set_retention").exists(), "nor is it in the log"


def test_one_spaces_failure_stops_no_other(space: Space, ladder: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    other = a_space("chess2")
    other.members.update(identity="Somebody")
    Space.objects.filter(pk=other.pk).update(closed_at=timezone.now() - timedelta(days=400))
    for kept in (space, other):
        keep(kept, replays=30, identities=30)
    real = retention.days_of

    def odd(kept: Space) -> dict[str, int | None]:
        if kept == space:
            raise ValueError("its rows are odd")
        return real(kept)

    monkeypatch.setattr(retention, "days_of", odd)
    assert retention.apply_retention() == 1
    assert kept_replays(ladder) == [True] * 4
    assert FailingItem.objects.get().item == f"space {space.slug}"


def test_interrupted_it_goes_on_where_it_was(space: Space, ladder: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(space, replays=30)
    monkeypatch.setattr("tournaments.ledger.retention.BATCH", 1)
    monkeypatch.setattr(retention, "BATCHES", 1)
    assert [retention.apply_retention() for _ in range(6)] == [1, 1, 1, 1, 0, 0]


def test_organisers_of_the_space_set_it_and_everybody_in_it_sees_it(space: Space, teacher: User) -> None:
    visitor = Client()
    visitor.force_login(teacher)
    sent = {"space": "bio1", "replays": 60, "reason": "our officer asks for it"}
    assert ask("POST", "acts/set_retention", teacher, sent).status_code == 201
    assert ask("POST", "acts/set_retention", User.objects.get(username="ann"), sent).status_code == 403
    page = visitor.get("/spaces/bio1/settings/").content.decode()
    assert "set_retention" in page
    keep(space, replays=61)
    assert ask("GET", "spaces/bio1", teacher).json()["keep_replays"] == 61
    assert "Replays: 61 days." in visitor.get("/spaces/bio1/settings/").content.decode()
