"""Who sees which sets and events: what is held back is for organisers alone."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.factories import a_bot, a_ladder, a_user, an_upload
from tests.imports import trees
from tournaments.core.accounts.visibility import events_seen_by, seen_by
from tournaments.models import Event, Ladder, Match, MatchSet, User
from tournaments.models.set_creation import create_match_set

pytestmark = pytest.mark.django_db


def an_event(ladder: Ladder, slug: str, released: int | None, status: str = "running") -> Event:
    return Event.objects.create(slug=slug, title=slug, ladder=ladder, spec={}, status=status, released=released)


def a_set(ladder: Ladder, **fields: object) -> MatchSet:
    options = {"game": ladder.game, "rules": ladder.rules, "options": ladder.options}
    return create_match_set(seed="seed", tables={0: []}, ladder=ladder, **options, **fields)


@pytest.fixture
def ladder() -> Ladder:
    """A ladder with a set, a spot check of it, and sets of three rounds each of an open event and of one that is
    released up to round 2."""
    ladder = a_ladder(players=2)
    match_set = a_set(ladder, number=1)
    a_set(ladder, rechecks=match_set.matches.get())
    events = an_event(ladder, "open", None), an_event(ladder, "held", 2), an_event(ladder, "closed", 0)
    for event in events:
        for number in (1, 2, 3):
            a_set(ladder, event=event, round=number, pairing=f"table {number}")
    return ladder


def shown(viewer: User | AnonymousUser | None) -> list[str]:
    """The sets that they see, by what these are of."""
    sets = MatchSet.objects.filter(seen_by(viewer, ""))
    return sorted(
        f"{match_set.event.slug} {match_set.round}" if match_set.event else "check" if match_set.rechecks_id else "own"
        for match_set in sets.select_related("event")
    )


PUBLIC = ["held 1", "held 2", "open 1", "open 2", "open 3", "own"]


def test_whoever_does_not_organise_sees_neither_unreleased_rounds_nor_spot_checks(ladder: Ladder) -> None:
    viewers = None, AnonymousUser(), a_user()
    assert [shown(viewer) for viewer in viewers] == [PUBLIC] * 3
    assert Match.objects.filter(seen_by(None)).count() == len(PUBLIC)


def test_organisers_see_all_of_it(ladder: Ladder) -> None:
    everything = sorted([*PUBLIC, "held 3", "closed 1", "closed 2", "closed 3", "check"])
    assert shown(a_user(staff=True)) == everything


def test_an_upload_is_checked_for_all_to_see() -> None:
    an_upload(a_bot())
    assert MatchSet.objects.filter(seen_by(None, "")).count() == 1


def test_drafts_of_events_are_the_organisers_own() -> None:
    ladder = a_ladder()
    for status in Event.Status.values:
        an_event(ladder, status, None, status)
    public = set(Event.Status.values) - {"draft"}
    for viewer in (None, AnonymousUser(), a_user()):
        assert set(Event.objects.filter(events_seen_by(viewer)).values_list("slug", flat=True)) == public
    assert Event.objects.filter(events_seen_by(a_user(staff=True))).count() == len(public) + 1


# By these columns rows are shown or hidden: `access` of a space, `released` of an event.
DECIDES = re.compile(r"(^|__|[\s.\"])(access|released)(__\w+)?($|[\s=<>\"])")
PLACES = {"tournaments.core.accounts.spaces", "tournaments.core.accounts.visibility"}
# What is still to be released is listed for organisers, who see all of it.
OTHERS = {("tournaments.site.desk_overview", "released__isnull")}
QUERIES = {"filter", "exclude", "get", "Q", "When", "F", "aggregate", "annotate"}


def deciding(tree: ast.Module) -> Iterator[str]:
    """Yield what decides by such a column: keywords and names in queries, SQL, and comparisons."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in QUERIES:
                lookups = [keyword.arg for keyword in node.keywords if keyword.arg]
                words = [word.value for word in ast.walk(node) if isinstance(word, ast.Constant)]
                lookups += [word for word in words if isinstance(word, str) and " " not in word]
                yield from filter(DECIDES.search, lookups)
            case ast.Constant(value=str(text)) if re.search(r"\b(SELECT|WHERE|JOIN)\b", text):
                yield from (text for _ in DECIDES.finditer(text))
            case ast.Compare(left=ast.Attribute(attr="access"), ops=[ast.Eq() | ast.NotEq()]):
                yield "access"


def test_who_sees_what_is_decided_in_one_place() -> None:
    product = {name: tree for name, tree in trees().items() if name.startswith("tournaments.")}
    places = {
        (name, lookup) for name, tree in product.items() for lookup in deciding(tree) if ".migrations." not in name
    }
    assert {name for name, _ in places - OTHERS} == PLACES


@pytest.mark.parametrize(
    "second",
    [
        "Space.objects.filter(access='public')",
        "Ladder.objects.exclude(space__access__in=['private'])",
        "Q(**{f'{to_set}event__released': None})",
        "read('SELECT 1 FROM tournaments_space place WHERE place.access <> %s')",
        "shown = bot.space.access == Space.Access.PUBLIC",
    ],
)
def test_a_second_place_would_be_found(second: str) -> None:
    assert list(deciding(ast.parse(second)))
