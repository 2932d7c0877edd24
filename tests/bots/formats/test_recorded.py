"""Events that began by an earlier edition go on by it: the plans of then, to the last pairing."""

import json
from typing import Any

import pytest

from bots.formats.settings import Knockout, RoundRobin, Swiss, read_spec, read_stored, write_spec
from tests.bots.formats.playing import by_dice, field, final_plan
from tests.bots.formats.recorded import CASES, RECORD, digest

RECORDED = json.loads(RECORD.read_text())


@pytest.mark.parametrize(("spec", "count", "recorded"), RECORDED, ids=lambda value: str(value)[:60])
def test_settings_as_they_were_stored_make_the_plan_of_then(spec: dict[str, Any], count: int, recorded: str) -> None:
    assert digest(final_plan(read_stored(spec), field(count), by_dice)) == recorded


def test_every_case_is_recorded() -> None:
    assert [[spec, count] for spec, count, _ in RECORDED] == [[spec, count] for spec, count in CASES]


@pytest.mark.parametrize("kind", [RoundRobin, Swiss, Knockout])
def test_what_is_stored_without_an_edition_is_of_the_first_and_what_is_typed_of_the_latest(kind: Any) -> None:
    plain = {"t": kind.tag}
    assert read_stored(plain) == kind(edition=1, owners_apart=False)
    assert read_spec(plain) == kind(edition=2)
    assert read_stored(write_spec(kind())) == kind()


def test_the_stages_of_what_is_stored_are_dated_too() -> None:
    stored = {
        "t": "groups",
        "groups": 2,
        "qualify": 2,
        "first": {"t": "swiss"},
        "then": {"t": "knockout", "edition": 2},
    }
    assert write_spec(read_stored(stored))["first"]["edition"] == 1
    assert write_spec(read_stored(stored))["then"]["edition"] == 2
    assert write_spec(read_stored({"t": "league", "season": {"t": "swiss"}}))["season"]["edition"] == 1


@pytest.mark.parametrize("odd", [None, [], "swiss", 7, {"t": []}, {"t": "groups", "first": 3}])
def test_what_is_no_format_is_refused_when_it_is_read_from_the_store_too(odd: object) -> None:
    with pytest.raises(Exception, match="format"):
        read_stored(odd)
