"""Events as people see them."""

import re
from collections.abc import Mapping

import pytest

from tests.factories import a_bot, a_version, play_set
from tests.holding import (
    KNOCKOUT,
    ROBIN,
    a_draft,
    a_running,
    an_event,
    an_organiser,
    fresh,
    open_sets,
    play_in_order,
    play_out,
    play_round,
)
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.features.events.lifecycle import advance_events, call_off, disqualify_entrant, start_event
from tournaments.features.events.registration import withdraw_from_event
from tournaments.models import Entrant, Event, User

pytestmark = pytest.mark.django_db
GROUPS = {"t": "groups", "groups": 2, "qualify": 2, "first": {"t": "round_robin"}, "then": {"t": "knockout"}}


def see(path: str, user: User | None = None) -> Html:
    page = Html(signed_in(user).get(path).content.decode())
    assert page.faults() == []
    return page


def see_event(event: Event, user: User | None = None) -> str:
    return see(f"/events/{event.slug}/", user).text


def test_without_events_the_list_says_so() -> None:
    assert "There has been no event yet." in see("/events/").text


def test_the_list_shows_what_is_upcoming_running_and_finished_and_drafts_to_organisers() -> None:
    shown = [an_event([]), a_running(2, ROBIN), play_out(a_running(2, ROBIN))]
    draft = a_draft(title="Nobody knows yet")
    text = see("/events/").text
    order = ["Upcoming", shown[0].title, "Running", shown[1].title, "Finished", shown[2].title]
    assert [text.index(words) for words in order] == sorted(text.index(words) for words in order)
    assert draft.title not in text
    assert draft.title in see("/events/", an_organiser()).text
    assert signed_in(None).get(f"/events/{draft.slug}/").status_code == 404
    assert "Not announced; only organisers see it." in see_event(draft, an_organiser())


def test_the_front_page_leads_to_what_goes_on(pages_world: World) -> None:
    event = an_event([pages_world.bot])
    page = see("/")
    assert event.title in page.text
    assert {"href": f"/events/{event.slug}/"} in page.all("a")


def test_an_owner_registers_and_withdraws_with_buttons(pages_world: World) -> None:
    event, client = an_event([], ladder=pages_world.ladder), signed_in(pages_world.owner)
    assert "Sign up or sign in , then register a bot." in see_event(event)
    done = client.post(f"/events/{event.slug}/register/", {"bot": pages_world.bot.pk}, follow=True)
    assert f"Orchid is registered for {event}." in Html(done.content.decode()).text
    assert "Orchid by olga" in see_event(event)
    entrant = Entrant.objects.get()
    done = client.post(f"/entrants/{entrant.pk}/withdraw/", follow=True)
    assert f"Orchid has left {event}." in Html(done.content.decode()).text
    assert not Entrant.objects.exists()


@pytest.mark.parametrize("person", ["other", "staff"])
def test_nobody_registers_or_withdraws_the_bots_of_another(pages_world: World, person: str) -> None:
    event, client = an_event([pages_world.bot], ladder=pages_world.ladder), signed_in(getattr(pages_world, person))
    assert client.post(f"/events/{event.slug}/register/", {"bot": pages_world.bot.pk}).status_code == 404
    done = client.post(f"/entrants/{event.entrants.get().pk}/withdraw/", follow=True)
    assert "belongs to somebody else" in Html(done.content.decode()).text
    assert event.entrants.get().status == "playing"


def test_what_is_not_there_is_said_kindly() -> None:
    for path, words in (("/events/none/", "There is no event called “none”."),):
        answer = signed_in(None).get(path)
        assert (answer.status_code, words in Html(answer.content.decode()).text) == (404, True)


def test_the_rules_of_the_format_stand_on_the_page_in_words() -> None:
    text = see_event(an_event([], KNOCKOUT))
    assert "Single elimination: bots that do not advance are out." in text
    assert "A bye, and a set that was cancelled, count as the mean" in text
    assert "When the organisers start it." in text


@pytest.mark.parametrize("spec", [ROBIN, KNOCKOUT, GROUPS, {"t": "king_of_the_hill"}, {"t": "swiss"}])
def test_an_event_is_shown_from_its_first_round_to_its_winner(spec: dict[str, object]) -> None:
    event = a_running(5, spec)
    text = see_event(event)
    assert "Round 1" in text
    assert "to play" in text
    event = play_out(event)
    text = see_event(event)
    winner = event.entrants.get(place=1).bot
    assert f"{winner} by {winner.owner} wins." in text
    assert "to play" not in text


def test_a_knockout_is_a_bracket_with_a_column_for_each_round() -> None:
    event = play_out(a_running(4, KNOCKOUT))
    page = see(f"/events/{event.slug}/")
    [bracket] = [div for div in page.all("div") if div.get("class") == "bracket"]
    assert bracket["aria-labelledby"] == "bracket-title"
    assert not [details for details in page.all("details") if details.get("id", "").startswith("round-")]


def test_a_table_says_what_a_bot_still_needs_and_a_round_who_has_a_bye() -> None:
    event = a_running(3, ROBIN)
    text = see_event(event)
    assert "Still needs" in text
    assert "first place" in text
    assert "Without a table this round:" in text


def test_a_match_and_a_bot_lead_to_their_event() -> None:
    event = play_out(a_running(2, ROBIN))
    bot = event.entrants.get(place=1).bot
    match = event.sets.get().matches.first()
    assert match
    page = see(f"/matches/{match.pk}/")
    assert f"{event.title} , round 1" in page.text
    text = see(f"/bots/{bot.pk}/").text
    assert f"Events {event.title} Place 1" in text
    assert re.search(rf"\b{match.pk} 1.*{event.title}", text)


def test_who_is_out_and_why_is_said() -> None:
    event = a_running(4, ROBIN)
    entrant = event.entrants.order_by("pk")[0]
    disqualify_entrant(entrant=entrant, by=an_organiser(), reason="two bots that are one")
    assert "(two bots that are one)" in see_event(event, entrant.bot.owner)
    assert "disqualified" in see_event(event)
    call_off(event=event, by=an_organiser(), reason="The hall is on fire")
    assert "Ended without a result. The hall is on fire." in see_event(event)


def test_a_bot_that_was_left_out_at_the_start_is_told() -> None:
    event = an_event([a_version().bot, a_version().bot, a_bot()], ROBIN)
    start_event(event=event, by=an_organiser())
    out = event.entrants.order_by("pk")[2]
    assert "it had no version that could play at the start" in see_event(event, out.bot.owner)


def test_what_people_write_is_text_and_never_html() -> None:
    event = an_event([], title="<script>alert(1)</script>", description="<b onclick=x>")
    for path in ("/events/", f"/events/{event.slug}/", "/"):
        assert "<script>alert(1)</script>" in see(path).text


def test_the_number_of_queries_does_not_grow_with_the_field(django_assert_max_num_queries: object) -> None:
    for count in (3, 6):
        event = a_running(count, ROBIN)
        for match_set in open_sets(event):
            play_set(match_set)
        with django_assert_max_num_queries(15):  # type: ignore[operator]  # two for the parts' key
            signed_in(None).get(f"/events/{fresh(event).slug}/")


FIXED = {"t": "knockout", "bracket": "fixed", "third_place": True}


def test_a_fixed_bracket_names_who_will_sit_where() -> None:
    event = a_running(6, FIXED)
    page = see(f"/events/{event.slug}/")
    assert "Table 1: bye" in page.text
    assert "Winner of table 2" in page.text
    assert "Third place Loser of table 1 Loser of table 2" in page.text
    assert [link for link in page.all("link") if "bracket.css" in str(link.get("href"))]
    text = see_event(play_out(event))
    assert "Winner of table" not in text
    assert "Loser of table" not in text


def test_a_fixed_bracket_speaks_german_and_ranks_nobody_before_a_set() -> None:
    event = a_running(6, FIXED)
    page = signed_in(None).get(f"/events/{event.slug}/", headers={"Accept-Language": "de"}).content.decode()
    text = " ".join(re.sub("<[^>]*>", " ", page).split())
    assert "Tisch 1: Freilos" in text
    assert "Sieger von Tisch 2" in text
    assert "Verlierer von Tisch 1" in text
    assert re.search("Runde 1 .*Runde 2 .*Finale", text)
    assert '<td class="n">1</td>' not in page.partition("<tbody>")[2].partition("</tbody>")[0]


def test_a_fixed_bracket_shows_no_more_than_what_is_released() -> None:
    event = a_running(4, FIXED, released=0)
    play_in_order(event)
    assert "Winner of table 1" in see_event(event)
    assert "Winner of table 1" not in see_event(event, an_organiser())


def test_after_groups_the_bracket_is_drawn_when_they_are_over() -> None:
    event = a_running(4, {**GROUPS, "groups": 2, "qualify": 2, "then": FIXED})
    page = see(f"/events/{event.slug}/")
    assert not [heading for heading in page.all("h2") if heading.get("id") == "bracket-title"]
    assert [link for link in page.all("link") if "bracket.css" in str(link.get("href"))]
    assert "Winner of table 1" in see_event(play_round_and_go_on(event))


def play_round_and_go_on(event: Event) -> Event:
    play_round(event)
    advance_events()
    return fresh(event)


LEAGUE = {"t": "league", "size": 4, "seasons": 2, "season": ROBIN}


@pytest.mark.parametrize(
    ("spec", "bots", "titles"),
    [
        (ROBIN, 2, ["Tabelle"]),
        (GROUPS, 4, ["Gruppe 1", "Gruppe 2"]),
        ({**GROUPS, "groups": 1}, 3, ["Erste Stufe"]),
        ({**GROUPS, "then": ROBIN}, 4, ["Gruppe 1", "Gruppe 2", "Finale"]),
        (LEAGUE, 8, ["Saison 2, Division 1", "Saison 2, Division 2"]),
    ],
)
def test_tables_have_german_titles(spec: Mapping[str, object], bots: int, titles: list[str]) -> None:
    event = play_out(a_running(bots, spec))
    page = signed_in(None).get(f"/events/{event.slug}/", headers={"Accept-Language": "de"}).content.decode()
    headings = re.findall(r'<h2 id="table-\d+">([^<]*)</h2>', page)
    assert [title for title in titles if title not in headings] == []
    assert f"({titles[0]})</span>" in page
    assert not re.search("Standings|Group|Season|division|First|Final<", " ".join(headings))


@pytest.mark.parametrize(("spec", "parts"), [(GROUPS, ["Group 1", "Group 2"]), (LEAGUE, ["Season 1, division 1"])])
def test_tables_and_byes_of_a_round_name_their_group_or_division(spec: Mapping[str, object], parts: list[str]) -> None:
    event = a_running(6, spec)
    text = see_event(event)
    assert [part for part in parts if f"{part}, table 1" not in text] == []
    assert not re.search(r"(?<!, )Table 1", text)
    byes = "Without a table this round, "
    assert [part for part in parts if not re.search(rf"{byes}{part}: bot \d+ \.", text)] == []


def test_what_a_bot_still_needs_is_said_in_german_too() -> None:
    event = a_running(3, ROBIN)
    page = signed_in(None).get(f"/events/{event.slug}/", headers={"Accept-Language": "de"}).content.decode()
    assert "Hat den ersten Platz mit 1,75 Punkten sicher; noch zu spielen: 2 Sätze" in page
    assert "Was ein Bot noch braucht, gilt, wenn alle künftigen Sätze gespielt werden" in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("0.50 0 + 1 not played", "or else half a point")),
        ("de", ("0,50 0 + 1 nicht gespielt", "als halber Punkt")),
    ],
)
def test_points_without_a_set_are_explained(language: str, words: tuple[str, str]) -> None:
    event = a_running(3, ROBIN)
    page = signed_in(None).get(f"/events/{event.slug}/", headers={"Accept-Language": language}).content.decode()
    text = " ".join(re.sub("<[^>]*>", " ", page).split())
    assert [phrase for phrase in words if phrase not in text] == []


@pytest.mark.parametrize("leave", ["withdraw", "disqualify"])
def test_who_has_left_does_not_go_on_in_the_bracket_and_the_other_goes_on_by_a_walkover(leave: str) -> None:
    event = a_running(3, FIXED)
    [spared] = event.entrants.exclude(version__seats__match__set__event=event)
    assert "Table 1: bye" in see_event(event)
    assert going_on(event) == [str(spared.bot)]
    if leave == "withdraw":
        withdraw_from_event(entrant=spared, by=spared.bot.owner)
    else:
        disqualify_entrant(entrant=spared, by=an_organiser(), reason="It cheats.")
    assert going_on(event) == []
    assert f"Final {spared.bot} has left Winner of table 2" in see_event(event)
    event = play_out(event)
    winner = event.entrants.get(place=1).bot
    assert f"Final: walkover {spared.bot} has left {winner} goes on" in see_event(event)
    assert going_on(event) == [str(winner)] * 2


def going_on(event: Event) -> list[str]:
    page = signed_in(None).get(f"/events/{event.slug}/").content.decode()
    return re.findall(r'<li class="on">\s*<a [^>]*>([^<]*)</a>', page)
