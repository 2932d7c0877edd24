"""Two people and a bot play a game to its end: the bot in the real sandbox, what it says taken in as any report."""

import pytest

from bots.contest import sample_files
from engine.records import to_plain
from engine.replay import read_replay, verify
from tests.factories import a_ladder, a_user
from tests.practising import a_shared_table, answer_by_the_book, send
from tests.workers.hall import Site
from tournaments.features.practice.turns import order_of_turn
from tournaments.models import Practice
from workers.match import Kit
from workers.practice import report_turn

pytestmark = pytest.mark.django_db


def test_two_people_and_a_bot_finish_a_game(site: Site, kit: Kit) -> None:
    host, guest = a_user("hanna"), a_user("gregor")
    practice = a_shared_table(host, a_ladder("arena", players=3), guest)
    site.put(sample_files("zaibatsu")["random"].read_bytes())
    for _ in range(1000):
        practice = Practice.objects.select_related("ladder", "owner").get(pk=practice.pk)
        if practice.status == Practice.Status.WAITING:
            assert send(to_plain(report_turn(order_of_turn(practice)[0], kit))) == "taken"
        elif practice.status == Practice.Status.ASKING:
            answer_by_the_book(practice)
        else:
            break
    assert practice.status == Practice.Status.OVER, practice.reason
    replay = read_replay(bytes(practice.replay or b""))
    verify(replay)
    assert [player.name for player in replay.players] == ["hanna", "gregor", "sample random"]
    assert {len(line) for line in practice.script} == {3}  # the bot was at fault nowhere
