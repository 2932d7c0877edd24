"""Run by test_sixth_game.py in a process whose environment names the game: all of the platform knows it, unchanged."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from tender import Bid

from bots.contest import sample_names
from bots.viewer import game_viewers
from bots.viewer.answer_forms import form_of
from bots.viewer.answer_forms.form import read_sent_answer
from bots.viewer.boards import board_of
from bots.viewer.commentary import teller_of
from bots.viewer.commentary.story import Line
from bots.viewer.icons import sheet, with_icons
from engine import replay
from engine.conformance import check
from engine.games import GAMES, OUTSIDE
from engine.records import to_plain
from tests.factories import a_user, hand_in
from tests.hostile.boxes import run
from tests.tournaments.web.pages.conftest import signed_in
from tests.workers.hall import Site
from tournaments.features.stories.steps import keep_headlines
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Bundle, Ladder, Match, MatchSet, Version
from workers.bundles import own_folder
from workers.match import Kit, report_match
from workers.orders import TAG
from workers.sandbox.arena import Arena, plans_down_to
from workers.sandbox.errors import SandboxError
from workers.sandbox.tiers import Plan

pytest_plugins = ["tests.workers.conftest"]
pytestmark = pytest.mark.django_db
GAME, FOLDER = GAMES["tender"], OUTSIDE[0].folder


def play_out(open_set: MatchSet, site: Site, kit: Kit) -> list[Match]:
    """Play in the real sandbox, and hand in to the real recorder."""
    for bundle in Bundle.objects.all():
        site.put(bytes(bundle.content))
    order = order_of_set(open_set, claim(match_set=open_set))
    for match in order.matches:
        report = report_match(order, match, kit)
        assert (report.outcome, report.faults) == ("played", []), (report.reason, report.stderr)
        assert hand_in(to_plain(report)) == "recorded"
    return list(open_set.matches.select_related("result"))


def a_recorded_match(site: Site, kit: Kit) -> Match:
    """The samples are uploaded, pass their checks, and meet in a set."""
    call_command("demo", "tender", verbosity=0)
    for version in Version.objects.all():
        play_out(version.check_set, site, kit)
    assert set(Version.objects.values_list("status", flat=True)) == {"active"}
    ladder = Ladder.objects.get()
    assert ladder.options["contracts"] == 12  # as its options.py has it
    versions = list(Version.objects.values_list("pk", flat=True))
    return play_out(create_set(ladder=ladder, versions=versions), site, kit)[0]


@pytest.mark.parametrize("players", GAME.players)
def test_the_game_conforms(players: int) -> None:
    for seed in range(5):
        assert check(GAME, GAME.read_options({"players": players}), f"seed {seed}") == 8


def test_workers_that_have_the_game_are_of_another_release_than_those_that_have_not() -> None:
    assert "tender-1" in TAG.split(",")


@pytest.fixture
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = own_folder(str(tmp_path_factory.mktemp("tiers") / "cache")) / "unpacked"
    store.mkdir()
    return store


@pytest.mark.parametrize("plan", plans_down_to("pure"), ids=str)
def test_bots_have_the_game_in_every_tier(plan: Plan, store: Path) -> None:
    bot = "from engine.games import GAMES\nfrom tender.rules import Bid\nprint(GAMES['tender'].title, Bid(3))"
    try:
        with Arena(store, plan, 500) as arena:
            output, errors, end = run(arena, bot)
    except SandboxError as error:
        pytest.skip(f"NOT TESTED: {plan}: {error}")
    assert (output, errors, end.code) == ("Tender Bid(note=3)\n", "", 0)


def test_a_match_of_the_samples_is_recorded_holds_and_is_shown(site: Site, kit: Kit) -> None:
    recorded = a_recorded_match(site, kit)
    match_replay = replay.read_replay(bytes(recorded.result.replay))
    replay.verify(match_replay)
    assert (match_replay.game, match_replay.rules, match_replay.result.verdicts) == ("tender", 1, ["ok"] * 3)
    assert sorted(player.name for player in match_replay.players) == sample_names("tender")
    shows_the_board_the_log_and_the_perspectives(recorded)
    organisers_and_competitors_find_the_game()


def shows_the_board_the_log_and_the_perspectives(recorded: Match) -> None:
    page = Client().get(f"/matches/{recorded.pk}/?at=6").content.decode()
    assert 'aria-label="Tender. Contract ' in page
    assert "gets contract" in page
    assert re.search(r"<strong>\S+ (wins by \d+|wins on the tie-break|and \S+ share the win)[:.]", page)
    assert '<details class="finale" data-finale open hidden>' in page
    end = Client().get(f"/matches/{recorded.pk}/?at=9999").content.decode()
    assert re.search(r'<details class="finale" data-finale open><summary>\S+ (wins|and)', end)
    while keep_headlines():
        pass
    best = Client().get("/matches/best/?game=tender")
    assert {gallery.kind for gallery in best.context["galleries"]} <= {
        "closest"
    }  # it has no chances and no ratings yet
    for path in ("film/?as=1", "card.png", "events.jsonl"):
        assert Client().get(f"/matches/{recorded.pk}/{path}").status_code == 200


def test_the_page_of_rules_is_in_the_docs() -> None:
    assert 'href="/docs/games/tender/"' in Client().get("/docs/").content.decode()
    page = Client().get("/docs/games/tender/")
    assert (page.status_code, "Sealed bids for contracts" in page.content.decode()) == (200, True)


def test_without_a_poster_it_stands_plainly_among_the_games() -> None:
    call_command("demo", "tender", verbosity=0)
    for path in ("/", "/play/", "/docs/games/"):
        page = Client().get(path).content.decode()
        assert "Tender" in page
        assert "2 to 5 players" in page
        assert "/games/tender/poster" not in page
    assert Client().get("/games/tender/poster.png").status_code == 404


def organisers_and_competitors_find_the_game() -> None:
    staff = signed_in(a_user(staff=True))
    pages = [f"{reverse('desk-new-ladder')}?game=tender", reverse("editor"), "/ladders/tender/", "/upload/", "/live/"]
    for path in [*pages, "/play/under/tender/"]:
        assert (path, staff.get(path).status_code) == (path, 200)
    assert "the highest note of each player. 3 to 20. Default: 9." in staff.get(pages[0]).content.decode()


def test_what_the_page_of_rules_shows_is_legal() -> None:
    page = (FOLDER / "rules.md").read_text()
    question, answer, view = (json.loads(fenced(page, kind)) for kind in ("question", "answer", "view"))
    read = GAME.read_question(question)
    assert read.error(read.read(answer)) is None
    assert to_plain(GAME.read_view(view)) == view
    events = [GAME.read_event(json.loads(line)) for line in fenced(page, "event").splitlines()]
    assert {type(event) for event in events} == set(GAME.events)


def fenced(page: str, kind: str) -> str:
    block = re.search(rf"```json {kind}\n(.*?)```", page, re.DOTALL)
    assert block
    return block[1]


def test_it_has_no_icons() -> None:
    assert (with_icons("tender", "contract 3 & 4"), sheet("tender")) == ("contract 3 &amp; 4", "")


def test_without_a_viewer_what_seats_know_is_a_table_and_answers_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_viewers, "viewer_of", lambda _: None)
    match, names = GAME.start(GAME.read_options({}), "plain"), ["Ada", "Bob", "Cid"]
    board = board_of("tender")
    seen, hidden = (board.draw(match.at, names, frozenset(seats)) for seats in ({1}, ()))
    assert seen.parts.keys() == hidden.parts.keys()
    assert "[1,2,3,4,5,6,7,8,9]" in seen.parts["seat-1"]
    assert hidden.parts["seat-1"].count("not shown from here") == 1
    assert teller_of("tender")(match.hear()[0], names) == Line(f"Offered: contract {match.at.contract}.")
    form = form_of(GAME, match, 0, names).ways[0]
    sent = {"base": [form.base_key], "needs": ["[]"], form.controls[0].name: [form.controls[0].choices[1].key]}
    assert match.read(0, read_sent_answer(sent)) in [Bid(note) for note in range(1, 10)]
