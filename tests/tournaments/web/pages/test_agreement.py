"""What stands beside each other on a page agrees: numbers with their nouns, ranks with sets, notes with states."""

import re

import pytest
from django.test import Client

from tests.factories import a_bot, a_ladder, a_user, a_version, an_upload
from tests.spaces import a_space
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.features.spaces.actions import CloseSpace
from tournaments.ledger import acts
from tournaments.ledger.acts.base import Action
from tournaments.ledger.ladders.official_fit import refit
from tournaments.ledger.ladders.places import places_of
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Examination, Ladder, User, Version

pytestmark = pytest.mark.django_db


def a_ladder_of(bots: int) -> tuple[Ladder, list[Version]]:
    ladder = a_ladder("fresh", players=2)
    versions = [a_version() for _ in range(bots)]
    for version in versions:
        ladder.entries.create(bot=version.bot)
    return ladder, versions


def plain(path: str, user: User | None = None) -> str:
    return " ".join(signed_in(user).get(path).content.decode().split())


def says(action: Action) -> str:
    return " ".join(map(str, action.preview().says))


def test_bots_without_a_set_have_no_rank_and_nobody_leads(db: None) -> None:
    ladder, versions = a_ladder_of(2)
    refit(ladder=ladder)
    page = plain("/ladders/fresh/")
    rows = re.findall(r'<tr[^>]*> <td class="n"> (.{1,9}) </td> <th scope="row".*?</tr>', page)
    assert rows == ["–", "–"]
    assert '<td class="n">0</td> <td class="n spare">–</td> <td class="n spare">–</td>' in page
    assert not re.search(r'<td class="n"> ?1–2 ?</td>', page)
    assert "Nobody leads yet." in plain("/")
    assert places_of([ladder.pk], [version.pk for version in versions]) == {}


def test_one_thing_is_one(db: None) -> None:
    ladder, versions = a_ladder_of(1)
    assert "1 bot plays on, with the version it has now." in says(acts.Freeze(ladder))
    assert "1 set" not in says(acts.Close(ladder))
    other = a_version()
    ladder.entries.create(bot=other.bot)
    assert "2 bots play on, each with the version it has now." in says(acts.Freeze(ladder))
    create_set(ladder=ladder, versions=[versions[0].pk, other.pk])
    assert "1 set that is not over is cancelled and counts for nothing." in says(acts.Close(ladder))
    assert "1 set that is not over is cancelled and counts for nothing." in says(acts.Disqualify(bot=other.bot))
    space = a_space(organiser=a_user())
    assert "Its only member no longer sees it" in says(CloseSpace(space))
    acts.Pause(ladder).do(by=a_user(staff=True), reason="tea")
    ladder.entries.filter(bot=other.bot).delete()
    assert says(acts.Resume(ladder)) == "Sets are paired again, among 1 bot."


def test_a_form_that_comes_back_does_not_say_that_nothing_was_sent(pages_world: World) -> None:
    page = plain("/desk/acts/disqualify/?bot=nobody", pages_world.staff)
    text = Client(enforce_csrf_checks=False)
    text.force_login(pages_world.staff)
    back = text.post("/desk/acts/disqualify/", {"bot": "nobody", "reason": "x"}).content.decode()
    assert "Please check:" in back
    assert "Nothing was sent" not in back + page


@pytest.mark.parametrize(
    ("status", "meanwhile"),
    [("active", ""), ("candidate", "the version is on trial meanwhile."), ("retired", "")],
)
def test_what_a_version_does_while_it_is_examined_is_what_its_status_says(
    pages_world: World, status: str, meanwhile: str
) -> None:
    bot = a_bot(pages_world.owner, "Probed")
    version = an_upload(bot)
    Version.objects.filter(pk=version.pk).update(status=status)
    Examination.objects.create(version=version, rules=1)
    page = plain(f"/bots/{bot.pk}/", pages_world.owner)
    assert "It runs a few seconds at a time, while no match waits" in page
    assert ("meanwhile" in page) == bool(meanwhile)
    assert meanwhile in page
