"""The standings' lines are kept as text: they are what they would be if they were made anew, whatever changes."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from rest_framework.renderers import JSONRenderer

from tests.factories import a_completed_set, a_user, a_version, rate
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.api.world import World
from tournaments.ledger.acts.disqualification import Disqualify
from tournaments.ledger.ladders.left_entries import left_in
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Bot, Entry, Fit, Ladder, Likeness, Membership, Rating, Team, User, Version
from tournaments.web.api import standings_text
from tournaments.web.api.ladders import shadow_in
from tournaments.web.api.shapes.ladders import StandingsShape

pytestmark = pytest.mark.django_db


def made_anew(ladder: Ladder) -> bytes:
    ladder.refresh_from_db()
    table = {
        "ladder": ladder.slug,
        "standings": standings(ladder),
        "left": left_in(ladder),
        "shadow": shadow_in(ladder),
    }
    text: bytes = JSONRenderer().render(StandingsShape(table).data)
    return text


def asked(reader: User | None = None, **headers: str) -> bytes:
    return bytes(ask("GET", "ladders/main/standings", reader, **headers).content)


def of_rating(**numbers: object) -> Callable[[World], object]:
    return lambda world: Rating.objects.filter(version=world.version).update(**numbers)


def a_newer_version(world: World) -> None:
    a_version(world.bot)


def a_rated_set(world: World) -> None:
    a_completed_set(world.ladder, [world.version, world.rivals])
    rate()


def frozen(world: World) -> None:
    world.ladder.entries.update(pinned=world.version)
    world.ladder.entries.filter(bot=world.rival).update(pinned=None)
    Ladder.objects.update(status=Ladder.Status.FROZEN)


def disqualified(world: World) -> None:
    Disqualify(bot=world.rival, ladder=world.ladder).do(by=a_user(staff=True), reason="It counts cards.")


def a_double(world: World) -> None:
    team = Team.objects.create(name="The crew")  # no line says who is in a team
    for person in (world.owner, world.other):
        Membership.objects.create(team=team, user=person, role=Membership.Role.MEMBER)
    fields: dict[str, Any] = {"ladder": world.ladder, "version": world.rivals, "original": world.version}
    Likeness.objects.create(**fields, status=Likeness.Status.ALIKE)


CHANGES: dict[str, Callable[[World], object]] = {
    "a rated set": a_rated_set,
    "a fit that says otherwise": lambda _: Fit.objects.update(rows=[], made_at=F("made_at") + timedelta(seconds=1)),
    "no fit": lambda _: Fit.objects.all().delete(),
    "a newer version": a_newer_version,
    "no version": lambda world: Version.objects.filter(pk=world.version.pk).update(status=Version.Status.RETIRED),
    "a name": lambda world: Bot.objects.filter(pk=world.bot.pk).update(name='"standings":[]\u2028é'),
    "an owner": lambda world: Bot.objects.filter(pk=world.bot.pk).update(owner=world.other),
    "a person's name": lambda world: User.objects.filter(pk=world.owner.pk).update(username="lovelace"),
    "left": lambda world: Entry.objects.filter(bot=world.bot).update(status=Entry.Status.WITHDRAWN),
    "owes sets": lambda world: Entry.objects.filter(bot=world.bot).update(ranked_from=9),
    "the anchor": lambda world: Ladder.objects.update(anchor=world.version),
    "a prior": lambda _: (Rating.objects.update(sd=None), Ladder.objects.update(prior_sd=99.0)),
    "frozen": frozen,
    "disqualified": disqualified,
    "a double": a_double,
    "no lines": lambda _: Entry.objects.all().delete(),
    **{f"{name} of a rating": of_rating(**{name: 7}) for name in ("elo", "sd", "fitted", "milli_elo", "delta", "sets")},
    **{f"{name} of a rating": of_rating(**{name: 3}) for name in ("games", "wins", "places", "forfeits")},
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_text_is_that_of_the_table_before_and_after_a_change(change: str, api_world: World) -> None:
    before = asked()
    assert before == asked() == made_anew(api_world.ladder)
    CHANGES[change](api_world)
    assert asked() == made_anew(api_world.ladder)
    assert asked() == made_anew(api_world.ladder) != before


def test_everybody_gets_the_same_and_nobody_what_was_made_for_another_ladder(api_world: World) -> None:
    text = asked()
    assert asked(api_world.owner) == asked(a_user(staff=True)) == text
    other = Ladder.objects.create(
        slug="other", title="Other", game="zaibatsu", rules=api_world.ladder.rules, options={}
    )
    answer = ask("GET", f"ladders/{other.slug}/standings").json()
    assert answer == {"ladder": "other", "standings": [], "left": [], "shadow": None}
    assert asked() == text


def test_lines_that_changed_while_they_were_made_are_not_kept(
    api_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changing(ladder: Ladder) -> object:
        lines = standings(ladder)
        Rating.objects.update(elo=F("elo") + 1)
        return lines

    standings_text.kept.clear()
    monkeypatch.setattr(standings_text, "standings", changing)
    asked()
    assert not standings_text.kept
    monkeypatch.undo()
    assert asked() == made_anew(api_world.ladder)


def test_what_is_kept_is_bounded(api_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked()
    assert api_world.ladder.pk in standings_text.kept
    monkeypatch.setattr(standings_text, "MOST_BYTES", 10)
    assert asked() == made_anew(api_world.ladder)
    assert not standings_text.kept
