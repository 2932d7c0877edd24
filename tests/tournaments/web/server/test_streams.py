"""Live matches as a browser hears them, from a real web server."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from threading import Event

import pytest

from bots.viewer.frames import frame_of
from bots.viewer.player import Perspective, Projector
from engine.records import to_plain
from engine.replay import Replay
from tests.factories import a_bot, a_user, a_version, an_upload, hand_in, reports
from tests.holding import ROBIN, an_event
from tests.tournaments.web.server.conftest import STREAMS, Played, a_match
from tests.tournaments.web.server.stand import Stand, a_stand
from tests.workers.hall import until
from tournaments.core.broker.queues import CHANGED
from tournaments.features.events.lifecycle import start_event
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.models import FailingItem, Match
from tournaments.web.live import replay_so_far
from tournaments.web.live.hub import MOST_KEPT
from tournaments.web.live.watched_match import FAILED


def shown(replay: Replay) -> list[object]:
    """Frames as the stream has them: in JSON."""
    return [json.loads(json.dumps(frame_of(moment))) for moment in Projector(replay, Perspective()).moments()]


def test_a_match_is_seen_from_its_first_moment_to_its_end(match: Played) -> None:
    with match.stand.listen(match.path) as ear:
        match.tell(0, 3, absent={})
        scene = ear.next("scene")
        match.tell(3)
        frames, first = [ear.next("frame") for _ in range(5)], scene["frame"]["at"]
        expected = {frame["at"]: frame for frame in shown(match.replay)}  # type: ignore[index]
        assert [frame["at"] for frame in frames] == [moment for moment in sorted(expected) if moment > first][:5]
        for frame in frames:
            assert {**frame, "turns": []} == {**expected[frame["at"]], "turns": []}  # type: ignore[dict-item]
    assert scene["names"] == [player.name for player in match.replay.players]


def test_the_end_says_who_won_and_ends_the_stream(match: Played) -> None:
    match.tell(absent={})
    with match.stand.listen(match.path) as ear:
        over = ear.next("over")
        assert over["places"] == match.replay.result.places
        assert over["scores"] == match.replay.result.scores
        assert over["url"] == f"/matches/{match.number}/"
        assert ear.all("frame") == []


def test_the_seed_and_what_is_sealed_never_leave(match: Played) -> None:
    match.tell(absent={})
    with match.stand.listen(match.path) as ear:
        everything = ear.answer.read().decode()
    assert "event: over" in everything
    assert match.replay.seed not in everything
    assert "boardroom" not in " ".join(name.lower() for name in ear.answer.headers)


def test_a_cut_line_goes_on_where_it_was(match: Played) -> None:
    match.tell(0, 8, absent={})
    with match.stand.listen(match.path) as ear:
        ear.next("scene")
        last = [ear.next("frame") for _ in range(3)][-1]["at"]
        name = ear.name
    with match.stand.listen(match.path, Last_Event_ID=name) as ear:
        match.tell(8)
        assert ear.next()["at"] > last  # the first thing there is: a frame, and not a whole scene


def test_whoever_comes_late_gets_one_whole_picture(match: Played) -> None:
    match.tell(0, 9, absent={})
    with match.stand.listen(match.path) as first:
        while first.next("frame")["at"] < 9:
            pass
        with match.stand.listen(match.path) as second:
            frame = second.next("scene")["frame"]
    assert frame["at"] == 9
    assert frame["parts"].keys() == Projector(match.replay, Perspective()).first().changes.keys()


def test_the_delay_of_the_ladder_is_kept(stand: Stand) -> None:
    match = a_match(stand, live_delay=2)
    began = time.monotonic()
    match.tell(0, 3, absent={})
    with stand.listen(match.path) as ear:
        ear.next("scene")
    assert 1.9 < time.monotonic() - began < 8


def test_a_later_attempt_begins_anew_and_an_older_one_is_not_heard(match: Played) -> None:
    match.tell(0, 3, absent={})
    with match.stand.listen(match.path) as ear:
        ear.next("scene")
        match.tell(3, 5, lease=9)  # nobody has such a lease
        Match.objects.filter(pk=match.number).update(lease=2)
        match.tell(0, 2, lease=2, absent={})
        while not (ear.next("scene")["frame"]["at"] < 3 and ear.name.startswith("2-")):
            pass


@pytest.mark.parametrize(
    "word",
    [
        {"from": 0, "answers": [[0, {"t": "nonsense"}, 1.0]], "absent": {}},
        {"from": 0, "answers": [[7, 7, "soon"]], "absent": {}},
        {"from": 0, "answers": ["x"], "absent": {"9": "bored"}},
        {"from": 5, "answers": []},
    ],
)
def test_a_worker_that_tells_nonsense_ends_its_own_show_alone(match: Played, word: dict[str, object]) -> None:
    match.stand.tell(match.number, 1, word)
    with match.stand.listen(match.path) as ear:
        over = ear.next("over")
    assert over["text"]
    assert match.stand.ask("/healthz")[0].status == 200


def test_words_of_no_shape_are_passed_over(match: Played) -> None:
    key = f"boardroom:live:{match.number}"
    for fields in ({"x": "y"}, {"lease": "1", "word": "{"}, {"lease": "1", "word": "[]"}, {"lease": "²", "word": "{}"}):
        match.stand.broker.xadd(key, fields)  # type: ignore[arg-type]
    match.tell(0, 3, absent={})
    with match.stand.listen(match.path) as ear:
        assert ear.next("scene")


@pytest.mark.parametrize("last", ["1-²", "²-1", f"1-{'9' * 5000}", f"{'9' * 5000}-1"])
def test_whatever_a_browser_says_that_it_saw_the_others_watch_on(match: Played, last: str) -> None:
    match.tell(0, 3, absent={})
    with match.stand.listen(match.path) as ear:
        ear.next("scene")
        with match.stand.listen(match.path, Last_Event_ID=last) as odd:
            assert odd.next("scene")
        match.tell(3)
        assert ear.next("over")["places"]


@pytest.mark.parametrize("kind", ["of another kind", "too large"])
def test_a_match_of_which_nothing_can_be_read_ends_alone(match: Played, kind: str) -> None:
    other, key = a_match(match.stand), f"boardroom:live:{match.number}"
    if kind == "too large":
        for _ in range(3):  # the broker takes none that is larger by itself
            match.tell(0, 3, absent={}, padding="x" * (MOST_KEPT // 2 - (1 << 20)))
    else:
        match.stand.broker.set(key, "x")
    with match.stand.listen(match.path) as ear, match.stand.listen(other.path) as neighbour:
        assert ear.next("over")["text"] == FAILED
        other.tell(absent={})
        assert neighbour.next("over")["places"]
    match.stand.broker.delete(key)
    assert [item.item for item in FailingItem.objects.filter(loop="live")] == [f"match {match.number}"]


def test_a_match_that_is_far_ahead_is_caught_up_with_while_others_are_shown(
    match: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_so_far, "CATCHING_UP", 0.0)
    monkeypatch.setattr(replay_so_far, "LEAD", 0)
    shown = replay_so_far.LiveReplay(1, replace(match.replay, answers=[], absent={}), 1, 0, under_way=True)
    shown.receive(replay_so_far.LiveMessage(0, match.replay.answers, {}, over=True))
    rounds = [shown.step() for _ in match.replay.answers]
    assert rounds[:-1] == [None] * (len(rounds) - 1)
    assert shown.at == len(match.replay.answers)


def test_a_match_whose_worker_fell_silent_ends_by_the_ledger(match: Played) -> None:
    match.tell(0, 3, absent={})
    with match.stand.listen(match.path) as ear:
        ear.next("scene")
        order = order_of_set(match.set, list(match.set.matches.all()))
        report = next(report for report in reports(order) if report.match == match.number)
        assert hand_in(to_plain(report)) == "recorded"
        assert ear.next("over")["places"] == match.replay.result.places


def test_what_is_not_public_is_not_streamed(stand: Stand) -> None:
    bots = [a_bot(), a_bot()]
    for bot in bots:
        a_version(bot)
    check = an_upload(a_bot()).check_set
    event = an_event(bots, ROBIN, released=0)
    start_event(event=event, by=a_user("stella", staff=True))
    for hidden in (check, event.sets.first()):
        assert hidden
        claim(match_set=hidden)
        number = hidden.matches.first().pk  # type: ignore[union-attr]
        assert stand.ask(f"/live/matches/{number}/stream")[0].status == 404


@pytest.mark.parametrize("number", ["0", "999999999", "9" * 40, "-1", "%00", "1%2f..", "x"])
def test_a_match_that_is_none_is_not_found(stand: Stand, number: str) -> None:
    assert stand.ask(f"/live/matches/{number}/stream")[0].status == 404


def test_one_address_has_so_many_streams_and_no_more(match: Played) -> None:
    with ExitStack() as open_ones:
        for _ in range(STREAMS):
            assert open_ones.enter_context(match.stand.listen("/live/stream")).answer.status == 200
        assert match.stand.ask("/live/stream")[0].status == 429
    until("room again", lambda: status_of(match.stand, "/live/stream") == 200)


def status_of(stand: Stand, path: str) -> int:
    with stand.listen(path) as ear:
        return ear.answer.status


def test_a_stream_has_the_headers_of_every_page(match: Played) -> None:
    with match.stand.listen("/live/stream") as ear:
        page, _ = match.stand.ask("/live/")
        for name in ("Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "Permissions-Policy"):
            assert ear.answer.headers[name] == page.headers[name]
        assert ear.answer.headers["Cache-Control"] == "no-store"


def test_news_of_a_ladder_is_told_to_those_who_look_at_it(match: Played) -> None:
    assert match.set.ladder
    with match.stand.listen(f"/live/ladders/{match.set.ladder.slug}/stream") as ear:
        ringing, news = Event(), f"ladder {match.set.ladder.slug}"
        with ThreadPoolExecutor(1) as aside:
            aside.submit(ring, match.stand, news, ringing)
            try:
                assert ear.next("changed") == {}
            finally:
                ringing.set()


def ring(stand: Stand, news: str, enough: Event) -> None:
    while not enough.wait(0.3):
        stand.broker.hincrby(CHANGED, news, 1)


def test_a_recorded_match_is_news(match: Played) -> None:
    assert match.set.ladder
    news, broker = f"ladder {match.set.ladder.slug}", match.stand.broker
    for report in reports(order_of_set(match.set, list(match.set.matches.all()))):
        before = int(broker.hget(CHANGED, news) or 0)
        assert hand_in(to_plain(report)) == "recorded"
        assert int(broker.hget(CHANGED, news) or 0) == before + 1


def test_open_streams_do_not_keep_the_server_from_leaving(transactional_db: None) -> None:
    with a_stand() as stand, stand.listen("/live/stream") as ear:
        assert ear.answer.status == 200
        began = time.monotonic()
        stand.process.terminate()
        stand.process.wait(20)
        assert time.monotonic() - began < 6
