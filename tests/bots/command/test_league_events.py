"""`boardroom league` by the formats of a site: who meets whom, the table, and going on after a stop."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from bots.command.errors import STOPPED, KitError
from bots.command.league_events import HomeEvent, performances, set_result
from bots.command.main import main
from bots.command.outcomes import Outcome
from bots.formats.model import Pairing, SetResult
from bots.formats.settings import Knockout, Spec, Swiss
from tests.bots.command.printed import printed

Captured = pytest.CaptureFixture[str]
FIVE = ("random", "random", "marginal", "random", "blend")


def without_times(league: dict[str, Any]) -> dict[str, Any]:
    for row in league["standings"]:
        row.pop("ms_per_answer")
    return league


def test_a_swiss_goes_on_in_the_middle_of_a_round_and_is_the_same(tmp_path: Path, capsys: Captured) -> None:
    journal = tmp_path / "swiss.jsonl"
    swiss = [*FIVE, "--format", "swiss", "--journal", str(journal)]
    complete = without_times(printed(capsys, "league", "zaibatsu", *swiss))
    head, *played = journal.read_bytes().splitlines(keepends=True)
    assert (complete["rounds"], complete["sets"], len(played)) == (2, 4, 8)
    journal.write_bytes(head + b"".join(played[:5]) + played[5][:-20])  # a set is half played, a line cut off
    assert without_times(printed(capsys, "league", "zaibatsu", *swiss)) == complete
    assert [row["rank"] for row in complete["standings"]] == [1, 2, 3, 4, 5]
    met = [tuple(sorted(json.loads(line)["seats"])) for line in played]
    assert len(set(met)) == 4
    assert all(met.count(pair) == 2 for pair in met)  # one deal, from both seats


def test_a_format_of_a_site_is_read_from_a_file(tmp_path: Path, capsys: Captured) -> None:
    first, then = {"t": "round_robin", "rank_by": ["performance"]}, {"t": "knockout"}
    (tmp_path / "event.json").write_text(
        json.dumps({"t": "groups", "groups": 2, "qualify": 1, "first": first, "then": then})
    )
    league = printed(capsys, "league", "zaibatsu", *FIVE[1:], "--format", str(tmp_path / "event.json"))
    assert (league["done"], league["sets"]) == (True, 3)
    assert league["winners"] == [league["standings"][0]["bot"]]
    assert league["standings"][0]["name"] in ("marginal", "blend")


def outcome(number: int, order: tuple[list[int], str], winner: int) -> Outcome:
    seats, dealt = order
    places = [1 if bot == winner else 2 for bot in seats]
    return Outcome(number, seats, dealt, places, [9 - place for place in places], [1, 1], [0.0, 0.0])


def played_out(spec: Spec, bots: int) -> tuple[HomeEvent, list[Outcome]]:
    """The lower number always wins."""
    event, outcomes = HomeEvent(spec, bots, "home"), list[Outcome]()
    while todo := event.orders(event.plan_of(outcomes))[len(outcomes) :]:
        outcomes += [outcome(number, (seats, dealt), min(seats)) for number, seats, dealt in todo]
    return event, outcomes


def test_any_number_of_matches_leads_to_the_same_event() -> None:
    event, outcomes = played_out(Swiss(rounds=4), 9)
    for count in range(len(outcomes)):
        assert (
            event.orders(event.plan_of(outcomes[:count]))
            == event.orders(event.plan_of(outcomes))[: count + 8 - count % 8]
        )
    plan = event.plan_of(outcomes)
    assert plan.done
    assert plan.winners == (1,)
    pairs = [tuple(sorted(pairing.entrants)) for pairing in plan.pairings]
    assert len(set(pairs)) == len(pairs) == 16
    assert set(pairs) < set(combinations(range(1, 10), 2))


def test_a_journal_of_other_pairings_is_refused() -> None:
    event, outcomes = played_out(Knockout(), 4)
    outcomes[0].seats = outcomes[0].seats[::-1]
    with pytest.raises(KitError, match="not the one that this format draws") as refused:
        event.plan_of(outcomes)
    assert refused.value.code == "other_journal"


def test_a_set_has_its_forfeits_and_its_margins() -> None:
    games = [
        Outcome(0, [4, 2], "d", [1, 2], [30, 10], [1, 1], [0.0, 0.0], forfeits=[1]),
        Outcome(1, [2, 4], "d", [1, 2], [25, 20], [1, 1], [0.0, 0.0]),
    ]
    result = set_result(Pairing("swiss", 1, 1, 1, (5, 3)), games)
    assert result == SetResult((5, 3), ((1, 2), (2, 1)), (0, 1), (20_000 - 5_000, 5_000 - 20_000))


def test_performance_counts_whom_one_has_beaten() -> None:
    won = [SetResult(pair, ((1, 2), (1, 2))) for pair in ((1, 2), (4, 3), (2, 3))]
    performance = performances(tuple(won))
    assert performance[1] > performance[4] > performance[3]
    assert performances(()) == {}


def test_ctrl_c_tells_how_it_stands(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bots.command.league_rounds.tell_slips", pressed)
    assert main(["league", "zaibatsu", *FIVE, "--format", "swiss", "--cores", "1", "--json"]) == STOPPED
    league = json.loads(capsys.readouterr().out)
    assert (league["done"], league["winners"], league["sets"]) == (False, [], 0)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--format", "swiss", "--rounds", "5"], "too_many_rounds"),
        (["--format", "knockout", "--rounds", "5"], "bad_command"),
        (["--format", "event.json", "--table", "3"], "bad_command"),
        (["--format", "swiss", "--table", "8"], "too_few_bots"),
        (["--format", "swiss", "--option", "piles=9"], "bad_option"),
        (["--format", "pyproject.json"], "cannot_read_or_write"),
    ],
)
def test_a_format_that_cannot_be_is_refused(capsys: Captured, arguments: list[str], code: str) -> None:
    assert printed(capsys, "league", "zaibatsu", *FIVE, *arguments)["error"]["code"] == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"t": "swis"}', "bad_format"),
        ("[" * 90_000, "bad_format"),
        ('{"t": "swiss", "seats": 7}', "bad_table_size"),
        ('{"t": "gauntlet", "panel": [9]}', "unknown_panel"),
    ],
)
def test_odd_settings_are_refused(tmp_path: Path, capsys: Captured, text: str, code: str) -> None:
    (tmp_path / "event.json").write_text(text)
    (tmp_path / "folder.json").mkdir()
    for name, expected in (("event.json", code), ("folder.json", "is_folder")):
        report = printed(capsys, "league", "zaibatsu", *FIVE, "--format", str(tmp_path / name))
        assert report["error"]["code"] == expected
