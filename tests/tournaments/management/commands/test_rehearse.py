import io

import pytest
from django.core.management import CommandError, call_command

from tests.factories import a_completed_set, a_ladder, a_version
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Ladder

pytestmark = pytest.mark.django_db
SWISS, ROBIN = '{"t": "swiss"}', '{"t": "round_robin"}'


@pytest.fixture
def ladder() -> Ladder:
    ladder, versions = a_ladder("main", players=2), [a_version() for _ in range(4)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    a_completed_set(ladder, versions[:2])
    return ladder


def rehearse(*words: str) -> str:
    out = io.StringIO()
    call_command("rehearse", *words, events=3, stdout=out)
    return out.getvalue()


def test_formats_are_compared_side_by_side_with_the_ladders_bots(ladder: Ladder) -> None:
    output = rehearse("main", SWISS, ROBIN)
    assert output.startswith("Main: 4 bots, 0.2 s a match, 2 workers, 3 events")
    assert f"| {SWISS} | 8 |" in output
    assert f"| {ROBIN} | 12 |" in output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("none", SWISS), "there is no ladder 'none'"),
        (("main", "swiss"), "swiss is not JSON"),
        (("main", '{"t": "chess"}'), "format must have"),
        (("main", '{"t": "swiss", "seats": 7}'), "the game is for 2, 3, 4 players"),
        (("main", '{"t": "swiss", "rounds": 9}'), "9 rounds of Swiss among 4"),
        (("main", "[1]"), "format"),
        (("main", '{"t": "swiss", "rounds": 1e999}'), "format|rounds"),
        (("main", SWISS, "--workers", "0"), "'0' is not a whole number from 1 to"),
    ],
)
def test_what_cannot_be_rehearsed_is_said_in_a_sentence(ladder: Ladder, words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        rehearse(*words)
