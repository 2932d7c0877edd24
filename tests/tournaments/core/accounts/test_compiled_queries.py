"""Queries that are built once in a process answer everybody as those do that Django builds for each."""

import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, QuerySet
from django.utils import timezone
from pytest_django.fixtures import Settings

from tests.factories import a_bot, a_ladder, a_user, a_version
from tests.spaces import a_space
from tests.tournaments.core.accounts.test_visibility import a_set, an_event
from tournaments.core.accounts import compiled_queries
from tournaments.core.accounts.compiled_queries import Compiled
from tournaments.core.accounts.permissions import run_by
from tournaments.core.accounts.spaces import Viewer, VisitorOf, open_to, runs
from tournaments.models import Bot, Event, Ladder, Match, Membership, Space, SpaceMember, Team, User
from tournaments.site.ladders import entries_run
from tournaments.site.matches import seats_run, space_of_match
from tournaments.web.pages.lookup import bots_numbered, events_called, ladders_called, matches_seen, public_matches
from tournaments.web.pages.own_bots import own_bots_of

pytestmark = pytest.mark.django_db
ACCESS = ("public", "link", "private", "closed")


def fill(space: Space | None, name: str) -> None:
    """A ladder, a bot, events that hold rounds back or are drafts, a set, a spot check of it."""
    ladder = a_ladder(f"ladder-{name}", space=space, options={"players": 2}, table_sizes=[2])
    own = a_set(ladder, number=1)
    a_set(ladder, rechecks=own.matches.get())
    for slug, released, status in (("open", None, "running"), ("held", 1, "running"), ("draft", None, "draft")):
        event = an_event(ladder, f"{slug}-{name}", released, status)
        for number in (1, 2):
            a_set(ladder, event=event, round=number, pairing=f"table {number}")


@pytest.fixture
def viewers(settings: Settings) -> dict[str, Viewer]:
    """Spaces of each kind, and each kind of person."""
    settings.STAFF_NEED_SECOND_FACTOR = False
    member, organiser, mate = a_user("member"), a_user("organiser"), a_user("mate")
    inactive, outsider = a_user("inactive"), a_user("outsider")
    fill(None, "site")
    for access in ACCESS:
        closed = access == "closed"
        space = a_space(access, access="public" if closed else access, organiser=organiser, members=[member, inactive])
        fill(space, access)
        Bot.objects.filter(pk=a_bot(member, f"bot {access}").pk).update(space=space)
        if closed:
            Space.objects.filter(pk=space.pk).update(closed_at=timezone.now())
    team = Team.objects.create(name="Together")
    Membership.objects.create(team=team, user=mate, role=Membership.Role.MEMBER)
    Membership.objects.create(team=team, user=outsider, role=Membership.Role.INVITED)
    played = a_version(a_bot(member, "Orchid"))
    Bot.objects.filter(pk=played.bot_id).update(team=team)
    Match.objects.earliest("pk").seats.create(number=0, version=played)
    Ladder.objects.get(slug="ladder-site").entries.create(bot=played.bot)
    User.objects.filter(pk=inactive.pk).update(is_active=False)
    people = {each.username: each for each in User.objects.filter(username__in=NAMES)}
    staff, visitor = a_user("staff", staff=True), VisitorOf(Space.objects.get(slug="private").pk)
    return {**people, "staff": staff, "visitor of private": visitor, "nobody": AnonymousUser(), "the public": None}


NAMES = ("member", "organiser", "mate", "inactive", "outsider")


def asked() -> list[tuple[Compiled[Any], list[Any]]]:
    """Every query there is, and all values that it can be asked with; also one that names nothing."""
    slugs, numbers = [*Ladder.objects.values_list("slug", flat=True), "no-such"], Match.objects.values_list("pk")
    matches = [*(number for (number,) in numbers), 10**18, 10**30]
    return [
        (ladders_called, slugs),
        (events_called, [*Event.objects.values_list("slug", flat=True), "no-such"]),
        (bots_numbered, [*Bot.objects.values_list("pk", flat=True), 0]),
        *((query, matches) for query in (matches_seen, public_matches)),
    ]


def of_people() -> list[tuple[Compiled[Any], list[Any]]]:
    """Those that only people are asked about."""
    ladders, matches, spaces = (list(rows.objects.values_list("pk", flat=True)) for rows in (Ladder, Match, Space))
    of_ladders, of_spaces = (entries_run, ladders), (compiled("_organising"), spaces)
    return [of_ladders, (seats_run, matches), (space_of_match, matches), of_spaces]


def compiled(name: str) -> Compiled[Any]:
    (found,) = (query for query in every() if query.build.__name__ == name)
    return found


def every() -> set[Compiled[Any]]:
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("tournaments.")]
    return {value for module in modules for value in vars(module).values() if isinstance(value, Compiled)}


def plain(row: object) -> object:
    """All that was read of a row, and which others came with it."""
    if not isinstance(row, Model):
        return row
    related = {name: other and other.pk for name, other in row._state.fields_cache.items()}
    more = {name: list(rows) for name, rows in getattr(row, "_prefetched_objects_cache", {}).items()}
    return (
        type(row),
        row._state.db,
        {field.attname: vars(row)[field.attname] for field in fields_of(row)},
        related,
        more,
    )


def fields_of(row: Model) -> Iterator[Any]:
    return iter(row._meta.concrete_fields)


def test_everybody_gets_what_django_says(viewers: dict[str, Viewer]) -> None:
    for query, values in asked():
        for (who, viewer), value in product(viewers.items(), values):
            ours, django = query(viewer, value), list(query.build(viewer, value))
            assert (who, value, [*map(plain, ours)]) == (who, value, [*map(plain, django)])
    for query, values in of_people():
        for (who, viewer), value in product(viewers.items(), values):
            if isinstance(viewer, User) and viewer.is_active:
                ours, django = query(viewer, value), list(query.build(viewer, value))
                assert (who, value, [*map(plain, ours)]) == (who, value, [*map(plain, django)])
    assert {query for query, _ in (*asked(), *of_people())} == every()


def test_each_kind_of_person_sees_something_else(viewers: dict[str, Viewer]) -> None:
    """So the comparison above is of answers that differ."""
    slugs = [f"ladder-{name}" for name in ("site", *ACCESS)]
    seen = {who: [slug[7:] for slug in slugs if ladders_called(viewer, slug)] for who, viewer in viewers.items()}
    inside, linked, public = ["site", *ACCESS[:3]], ["site", "public", "link"], ["site", "public"]
    assert (seen["member"], seen["organiser"], seen["visitor of private"]) == (inside, inside, ["site", *ACCESS[:3]])
    assert (seen["outsider"], seen["inactive"], seen["nobody"], seen["the public"]) == (linked, linked, linked, public)
    assert seen["staff"] == ["site", *ACCESS]
    every_match = list(Match.objects.values_list("pk", flat=True))
    counted = {who: sum(map(len, (matches_seen(one, pk) for pk in every_match))) for who, one in viewers.items()}
    assert counted["outsider"] < counted["member"] < counted["organiser"] < counted["staff"]
    assert [bool(seats_run(viewers[who], min(every_match))) for who in NAMES if who != "inactive"] == [
        *(True, False, True, False)
    ]


def test_ones_own_bots_are_those_that_one_runs_and_sees(viewers: dict[str, Viewer]) -> None:
    """The front page asks for them in words of its own."""
    for who in ("member", "organiser", "mate", "outsider"):
        viewer = viewers[who]
        assert isinstance(viewer, User)
        seen = Bot.objects.filter(run_by(viewer), open_to(viewer)).order_by("name", "pk")
        assert (who, [bot.pk for bot in own_bots_of(viewer)]) == (who, [bot.pk for bot in seen])
    assert [bot.name for bot in own_bots_of(viewers["mate"])] == ["Orchid"]  # type: ignore[arg-type]


def test_rights_count_when_they_are_asked_for(viewers: dict[str, Viewer]) -> None:
    organiser, private = viewers["organiser"], Space.objects.get(slug="private")
    assert isinstance(organiser, User)
    assert (runs(organiser, private.pk), len(ladders_called(organiser, "ladder-private"))) == (True, 1)
    SpaceMember.objects.filter(user=organiser).update(role="member")
    assert (runs(organiser, private.pk), len(ladders_called(organiser, "ladder-private"))) == (False, 1)
    SpaceMember.objects.filter(user=organiser).delete()
    assert (runs(organiser, private.pk), ladders_called(organiser, "ladder-private")) == (False, [])


def of_the_hour(viewer: Viewer, slug: str) -> "QuerySet[Ladder]":
    return Ladder.objects.filter(slug=slug, created_at__lt=timezone.now())


def of_no_person(viewer: Viewer, slug: str) -> "QuerySet[Ladder]":
    return Ladder.objects.filter(slug=slug)


def of_what_is_known(viewer: User, slug: str) -> "QuerySet[Ladder]":
    return Ladder.objects.filter(slug=slug, entries__bot__owner=viewer, space=viewer.home_id)


def of_other_text(viewer: User, slug: str) -> "QuerySet[Ladder]":
    return Ladder.objects.filter(slug=slug, **({} if viewer.pk < 1_500_000 else {"anchor": viewer.pk}))


@pytest.mark.parametrize("build", [of_the_hour, of_no_person, of_what_is_known, of_other_text])
def test_a_query_that_is_not_the_same_for_all_is_refused(build: Any) -> None:
    with pytest.raises(RuntimeError, match=r"depends on more than|asks the database while"):
        Compiled(build)(a_user(), "arena")


def test_somebody_who_stands_for_all_is_an_ordinary_person(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[User] = []

    def noting(viewer: User, slug: str) -> "QuerySet[Ladder]":
        seen.append(viewer)
        return Ladder.objects.filter(slug=slug, entries__bot__owner=viewer)

    assert Compiled(noting)(a_user(), "arena") == []
    assert [compiled_queries.is_ordinary(each) for each in seen] == [True, True]
