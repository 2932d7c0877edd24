"""The organisers' desk: ladders and tournaments are made in forms that show first what they would make."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django import forms
from django.test import Client
from django.utils import timezone

from bots.rated_options import rated_options
from engine.games import GAMES
from tests.factories import a_ladder, a_user, a_version
from tests.holding import ROBIN, a_draft, a_running, an_event, fresh, play_out, play_round
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.html import Html
from tournaments.features.events.presets import PRESETS
from tournaments.ledger.acts.base import actions
from tournaments.models import Act, Event, FailingItem, Ladder, Match, MatchSet, User, Worker
from tournaments.web.pages.desk import option_help
from tournaments.web.pages.desk.action_form import form_class
from tournaments.web.pages.desk.acts import PAGES
from tournaments.web.pages.desk.dataclass_form import fields_of, label_of_setting, typed_record
from tournaments.web.pages.desk.ladder_form import ladder_form_class

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> Client:
    return signed_in(a_user("anna", staff=True))


def see(client: Client, path: str, sent: dict[str, Any] | None = None) -> str:
    answer = client.get(path) if sent is None else client.post(path, sent)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert Html(page).faults() == []
    return page


def filled(page: str) -> dict[str, str]:
    """The fields that a browser would send of the page's form as it stands."""
    fields: dict[str, str] = {}
    for field in re.findall(r"<input[^>]*>", page):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', field))
        if attributes.get("type") != "checkbox" or " checked" in field:
            usual = "on" if attributes.get("type") == "checkbox" else ""
            fields[attributes.get("name", "")] = html.unescape(attributes.get("value", usual))
    for name, inside in re.findall(r'<select name="([^"]*)".*?>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', inside) or re.search(r'value="([^"]*)"', inside)
        fields[name] = chosen[1] if chosen else ""
    for name, inside in re.findall(r'<textarea name="([^"]*)".*?>(.*?)</textarea>', page, re.DOTALL):
        fields[name] = html.unescape(inside).strip("\n")
    return fields


def make(client: Client, path: str, **typed: str) -> tuple[str, Any]:
    """The preview of a form that is filled in so, and the answer to the order to do it."""
    preview = see(client, path, filled(see(client, path)) | typed)
    return preview, client.post(path, filled(preview) | {"do": "yes"})


def errors(page: str) -> dict[str, str]:
    """Errors by the field that they stand at."""
    lists = re.findall(r'<ul class="errorlist" id="id_([\w.]+)_error">\s*<li>\s*(.*?)\s*</li>', page)
    return {name: html.unescape(words) for name, words in lists}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_ladder_of_every_game_is_made_in_its_form_and_is_as_it_was_shown(game: Any, organiser: Client) -> None:
    path = f"/desk/new-ladder/?game={game.name}"
    preview, done = make(organiser, path, title="Winter League", bank_ms="30000", reason="Winter.")
    assert not Ladder.objects.filter(slug="other")
    options = "&quot;generated&quot;</td>" if game.name == "network" else "All options of the game have their default"
    for words in (options, "30 s for a match", "The time is not known yet"):
        assert words in preview
    assert done["Location"] == "/desk/ladders/winter-league/"
    ladder = Ladder.objects.get(slug="winter-league")
    assert (ladder.game, ladder.rules, ladder.bank_ms, ladder.status) == (game.name, game.version, 30_000, "open")
    assert game.read_options(ladder.options) == game.read_options(dict(rated_options(game.name)))
    assert ladder.description == ""
    entry = Act.objects.get(kind="create_ladder")
    assert (entry.subject, entry.reason, entry.by) == ("ladder winter-league", "Winter.", "anna")
    assert see(organiser, "/desk/ladders/winter-league/")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_option_has_a_field_a_sentence_and_a_value_that_is_read_back(game: Any) -> None:
    usual = game.read_options(dict(rated_options(game.name)))
    fields = fields_of(usual, "options", {})
    assert set(option_help.about(game)) == set(fields)
    form_class = ladder_form_class(game)
    form = form_class({name: field.initial for name, field in form_class.base_fields.items()})
    assert not form.errors.keys() & fields.keys()
    assert game.read_options(typed_record(usual, "options", form.cleaned_data)) == usual


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_format_has_a_form_that_gives_it_back(preset: Any, organiser: Client) -> None:
    bot = a_version().bot
    a_ladder("arena", players=2)
    name = next(name for name, other in PRESETS.items() if other is preset)
    typed = {"title": "Cup", "expected": "24"} | ({"format.panel": f"{bot.pk}"} if name == "gauntlet" else {})
    path = f"/desk/new-event/?format={name}&ladder=arena"
    page = see(organiser, path, filled(see(organiser, path)) | typed)
    assert errors(page) == {}
    assert "Timetable with 24 entrants" in page


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"format.panel": ""}, "format.panel", "The panel has 0 bots; a table needs 1 of them."),
        ({"format.panel": "12345"}, "format.panel", "The panel names 12345, who did not enter."),
        ({"spec": '{"t": "gauntlet", "panel": []}'}, "spec", "The panel has 0 bots; a table needs 1 of them."),
        ({"spec": '{"t": "gauntlet", "panel": [-1]}'}, "spec", "The panel names −1, who did not enter."),
        ({"spec": '{"t": "round_robin", "rounds": 1000, "sets": 100}'}, "expected", "It could come to 100000 sets"),
    ],
)
def test_settings_that_no_field_could_play_are_refused_in_the_form(
    typed: dict[str, str], field: str, words: str, organiser: Client
) -> None:
    a_ladder("arena", players=2)
    path = "/desk/new-event/?format=gauntlet&ladder=arena"
    wrong = errors(see(organiser, path, filled(see(organiser, path)) | {"title": "Cup"} | typed))
    assert list(wrong) == [field]
    assert words in wrong[field]


LADDER = "/desk/new-ladder/?game=gigabucks"


@pytest.mark.parametrize(
    ("path", "typed", "field", "words"),
    [
        (LADDER, {"options.players": "9"}, "options.players", "options.players muss 2 bis 8 sein, nicht 9."),
        (LADDER, {"options.dice": "six"}, "options.dice", "options.dice[0] muss eine ganze Zahl sein, nicht 'six'."),
        (LADDER, {"table_sizes": "3, 9"}, "table_sizes", "Das muss eine Liste ganzer Zahlen von 2 bis 8 sein"),
        (LADDER, {"answer_ms": "0"}, "answer_ms", "answer_ms ist 0; es muss eine ganze Zahl von"),
        (LADDER, {"table_sizes": "many"}, "table_sizes", "many ist keine Zahl von Spielern"),
        (
            "/desk/new-event/?format=swiss&ladder=arena",
            {"format.rank_by": "beauty"},
            "format.rank_by",
            "Rank_by[0] muss",
        ),
    ],
)
def test_what_bounds_a_setting_is_told_in_german(
    path: str, typed: dict[str, str], field: str, words: str, organiser: Client
) -> None:
    a_ladder("arena")
    organiser.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    sent = filled(see(organiser, path)) | {"title": "Cup"} | typed
    assert words in errors(see(organiser, path, sent))[field]


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"title": ""}, "title", "This field is required."),
        ({"slug": "arena"}, "slug", "There is a ladder at arena already; choose another address."),
        ({"slug": "a b"}, "slug", "Enter a valid “slug” consisting of letters, numbers, underscores or hyphens."),
        ({"options.players": "9"}, "options.players", "options.players must be 2 to 8, not 9."),
        ({"options.dice": "6, 1"}, "options.dice", "options.dice must have 2 to 100 sides, not 1."),
        ({"options.dice": "six"}, "options.dice", "options.dice[0] must be a whole number, not 'six'."),
        ({"options.bid_step.seat": "0"}, "options.bid_step.seat", "options.bid_step.seat must be 1 to"),
        ({"answer_ms": "0"}, "answer_ms", "answer_ms is 0; it must be a whole number from"),
        ({"table_sizes": "3, 9"}, "table_sizes", "This must be a list of whole numbers from 2 to 8"),
        ({"table_sizes": "many"}, "table_sizes", "many is not a number of players; write for example 3, 4."),
        ({"strikes": "0"}, "strikes", "Ensure this value is greater than or equal to 1."),
    ],
)
def test_what_is_wrong_with_a_ladder_is_said_at_its_field_and_nothing_typed_is_lost(
    typed: dict[str, str], field: str, words: str, organiser: Client
) -> None:
    a_ladder("arena")
    sent = filled(see(organiser, LADDER)) | {"title": "Arena", "description": "Typed with care."} | typed
    page = see(organiser, LADDER, sent)
    assert words in errors(page)[field]
    kept = filled(page)
    assert {name: kept[name] for name in sent if name in kept} == sent | {
        "csrfmiddlewaretoken": kept["csrfmiddlewaretoken"]
    } | {name: value for name, value in kept.items() if name == "slug"}
    assert Ladder.objects.count() == 1


def test_a_ladder_is_not_made_without_a_reason_nor_other_than_its_preview(organiser: Client) -> None:
    path = "/desk/new-ladder/?game=zaibatsu"
    preview, refused = make(organiser, path, title="Tea")
    assert "say why" in refused.content.decode().lower()
    other = organiser.post(path, filled(preview) | {"strikes": "5", "reason": "x", "do": "yes"})
    assert "Preview: Tea" in other.content.decode()
    assert not Ladder.objects.exists()


EVENT = "/desk/new-event/?format=swiss&ladder=arena"


def test_a_tournament_is_drafted_with_a_preview_announced_and_run(organiser: Client, pages_world: World) -> None:
    preview, done = make(organiser, EVENT, title="Winter Cup", expected="8", **{"format.seats": "3"}, staged="on")
    for words in ("Timetable with 8 entrants", "The first round, for example", "Orchid", "newcomer 1", "Swiss:"):
        assert words in preview
    event = Event.objects.get(slug="winter-cup")
    assert (event.status, event.released, event.spec["seats"], str(event.organiser)) == ("draft", 0, 3, "anna")
    assert done["Location"] == "/desk/events/winter-cup/"
    page = see(organiser, "/desk/events/winter-cup/")
    assert "It could not begin" in page
    assert f"/desk/acts/announce_event/?event={event.pk}" in page
    assert f"/desk/acts/discard_event/?event={event.pk}" in page


def test_a_draft_leaves_no_word_of_itself_in_the_public_log(organiser: Client) -> None:
    a_ladder("arena", players=2)
    make(organiser, EVENT, title="Secret Cup", description="Nobody knows.")
    event = Event.objects.get()
    make(organiser, f"/desk/events/{event.slug}/edit/", title="Very Secret Cup")
    organiser.post(
        f"/desk/acts/discard_event/?event={event.pk}",
        {"event": str(event.pk), "do": "yes", "seen": f'{{"event": {event.pk}}}', "reason": "The secret is out."},
    )
    assert not Event.objects.exists()
    acts = Act.objects.order_by("number")
    assert [act.kind for act in acts] == ["create_event", "edit_event", "discard_event"]
    for act in acts:
        entry = f"{act.subject} {act.reason} {act.detail}".lower()
        assert not [word for word in ("secret", "cup", "nobody", "swiss", "arena") if word in entry]


def test_an_announced_event_changes_in_words_and_start_alone_and_the_log_says_so(organiser: Client) -> None:
    event = an_event([], title="Cup")
    path = f"/desk/events/{event.slug}/edit/"
    soon = (timezone.now() + timedelta(days=1)).strftime("%Y-%m-%d %H:%M")
    page = see(organiser, path, filled(see(organiser, path)) | {"format.rounds": "1"})
    assert "so these cannot change: spec" in page
    make(organiser, path, title="Cup of cups", starts_at=soon, reason="A better hour.")
    assert (fresh(event).title, fresh(event).spec["rounds"]) == ("Cup of cups", 2)
    act = Act.objects.get(kind="edit_event")
    assert (act.subject, act.reason) == (f"event {event.slug}", "A better hour.")
    assert [change["name"] for change in act.detail["changes"]] == ["title", "starts_at"]


def test_what_has_begun_is_not_changed_any_more(organiser: Client) -> None:
    event = a_running(2, ROBIN)
    answer = organiser.get(f"/desk/events/{event.slug}/edit/")
    assert (answer.status_code, "has begun, or is over" in answer.content.decode()) == (404, True)


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"slug": "taken"}, "slug", "There is an event at taken already; choose another address."),
        ({"starts_at": "2020-01-01 10:00"}, "starts_at", "The start is past; give a time to come"),
        ({"starts_at": "soon"}, "starts_at", "Enter a valid date/time."),
        ({"format.seats": "9"}, "format.seats", "the game is for 2, 3, 4 players"),
        ({"format.rounds": "-1"}, "format.rounds", "Rounds is -1; it must be from 0 to 1000."),
        ({"format.rank_by": "beauty"}, "format.rank_by", "Rank_by[0] must be"),
        (
            {"expected": "2", "format.seats": "3", "format.fewest": "3"},
            "expected",
            "A table needs 3 bots; taking part: 2.",
        ),
        ({"expected": "8", "format.rounds": "7"}, "format.rounds", "cannot be sure that nobody meets twice"),
        ({"format.rounds": "501"}, "format.rounds", "501 rounds of Swiss among 1000 cannot be sure"),
        (
            {"format.rounds": "5", "places": "8", "expected": "20"},
            "places",
            "With all 8 places taken it could not begin: 5 rounds of Swiss among 8 cannot be sure",
        ),
        ({"spec": '{"t": "swiss", "rounds": 501}'}, "spec", "501 rounds of Swiss among 1000 cannot be sure"),
        ({"expected": "1001"}, "expected", "Ensure this value is less than or equal to 1000."),
        ({"ladder": "none"}, "ladder", "Select a valid choice."),
        ({"spec": "{"}, "spec", "This is not JSON"),
        ({"spec": "[1]"}, "spec", "A format is an object"),
        ({"spec": '{"t": "swiss", "seats": 9}'}, "spec", "the game is for 2, 3, 4 players"),
        ({"spec": '{"t": "chess"}'}, "spec", "not 'chess'"),
    ],
)
def test_what_is_wrong_with_a_tournament_is_said_at_its_field(
    typed: dict[str, str], field: str, words: str, organiser: Client
) -> None:
    a_draft(slug="taken", ladder=a_ladder("arena", players=2))
    page = see(organiser, EVENT, filled(see(organiser, EVENT)) | {"title": "Cup", "description": "Typed."} | typed)
    assert words in errors(page)[field]
    assert filled(page)["description"] == "Typed."
    assert Event.objects.count() == 1


@pytest.mark.parametrize("name", ["swiss", "swiss_final", "league_swiss"])
def test_the_form_says_how_many_rounds_of_swiss_there_can_be(name: str, organiser: Client) -> None:
    a_ladder("arena", players=2)
    path = f"/desk/new-event/?format={name}&ladder=arena"
    assert "At most half as many as bots take part, at tables of two" in see(organiser, path)
    rounds = next(field for field in filled(see(organiser, path)) if field.endswith(".rounds"))
    typed = {"title": "Cup", "expected": "24", rounds: "2"}
    assert "So many rounds need 4 bots at least." in see(organiser, path, filled(see(organiser, path)) | typed)


def test_a_format_may_be_written_as_json(organiser: Client) -> None:
    a_ladder("arena", players=2)
    make(organiser, EVENT, title="Cup", spec='{"t": "knockout", "sets": [1, 3]}')
    assert (Event.objects.get().spec["t"], Event.objects.get().spec["sets"]) == ("knockout", [1, 3])


def test_the_desk_shows_what_waits_for_an_organiser(organiser: Client, pages_world: World) -> None:
    assert "Nothing." in see(organiser, "/desk/")
    held = a_running(2, ROBIN, released=0)
    play_round(held)
    late = an_event([], title="Late cup", starts_at=timezone.now() + timedelta(days=1))
    Event.objects.filter(pk=late.pk).update(reason="Not started: 0 entered", starts_at=None)
    match = pages_world.set.matches.latest("pk")
    Match.objects.filter(pk=match.pk).update(status=Match.Status.QUARANTINED)
    MatchSet.objects.filter(pk=match.set_id).update(status=MatchSet.Status.OPEN, rated=False, ended_at=None)
    page = see(organiser, "/desk/")
    for words in (
        f"{held}: round 1 is over and held back.",
        "Late cup: Not started",
        f"Match {match.pk} is in quarantine. Its set waits",
    ):
        assert words in page


def test_the_desk_leads_to_every_act_and_every_page_of_an_act_opens(organiser: Client) -> None:
    ladder = a_ladder("arena")
    desk = see(organiser, "/desk/")
    for kind in actions():
        path = f"/desk/acts/{kind}/"
        page = organiser.get(path, {"ladder": ladder.slug})
        assert page.status_code in (200, 302), kind
        named = page["Location"] if page.status_code == 302 else path
        assert f'href="{named}"' in desk or kind == "edit_event", kind
    assert organiser.get("/desk/acts/rob_a_bank/").status_code == 404
    assert organiser.get("/desk/new-event/?format=chess").status_code == 404
    assert organiser.get("/desk/new-ladder/?game=chess").status_code == 404


SEVERAL_LINES = {
    *("announce.text", "change_announcement.text", "name_luck_value.value", "set_marking.scheme"),
    *("suspend_member.words", "suspend_user.words", "tell_entrants.text", "change_settings.description"),
}


def test_only_texts_of_several_lines_have_an_area_and_each_says_how_it_is_shown(organiser: Client) -> None:
    helps = {}
    for kind in actions().keys() - PAGES.keys():
        for name, field in form_class(actions()[kind], {}, User.objects.get())().fields.items():
            if isinstance(field.widget, forms.Textarea) and name != "reason":
                helps[f"{kind}.{name}"] = str(field.help_text)
    assert helps.keys() == SEVERAL_LINES
    assert helps["announce.text"] == helps["change_announcement.text"] == "Markdown, without pictures."
    assert helps["tell_entrants.text"] == helps["suspend_user.words"] == "Plain text."


def test_a_time_zone_is_suggested_and_few_values_are_chosen(organiser: Client) -> None:
    page = see(organiser, "/desk/acts/set_time_zone/")
    assert re.search(r'<input type="text" name="time_zone"[^>]* list="time-zones"', page)
    assert '<option value="Europe/Berlin">' in page
    page = see(organiser, "/desk/acts/change_access/")
    assert re.search(r'<select name="access"[^>]*>\s*<option value="" selected>', page)


def test_organisers_without_a_second_factor_are_led_to_set_one_up(organiser: Client, settings: Any) -> None:
    settings.STAFF_NEED_SECOND_FACTOR = True
    for path in ("/desk/", "/desk/acts/pause_ladder/", "/desk/new-ladder/", "/desk/new-event/"):
        assert organiser.get(path)["Location"] == "/account/second-factor/"


def test_the_number_of_queries_does_not_grow_with_what_the_desk_shows(
    organiser: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(8):
        a_ladder(f"ladder-{number}x")
        an_event([a_version().bot], ladder=Ladder.objects.latest("pk"))
        Worker.objects.create(name=f"w{number}", status=Worker.Status.DRAINED)
    with django_assert_max_num_queries(15):
        organiser.get("/desk/")
    event = play_out(a_running(6, ROBIN))
    for path in (f"/desk/events/{event.slug}/", "/desk/ladders/ladder-1x/"):
        with django_assert_max_num_queries(14):
            organiser.get(path)


def test_what_fails_stands_at_the_desk_with_its_reason_and_two_buttons(organiser: Client) -> None:
    item = FailingItem.objects.create(
        loop="pairing", item="ladder bad", reason="RecordError: first", next_try_at=timezone.now()
    )
    page = see(organiser, "/desk/")
    assert "RecordError: first" in page
    assert f"/desk/acts/set_item_aside/?item={item.pk}" in page
    make(organiser, f"/desk/acts/set_item_aside/?item={item.pk}", reason="until its options are mended")
    assert FailingItem.objects.get().next_try_at is None
    make(organiser, f"/desk/acts/try_item_again/?item={item.pk}", reason="its options are mended")
    assert "What fails" not in see(organiser, "/desk/").partition("acts-title")[0]


def test_an_act_leads_back_to_where_it_was_begun_and_says_what_was_done(organiser: Client) -> None:
    a_ladder("arena")
    for act, place in (("pause_ladder", "/ladders/arena/"), ("resume_ladder", "/desk/ladders/arena/")):
        path = f"/desk/acts/{act}/?ladder=arena"
        begun = organiser.get(path, headers={"Referer": f"http://testserver{place}?page=2"}).content.decode()
        without_reason = see(organiser, path, filled(begun) | {"do": "yes"})
        shown = see(organiser, path, filled(without_reason) | {"reason": "It is time."})
        done = organiser.post(path, filled(shown) | {"do": "yes"})
        assert done["Location"] == f"http://testserver{place}?page=2"
        number = Act.objects.latest("number").number
        entry = f'<a href="/audit/?before={number + 1}#act-{number}">entry {number} of the log</a>'
        assert f"Done: {actions()[act].button}. It is {entry}." in see(organiser, place)
        assert f'id="act-{number}"' in see(organiser, f"/audit/?before={number + 1}")


@pytest.mark.parametrize(
    "back",
    [
        *("https://evil.example/ladders/arena/", "//evil.example/ladders/", "/\\evil.example/ladders/", "javascript:1"),
        *("http://testserver//evil.example/ladders/", "http://testserver@evil.example/desk/", "///evil.example"),
        *("/desk/acts/pause_ladder/", "/sign-in/", "", "http://testserver:81/desk/"),
    ],
)
def test_an_act_leads_nowhere_else(back: str, organiser: Client) -> None:
    a_ladder("arena")
    path = "/desk/acts/pause_ladder/?ladder=arena"
    sent = filled(see(organiser, path)) | {"do": "yes", "reason": "It is time.", "came_from": back}
    assert organiser.post(path, sent)["Location"] == "/desk/ladders/arena/"


def test_what_is_gone_leads_to_the_list_that_it_was_in(organiser: Client) -> None:
    ladder = a_ladder("arena")
    event = Event.objects.create(ladder=ladder, slug="cup", title="Cup", spec={})
    path = f"/desk/acts/discard_event/?event={event.pk}"
    begun = organiser.get(path, headers={"Referer": "http://testserver/desk/events/cup/"}).content.decode()
    assert organiser.post(path, filled(begun) | {"do": "yes"})["Location"] == "/events/"


@pytest.mark.parametrize(
    ("name", "label"), [("answer_ms", "Answer, in ms"), ("upload_mb", "Upload, in MB"), ("strikes", "Strikes")]
)
def test_a_setting_is_called_with_its_unit(name: str, label: str) -> None:
    assert label_of_setting(name) == label
