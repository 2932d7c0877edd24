import csv
import re
from typing import Any

import pytest

from tests.factories import a_bot, a_ladder, a_user, a_version
from tests.holding import ROBIN, a_draft, a_running, an_event, an_organiser, open_sets, play_out, play_round
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.features.events.lifecycle import advance_events, call_off, disqualify_entrant, start_event
from tournaments.features.events.registration import withdraw_from_event
from tournaments.models import Entrant, Event

pytestmark = pytest.mark.django_db


def test_an_event_tells_its_format_in_words_and_its_lot_once_it_has_started(api_world: World) -> None:
    event = an_event([api_world.bot, api_world.rival], ROBIN, ladder=api_world.ladder)
    shown = ask("GET", f"events/{event.slug}").json()
    fields: dict[str, Any] = {
        "status": "registration",
        "ladder": "main",
        "game": "zaibatsu",
        "entrants": 2,
        "lot": None,
    }
    assert shown.items() >= fields.items()
    assert any(sentence.startswith("Round robin.") for sentence in shown["format"])
    start_event(event=event, by=an_organiser())
    assert ask("GET", f"events/{event.slug}").json()["lot"] == event.lot


def test_who_was_left_over_on_the_waiting_list_takes_no_part(api_world: World) -> None:
    event = an_event([api_world.bot, api_world.rival], ROBIN, ladder=api_world.ladder)
    event.entrants.create(bot=a_bot(), status=Entrant.Status.WAITING)
    start_event(event=event, by=an_organiser())
    shown = ask("GET", f"events/{event.slug}").json()
    assert (shown["entrants"], shown["waiting"]) == (2, 0)


def test_events_are_found_by_their_status() -> None:
    upcoming, running, draft = an_event([]), a_running(2, ROBIN), a_draft()

    def slugs(query: str, reader: Any = None) -> list[str]:
        return [row["slug"] for row in ask("GET", f"events{query}", reader).json()["results"]]

    assert slugs("") == [running.slug, upcoming.slug]
    assert slugs("?status=running") == [running.slug]
    assert slugs("?status=draft") == []
    assert slugs("?status=draft", an_organiser()) == [draft.slug]
    assert refused(ask("GET", "events?status=lost")) == (400, "invalid")


def test_an_owner_registers_and_withdraws_and_every_refusal_has_its_code(api_world: World) -> None:
    event = an_event([], ladder=api_world.ladder)
    entrants = f"events/{event.slug}/entrants"
    made = ask("POST", entrants, api_world.owner, {"bot": api_world.bot.pk})
    assert made.status_code == 201
    assert made.json().items() >= {"bot": api_world.bot.pk, "version": None, "place": None, "status": "playing"}.items()
    assert ask("GET", made["Location"]).json() == made.json()
    assert refused(ask("POST", entrants, api_world.owner, {"bot": api_world.bot.pk})) == (409, "already_registered")
    assert refused(ask("POST", entrants, api_world.owner, {"bot": api_world.rival.pk})) == (403, "not_yours")
    assert refused(ask("POST", entrants, api_world.owner, {"bot": 99})) == (404, "unknown_bot")
    assert refused(ask("DELETE", made["Location"], api_world.other)) == (403, "not_yours")
    assert ask("DELETE", made["Location"], api_world.owner).status_code == 204
    assert refused(ask("DELETE", made["Location"], api_world.owner)) == (404, "unknown_entrant")
    assert refused(ask("GET", "events/none")) == (404, "unknown_event")
    call_off(event=event, by=an_organiser(), reason="nobody came")
    assert refused(ask("POST", entrants, api_world.owner, {"bot": api_world.bot.pk})) == (409, "registration_closed")


def test_what_is_no_longer_possible_is_refused(api_world: World) -> None:
    event = an_event([api_world.bot, api_world.rival, a_version().bot], ROBIN, ladder=api_world.ladder)
    path = f"events/{event.slug}/entrants/{event.entrants.get(bot=api_world.bot).pk}"
    start_event(event=event, by=an_organiser())
    assert ask("DELETE", path, api_world.owner).status_code == 204
    assert refused(ask("DELETE", path, api_world.owner)) == (409, "not_registered")
    disqualify_entrant(entrant=event.entrants.get(bot=api_world.rival), by=an_organiser(), reason="it is two")
    rival = f"events/{event.slug}/entrants/{event.entrants.get(bot=api_world.rival).pk}"
    assert refused(ask("DELETE", rival, api_world.other)) == (409, "disqualified")
    play_out(event)
    assert refused(ask("DELETE", path, api_world.owner)) == (409, "event_over")


def test_the_plan_shows_tables_pairings_byes_needs_and_in_the_end_the_winner() -> None:
    event = a_running(3, ROBIN)
    bots = list(event.entrants.order_by("pk").values_list("bot", flat=True))
    plan = ask("GET", f"events/{event.slug}/plan").json()
    [pairing], [bye], [table] = plan["pairings"], plan["byes"], plan["stages"]
    assert (plan["round"], plan["done"], plan["winners"]) == (1, False, [])
    assert (pairing["pairing"], pairing["status"], len(pairing["matches"])) == ("round_robin/1/1/1", "open", 2)
    assert sorted([*pairing["bots"], bye["bot"]]) == bots
    assert all("first place" in row["needs"] for row in table["rows"])
    play_round(event, Entrant.objects.get(bot=pairing["bots"][0], event=event))
    [pairing] = ask("GET", f"events/{event.slug}/plan").json()["pairings"][:1]
    assert pairing["status"] == "complete"
    play_out(event)
    plan = ask("GET", f"events/{event.slug}/plan").json()
    assert (plan["done"], len(plan["pairings"])) == (True, 3)
    assert plan["winners"] == [Entrant.objects.get(event=event, place=1).bot_id]


def test_an_unchanged_plan_is_not_sent_twice() -> None:
    event = a_running(2, ROBIN)
    first = ask("GET", f"events/{event.slug}/plan")
    again = ask("GET", f"events/{event.slug}/plan", **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_matches_of_an_event_are_found_by_it(api_world: World) -> None:
    event = a_running(2, ROBIN, ladder=api_world.ladder)
    rows = ask("GET", f"matches?event={event.slug}").json()["results"]
    assert {row["pairing"] for row in rows} == {"round_robin/1/1/1"}
    assert {row["event"] for row in rows} == {event.slug}
    assert refused(ask("GET", f"matches?event={a_draft().slug}")) == (404, "unknown_event")


def test_a_bot_of_another_game_cannot_register(api_world: World) -> None:
    stranger = a_bot(a_user())
    type(stranger).objects.filter(pk=stranger.pk).update(game="network")
    event = an_event([], ladder=api_world.ladder)
    answer = ask("POST", f"events/{event.slug}/entrants", stranger.owner, {"bot": stranger.pk})
    assert refused(answer) == (409, "wrong_game")


def test_a_plan_has_the_fixed_bracket_with_the_places_that_are_still_empty() -> None:
    event = a_running(3, {"t": "knockout", "bracket": "fixed"})
    bracket = ask("GET", f"events/{event.slug}/plan").json()["bracket"]
    assert [(table["step"], table["table"], table["kind"]) for table in bracket] == [
        (1, 1, "bye"),
        (1, 2, "match"),
        (2, 1, "match"),
    ]
    final = bracket[2]["seats"]
    assert [(seat["table"], seat["place"]) for seat in final] == [(1, 1), (2, 1)]
    assert (final[0]["bot"], final[1]["bot"]) == (bracket[0]["seats"][0]["bot"], None)


@pytest.mark.parametrize(("panel", "code"), [([], "bad_panel"), ([12345], "unknown_panel")])
def test_a_gauntlet_without_a_panel_that_may_enter_is_refused_as_a_draft(panel: list[int], code: str) -> None:
    draft = {"slug": "duel", "title": "Duel", "ladder": a_ladder(players=2).slug}
    answer = ask("POST", "acts/create_event", an_organiser(), draft | {"format": {"t": "gauntlet", "panel": panel}})
    assert refused(answer) == (400, code)


HILL = {"t": "king_of_the_hill"}


@pytest.mark.parametrize(("spec", "released"), [(HILL, None), (ROBIN, None), (ROBIN, 0)])
def test_page_api_and_csv_show_the_same_ranks_and_none_before_anything_was_played_or_is_public(
    spec: dict[str, Any], released: int | None
) -> None:
    event = a_running(3, spec, released=released)
    assert set(ranks_shown(event)) == {None}
    play_round(event)
    ranks = ranks_shown(event)
    played = [row["sets"] > 0 for row in ask("GET", f"events/{event.slug}/plan").json()["stages"][0]["rows"]]
    assert [rank is not None for rank in ranks] == played
    assert any(played) == (released is None)


def ranks_shown(event: Event) -> list[int | None]:
    """The ranks, as all three show them."""
    rows = ask("GET", f"events/{event.slug}/plan").json()["stages"][0]["rows"]
    lines = csv.DictReader(signed_in(None).get(f"/events/{event.slug}/placings.csv").content.decode().splitlines())
    assert [int(line["place"]) if line["place"] else None for line in lines] == [row["rank"] for row in rows]
    page = signed_in(None).get(f"/events/{event.slug}/").content.decode()
    shown = re.findall(r'<tr[^>]*>\s*<td class="n">([^<]*)</td>\s*<th scope="row"', page)
    assert shown == ["–" if row["rank"] is None else str(row["rank"]) for row in rows]
    return [row["rank"] for row in rows]


def test_after_a_withdrawal_no_extra_set_is_dealt_to_it() -> None:
    """The table ties; the one who stays goes on, and what the plan says of it is that it has left."""
    event = a_running(4, {"t": "knockout", "bracket": "fixed"})
    first = open_sets(event)[0]
    leaver, stayer = event.entrants.filter(version__seats__match__set=first).distinct().order_by("pk")
    withdraw_from_event(entrant=leaver, by=leaver.bot.owner)
    play_round(event, *event.entrants.all())
    advance_events()
    keys = set(event.sets.values_list("pairing", flat=True))
    assert (first.pairing, first.pairing.replace("/1/1/1", "/1/1/2") in keys) == ("knockout/1/1/1", False)
    rows = {row["bot_id"]: row for row in ask("GET", f"events/{event.slug}/plan").json()["stages"][0]["rows"]}
    assert rows[leaver.bot_id]["needs"] == "has left"
    play_out(event)
    assert not event.sets.filter(round=2, matches__seats__version=leaver.version).exists()
    assert event.sets.filter(round=2, matches__seats__version=stayer.version).exists()
