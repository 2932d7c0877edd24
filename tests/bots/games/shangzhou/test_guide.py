"""What each player of Shangzhou-Gold lacks: given that, the rules' own check makes it the winner."""

import re
from copy import deepcopy

import pytest

from bots.games.shangzhou.guide import needs
from engine.games.shangzhou import Position
from engine.games.shangzhou.control import Standing, holders, richest, standings, widest
from tests.bots.viewer.replays import positions, replay_of
from tests.games.record import recordings_of
from tests.games.shangzhou_tables import table

CALLED = ["Ann", "Ben", "Cleo", "Dan"]
CLOUT, SECTORS, NODES = (re.compile(rf"(\d+) more {what}") for what in ("Clout", "sectors? alone", "Critical Nodes?"))
EVERY = 11


def winners(at: Position, measured: list[Standing]) -> list[int]:
    return holders(at, measured) or widest(at, measured) or richest(at, measured)


@pytest.mark.parametrize("name", recordings_of("shangzhou"))
def test_who_has_what_the_line_says_wins_the_check_and_with_less_does_not(name: str) -> None:
    for at in positions(replay_of(name), EVERY):
        assert isinstance(at, Position)
        if at.ending:
            continue
        measured = standings(at)
        now = winners(at, measured)
        for seat, line in enumerate(needs(at, CALLED[: len(measured)])):
            assert (line == "would win if the check came now") == (seat in now)
            assert line.startswith("must stop ") == (bool(now) and seat not in now)
            mine = measured[seat]
            if found := CLOUT.search(line):
                for more, wins in ((int(found[1]), [seat]), (int(found[1]) - 1, [])):
                    then = [*measured]
                    then[seat] = mine._replace(clout=mine.clout + more)
                    assert winners(at, then) == wins
            if found := SECTORS.search(line):
                then = [*measured]
                then[seat] = mine._replace(sectors=mine.sectors + int(found[1]))
                assert widest(at, then) == [seat]
            if (found := NODES.search(line)) and at.options.critical_rule == "exclusive":
                assert mine.nodes + int(found[1]) == 4


def test_nodes_out_of_play_are_no_way_any_more() -> None:
    at = table(agents={0: (1, 0, 0)}, zones={0: "N", 1: "N", 2: "N"})
    assert "3 more Critical Nodes" in needs(at, CALLED[:3])[0]
    gone = deepcopy(at)
    gone.gone["N"] = 1
    assert not any("Node" in line for line in needs(gone, CALLED[:3]))


@pytest.mark.parametrize("name", recordings_of("shangzhou"))
def test_at_the_end_winners_are_told_by_what_and_others_what_they_held(name: str) -> None:
    *_, at = positions(replay_of(name), 1)
    assert isinstance(at, Position)
    lines = needs(at, CALLED[: len(at.clout)])
    assert [seat for seat, line in enumerate(lines) if line.startswith("won with")] == sorted(at.winners)
