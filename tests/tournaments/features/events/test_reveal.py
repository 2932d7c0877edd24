"""A round that is held back, shown to a hall place by place: as it will be when published, which is not done by it."""

import pytest

from tests.holding import KNOCKOUT, ROBIN, a_running, an_organiser, fresh, play_out
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.features.events.lifecycle import release_round
from tournaments.features.events.progress import EventProgress
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def seen(event: Event, query: str = "") -> Html:
    page = Html(signed_in(an_organiser()).get(f"/desk/events/{event.slug}/reveal/{query}").content.decode())
    assert page.faults() == []
    return page


def names(event: Event) -> list[str]:
    """Names in the table as everybody sees it now, the best first."""
    return [line.entrant.bot.name for line in EventProgress(fresh(event), None).standings[-1].lines]


def test_places_are_shown_from_the_last_as_they_will_be_published_and_nothing_is() -> None:
    event = play_out(a_running(3, ROBIN, released=0))
    pages = [seen(event, f"?shown={count}").text for count in range(5)]
    text = signed_in(an_organiser()).get(f"/desk/events/{event.slug}/").content.decode()
    assert f"/desk/events/{event.slug}/reveal/" in text
    assert fresh(event).released == 0
    release_round(event=event, by=an_organiser())
    order = names(event)
    shown = [[name for name in order if name in page] for page in pages]
    assert shown == [[], order[2:], order[1:], order, order]
    assert ["Publish round 1" in page for page in pages] == [False, False, False, True, True]


def test_a_later_round_is_not_in_what_is_shown_of_an_earlier() -> None:
    event = play_out(a_running(4, KNOCKOUT, released=0))
    before = seen(event, "?shown=9").text
    release_round(event=event, by=an_organiser())
    progress = EventProgress(fresh(event), None)
    points = [f"{line.row.points:.2f}" for line in progress.standings[-1].lines]
    assert [word for word in before.split() if word in ("0.00", "1.00", "2.00")] == points
    assert "after round 2" in seen(event).text


def test_it_goes_on_by_links_and_odd_numbers_begin_anew() -> None:
    event = play_out(a_running(3, ROBIN, released=0))
    links = {link["data-key"]: link["href"] for link in seen(event, "?shown=1").all("a") if "data-key" in link}
    assert {key: link.rpartition("=")[2] for key, link in links.items()} == {"next": "2", "back": "0"}
    for odd in ("-1", "x", "9" * 30):
        assert signed_in(an_organiser()).get(f"/desk/events/{event.slug}/reveal/", {"shown": odd}).status_code == 200


def test_there_is_nothing_to_reveal_of_what_is_public_or_still_played() -> None:
    for event in (play_out(a_running(3, ROBIN)), a_running(3, ROBIN, released=0)):
        for path in ("", "?stage=none"):
            answer = signed_in(an_organiser()).get(f"/desk/events/{event.slug}/reveal/{path}")
            assert answer.status_code == 404
