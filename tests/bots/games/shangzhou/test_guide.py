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


def winners(position: Position, measured: list[Standing]) -> list[int]:
    return holders(position, measured) or widest(position, measured) or richest(position, measured)


@pytest.mark.parametrize("name", recordings_of("shangzhou"))
def test_who_has_what_the_line_says_wins_the_check_and_with_less_does_not(name: str) -> None:
    for position in positions(replay_of(name), EVERY):
        assert isinstance(position, Position)
        if position.ending:
            continue
        measured = standings(position)
        now = winners(position, measured)
        for seat, line in enumerate(needs(position, CALLED[: len(measured)])):
            assert (line == "would win if the check came now") == (seat in now)
            assert line.startswith("must stop ") == (bool(now) and seat not in now)
            mine = measured[seat]
            if match := CLOUT.search(line):
                for more, wins in ((int(match[1]), [seat]), (int(match[1]) - 1, [])):
                    then = [*measured]
                    then[seat] = mine._replace(clout=mine.clout + more)
                    assert winners(position, then) == wins
            if match := SECTORS.search(line):
                then = [*measured]
                then[seat] = mine._replace(sectors=mine.sectors + int(match[1]))
                assert widest(position, then) == [seat]
            if (match := NODES.search(line)) and position.options.critical_rule == "exclusive":
                assert mine.nodes + int(match[1]) == 4


def test_nodes_out_of_play_are_no_way_any_more() -> None:
    position = table(agents={0: (1, 0, 0)}, zones={0: "N", 1: "N", 2: "N"})
    assert "3 more Critical Nodes" in needs(position, CALLED[:3])[0]
    gone = deepcopy(position)
    gone.gone["N"] = 1
    assert not any("Node" in line for line in needs(gone, CALLED[:3]))


@pytest.mark.parametrize("name", recordings_of("shangzhou"))
def test_at_the_end_winners_are_told_by_what_and_others_what_they_held(name: str) -> None:
    *_, position = positions(replay_of(name), 1)
    assert isinstance(position, Position)
    lines = needs(position, CALLED[: len(position.clout)])
    assert [seat for seat, line in enumerate(lines) if line.startswith("won with")] == sorted(position.winners)
