"""When versions are examined, by whom, and what their owners are told until the card is there."""

from datetime import timedelta

import pytest
from django.db.models import JSONField, Value
from django.db.models.functions import Now
from django.test import Client, TestCase

from engine.referee import Verdict
from tests.factories import a_bot, a_checked, a_user, an_upload, play_set
from tests.spaces import a_space
from tests.tournaments.web.api.asking import Answer, ask, refused
from tournaments.core.accounts.spending import charge
from tournaments.core.broker import queues
from tournaments.core.errors import Refused
from tournaments.features.examinations import reports as examination_reports
from tournaments.features.examinations import rules as examinations
from tournaments.features.examinations.requests import examine_again
from tournaments.features.examinations.rules import EXAMINATION_MS, begin_examination
from tournaments.features.moderation.actions import Suspend
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.models import Bundle, Examination, Space, Spending, User, Version, Worker
from tournaments.web.api import throttles
from tournaments.web.pages import rate_limits
from tournaments.web.server.request_rates import Rate
from workers.examination_orders import TURN_KEY, examination_queue
from workers.orders import TAG
from workers.process_heartbeats import WORKERS, OnlineProcess

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("queue")]
CARD: list[dict[str, object]] = [
    {"about": "after_a_fault", "status": "failure", "text": "read the <b>view</b>", "numbers": {}}
]


def online(*workers: str, offers: str = "python") -> None:
    space = workers[0].partition("/")[0].partition("@")[2]
    key = f"space:{space}:{WORKERS}" if space else WORKERS
    queues.broker().zadd(key, {str(OnlineProcess.of(worker, TAG, offers.split(","))): 2**40 for worker in workers})


def go_on() -> int:
    """Continue examinations, with what is sent once it is committed."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        return examinations.continue_examinations()


def uploaded_long_ago() -> None:
    Version.objects.update(created_at=Now() - timedelta(hours=1))


def a_waiting(**fields: object) -> Examination:
    version = a_checked(a_bot())
    uploaded_long_ago()
    Version.objects.filter(pk=version.pk).update(**fields)
    return Examination.objects.get(version=version)


def statuses() -> list[str]:
    return list(Examination.objects.order_by("pk").values_list("status", flat=True))


def sent(queue: str = "") -> int:
    length = queues.broker().llen(queue or examination_queue())
    assert isinstance(length, int)
    return length


def test_a_version_that_passed_its_check_plays_at_once_and_is_examined_afterwards() -> None:
    version = a_checked(a_bot())
    assert version.status == "active"
    online("tester/1")
    assert (go_on(), statuses()) == (0, ["waiting"]), "somebody may still hand in"
    uploaded_long_ago()
    assert (go_on(), statuses(), sent()) == (1, ["asked"], 1)
    assert (go_on(), sent()) == (0, 1), "it is sent once"


def test_a_version_that_failed_its_check_is_not_examined() -> None:
    version = an_upload(a_bot())
    play_set(version.check_set, faults={version.pk: Verdict.ILLEGAL_ANSWER})
    assert not Examination.objects.exists()


def test_while_a_version_is_checked_no_other_is_examined_but_not_for_ever() -> None:
    a_waiting()
    online("tester/1")
    waits = an_upload(a_bot())
    assert go_on() == 0
    Version.objects.filter(pk=waits.pk).update(created_at=Now() - timedelta(seconds=30))
    assert go_on() == 0
    uploaded_long_ago()
    assert go_on() == 1


def late(examination: Examination, minutes: float = 11) -> Examination:
    Examination.objects.filter(pk=examination.pk).update(created_at=Now() - timedelta(minutes=minutes))
    return examination


def somebody_hands_in() -> None:
    Version.objects.update(created_at=Now())


def asked_examinations() -> list[int]:
    return list(Examination.objects.filter(status="asked").values_list("pk", flat=True))


def test_who_hands_in_all_day_holds_up_nobody_for_more_than_ten_minutes() -> None:
    first, second, _ = late(a_waiting(), 12), late(a_waiting()), late(a_waiting(), 9)
    somebody_hands_in()
    online("a/1", "b/1", "c/1", "d/1", "e/1", "f/1")
    assert (go_on(), asked_examinations()) == (1, [first.pk]), "one at a time, who has waited for longest"
    assert go_on() == 0
    examinations.rest_examinations("", 2.0)
    Examination.objects.update(status="waiting")
    assert go_on() == 0, "others have the time"
    assert 57 <= queues.broker().ttl(examinations.RESTS.format("")) <= 60
    queues.broker().delete(examinations.RESTS.format(""))
    Examination.objects.filter(pk=first.pk).update(seconds=4.0)
    assert (go_on(), asked_examinations()) == (1, [second.pk]), "4 seconds at workers count as two minutes"
    Examination.objects.update(status="done")
    somebody_hands_in()
    assert go_on() == 0


def test_whatever_others_ask_for_who_has_waited_for_long_comes_every_other_time() -> None:
    slow, old, new = late(a_waiting(), 12), late(a_waiting()), a_waiting()
    Examination.objects.filter(pk=slow.pk).update(seconds=19.0)  # as if it had waited for 2 minutes
    online("tester/1")
    had: list[int] = []
    while len(had) < 60 and len(set(had)) < 2:
        assert go_on() == 1
        had += asked_examinations()
        Examination.objects.update(status="waiting")
    assert set(had) == {old.pk, new.pk}


@pytest.mark.parametrize("seconds", [60.0, 1e308, -1.0, float("nan"), float("inf")])
def test_whatever_a_worker_says_the_rest_after_its_turn_is_bounded(seconds: float) -> None:
    examinations.rest_examinations("bio1", seconds)
    assert 0 < queues.broker().ttl(examinations.RESTS.format("bio1")) <= 29 * 60
    assert not queues.broker().exists(examinations.RESTS.format(""))


def test_half_of_the_workers_examine_at_most() -> None:
    for _ in range(4):
        a_waiting()
    online("a/1", "b/1", "c/1", "d/1", "e/1")
    assert (go_on(), go_on(), sent()) == (2, 0, 2)


def test_the_newest_come_first_but_a_slow_one_lets_others_pass() -> None:
    old, new = a_waiting(), a_waiting()
    online("tester/1")

    def next_one() -> Examination:
        assert go_on() == 1
        asked = Examination.objects.get(status="asked")
        Examination.objects.update(status="waiting")
        return asked

    assert (next_one(), next_one()) == (new, new)
    Examination.objects.filter(pk=new.pk).update(seconds=examinations.AT_A_STRETCH)
    assert next_one() == old


def test_those_of_who_has_used_up_the_day_wait_for_those_of_others() -> None:
    old, new = a_waiting(), a_waiting()
    online("tester/1")
    charge(EXAMINATION_MS, new.version.bot.owner_id, EXAMINATION_MS.most)
    assert (go_on(), asked_examinations()) == (1, [old.pk])
    Examination.objects.filter(pk=old.pk).update(status="done")
    assert (go_on(), asked_examinations()) == (1, [new.pk])


@pytest.mark.parametrize(
    ("worker", "seconds", "ms"), [("a/1", 1.5, 1500), ("a/1", 1e9, 1000 * examinations.LONG), ("lab@bio1/1", 9.0, 0)]
)
def test_a_turn_is_charged_to_the_bots_owner(worker: str, seconds: float, ms: int) -> None:
    examination = a_waiting()
    examinations.charge_turn(examination, seconds, worker)
    spent = Spending.objects.filter(budget=EXAMINATION_MS.name, holder=str(examination.version.bot.owner_id))
    assert sum(spent.values_list("amount", flat=True)) == ms


def test_what_nobody_can_run_waits_and_holds_up_nobody() -> None:
    a_waiting()
    a_waiting(need="rust")
    online("tester/1")
    assert (go_on(), statuses()) == (1, ["asked", "waiting"])
    online("able/1", offers="python,rust")
    Examination.objects.filter(status="asked").update(status="done")
    assert (go_on(), sent(examination_queue(["rust"]))) == (1, 1)


def test_without_workers_nothing_is_sent() -> None:
    a_waiting()
    assert (go_on(), statuses()) == (0, ["waiting"])


def test_a_newer_version_comes_instead_of_one_that_waits() -> None:
    bot = a_bot()
    first = a_checked(bot)
    second = a_checked(bot)
    assert statuses() == ["failed", "waiting"]
    assert Examination.objects.get(version=first).reason == examinations.SUPERSEDED
    begin_examination(second)
    assert Examination.objects.count() == 2


def test_an_order_that_is_lost_is_sent_again_and_only_what_was_begun_counts_as_a_failure() -> None:
    examination = a_waiting()
    online("tester/1")
    for turn in range(1, 8):
        assert go_on() >= 1
        examination.refresh_from_db()
        assert (examination.status, examination.turn, examination.failures) == ("asked", turn, 0)
        Examination.objects.update(until=Now() - timedelta(seconds=1))
    for failures in (1, 2, 3):
        Examination.objects.update(until=Now() - timedelta(seconds=1), begun=True, status="asked")
        Version.objects.update(created_at=Now())  # nothing new is sent
        assert go_on() == 1
        examination.refresh_from_db()
        assert examination.failures == failures
    assert (examination.status, examination.reason, examination.seen) == ("failed", examinations.UNHEARD, {})


def test_the_broker_forgets_and_what_was_not_begun_is_sent_again() -> None:
    a_waiting()
    online("tester/1")
    assert go_on() == 1
    queues.broker().flushdb()
    online("tester/1")
    assert examinations.resend_examinations() == 1
    assert (go_on(), sent()) == (2, 1)


def of_a_space(space: Space, owner: User) -> Examination:
    version = a_checked(create_bot(owner=owner, game="zaibatsu", name="of the space", space=space))
    uploaded_long_ago()
    return Examination.objects.get(version=version)


def test_bots_of_a_space_go_to_its_own_workers_first_and_to_no_others_where_it_says_so() -> None:
    ann = a_user("ann")
    space = a_space("bio1", organiser=a_user("teacher"), members=[ann])
    examination = of_a_space(space, ann)
    online("tester/1")
    assert (go_on(), sent()) == (1, 1)
    Examination.objects.update(status="waiting")
    Space.objects.update(own_workers_alone=True)
    assert go_on() == 0
    online("lab@bio1/1")
    Examination.objects.update(status="waiting")
    Worker.objects.create(name="lab@bio1", space=space)
    assert (go_on(), sent(examination_queue((), "bio1"))) == (1, 1)
    examination.refresh_from_db()
    assert examination.pool == "bio1"


# --- again -------------------------------------------------------------------------------------------------------


def ended(status: str = "failed", **fields: object) -> Version:
    examination = late(a_waiting(), 60)
    Examination.objects.filter(pk=examination.pk).update(status=status, turn=7, failures=3, **fields)
    return examination.version


def again(version: Version, by: User | None) -> Answer:
    return ask("POST", f"bots/{version.bot_id}/versions/{version.number}/examine", by)


@pytest.mark.parametrize("status", ["failed", "done", None])
def test_a_version_is_examined_again_as_one_that_was_just_uploaded(status: str | None) -> None:
    version = ended(status or "done", findings=CARD, reason="no luck", questions=812)
    before = Examination.objects.get().pk
    if status is None:  # an older release has checked it
        Examination.objects.all().delete()
    shown = again(version, version.bot.owner).json()["examination"]
    assert shown.items() >= {"status": "waiting", "questions": 0, "reason": "", "findings": []}.items()
    examination = Examination.objects.get(version=version)
    assert (examination.turn, examination.failures, examination.pk > before) == (0, 0, True)
    newer = a_waiting()
    online("tester/1")
    assert (go_on(), asked_examinations()) == (1, [newer.pk])


def test_who_was_sent_a_turn_before_is_not_believed_afterwards() -> None:
    version = ended()
    old = Examination.objects.get()
    again(version, version.bot.owner)
    plain = {"examination": old.pk, "turn": 7, "worker": "tester/1", "outcome": "void", "reason": "no luck"}
    plain["secret"] = examinations.examination_secret(old.pk, 7)
    outcome = examination_reports.receive_examination_report(plain)
    assert outcome == f"refused: turn 7 of examination {old.pk} is over"
    assert Examination.objects.get().failures == 0


def test_whoever_asks_a_hundred_times_gets_one_and_is_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (throttles, rate_limits):
        monkeypatch.setattr(module, "EXAMINE", Rate("examine", 2, 86_400))
    version, client = ended(), Client()
    assert again(version, version.bot.owner).status_code == 200
    for _ in range(98):
        with pytest.raises(Refused, match="ask again once its card is there"):
            examine_again(version=version, by=version.bot.owner)
    assert refused(again(version, version.bot.owner)) == (409, "examination_running")
    assert refused(again(version, version.bot.owner)) == (429, "throttled")
    client.force_login(version.bot.owner)
    page = client.post(f"/bots/{version.bot_id}/examine/", {"version": "1"}, follow=True)
    assert "Too many attempts" in page.content.decode()
    assert Examination.objects.count() == 1


def test_while_one_of_its_versions_is_examined_no_other_is() -> None:
    first = ended("done")
    second = a_checked(first.bot)
    assert refused(again(first, first.bot.owner)) == (409, "examination_running")
    assert Examination.objects.get(version=second).status == "waiting"


def test_only_what_has_passed_and_is_kept_is_examined() -> None:
    version = ended()
    waits = an_upload(version.bot)
    assert refused(again(waits, version.bot.owner)) == (409, "not_passed")
    play_set(waits.check_set, faults={waits.pk: Verdict.ILLEGAL_ANSWER})
    assert refused(again(waits, version.bot.owner)) == (409, "not_passed")
    Bundle.objects.update(size=0, content=b"")
    assert refused(again(version, version.bot.owner)) == (409, "erased")
    assert statuses() == ["failed"]


def test_others_have_nothing_examined_and_organisers_what_is_in_their_space() -> None:
    teacher, ann = a_user("teacher"), a_user("ann")
    space, site = a_space("bio1", organiser=teacher, members=[ann]), ended()
    version = of_a_space(space, ann).version
    for person in (ann, teacher, staff := a_user(staff=True)):
        Examination.objects.update(status="done")
        assert again(version, person).status_code == 200
    Examination.objects.update(status="done")
    assert refused(again(site, teacher)) == (403, "not_yours")
    assert refused(again(version, a_user())) == (404, "unknown_version")
    assert refused(again(site, None)) == (401, "not_signed_in")
    Space.objects.update(closed_at=Now())
    assert refused(again(version, ann)) == (404, "unknown_version")
    assert refused(again(version, staff)) == (409, "space_closed")
    assert "/examine/" not in page_of(version, staff)
    assert statuses() == ["done", "done"]


def test_nothing_of_a_suspended_owner_is_examined() -> None:
    version = ended()
    Suspend(version.bot.owner, "You insult.").do(by=a_user(staff=True), reason="Insults.")
    for person in (version.bot.owner, a_user(staff=True)):
        assert refused(again(version, person)) == (403, "account_suspended")


def test_the_page_has_a_button_and_says_what_became_of_it() -> None:
    version = ended()
    owner = version.bot.owner
    assert "</span> again</button>" in page_of(version, owner)
    assert "</span> again</button>" not in page_of(version, a_user())
    client = Client()
    client.force_login(owner)
    address = f"/bots/{version.bot_id}/examine/"
    page = client.post(address, {"version": "1"}, follow=True).content.decode()
    assert "Its card appears here when it is done." in page
    assert "0 of 2000 questions asked so far" in page
    assert "again</button>" not in page
    page = client.post(address, {"version": "1"}, follow=True).content.decode()
    assert "is being examined; ask again once its card is there." in page
    assert client.post(address, {"version": "9"}).status_code == 404
    Examination.objects.all().delete()
    assert "The doctor has no card of version 1." in page_of(version, owner)


# --- what owners see ---------------------------------------------------------------------------------------------


def page_of(version: Version, viewer: User | None) -> str:
    client = Client()
    if viewer:
        client.force_login(viewer)
    return " ".join(client.get(f"/bots/{version.bot_id}/").content.decode().split())


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"questions": 812}, "812 of 2000 questions asked so far"),
        (
            {"failures": 1, "reason": "out of <paper>"},
            "The last try failed: out of &lt;paper&gt;",
        ),
        ({"status": "failed", "reason": "no luck"}, "did not examine version 1: no luck"),
        ({"status": "done", "findings": CARD}, "read the &lt;b&gt;view&lt;/b&gt;"),
    ],
)
def test_owners_and_organisers_see_how_far_it_is_and_nobody_else(state: dict[str, object], words: str) -> None:
    examination = a_waiting()
    Examination.objects.filter(pk=examination.pk).update(**state)
    version = examination.version
    path = f"bots/{version.bot_id}/versions/1"
    for viewer in (version.bot.owner, a_user(staff=True)):
        assert words in page_of(version, viewer)
        shown = ask("GET", path, viewer).json()["examination"]
        assert shown.items() >= {"wanted": 2000, **{k: v for k, v in state.items() if k != "failures"}}.items()
    for other in (a_user(), None):
        assert words not in page_of(version, other)
        assert ask("GET", path, other).json()["examination"] is None


def test_the_page_says_that_nobody_can_run_it() -> None:
    examination = a_waiting(need="rust")
    online("tester/1")
    assert "no worker online can run <code>rust</code>" in page_of(examination.version, examination.version.bot.owner)


def test_the_card_of_the_check_is_there_until_that_of_the_examination_is() -> None:
    examination = a_waiting()
    assert "in its one match against itself" in page_of(examination.version, examination.version.bot.owner)
    Examination.objects.update(status="done", findings=CARD)
    page = page_of(examination.version, examination.version.bot.owner)
    assert "in its one match against itself" not in page
    assert '<th scope="row">after a fault</th>' in page


def test_of_a_card_of_a_newer_release_what_is_known_is_shown() -> None:
    newer: list[dict[str, object]] = [
        {**CARD[0], "weight": 3, "see": ["<b>"]},
        {"about": "heat", "status": "ok", "text": "it stays cool"},
    ]
    version = ended("done", findings=newer)
    page = page_of(version, version.bot.owner)
    assert "read the &lt;b&gt;view&lt;/b&gt;" in page
    assert '<th scope="row">heat</th>' in page
    shown = ask("GET", f"bots/{version.bot_id}/versions/1", version.bot.owner).json()["examination"]
    assert (shown["findings"], shown["readable"]) == ([*CARD, {**newer[1], "numbers": {}}], True)


@pytest.mark.parametrize(
    "findings",
    [
        [{"about": "time", "status": "hint", "text": "slow"}],
        [{"about": "time", "verdict": "ok"}],
        [{"about": ["time"], "status": "ok", "text": {"en": "slow"}}],
        [[1], "text", None],
        {"time": "slow"},
        7,
        None,
    ],
)
def test_a_card_that_cannot_be_read_says_so_and_is_made_again(findings: object) -> None:
    version = ended("done")
    Examination.objects.update(findings=Value(findings, JSONField()))
    owner = version.bot.owner
    page = page_of(version, owner)
    assert "Another release made the card of version 1, and this one cannot read it." in page
    assert "in its one match against itself" in page, "what the check saw is there"
    assert "</span> again</button>" in page
    shown = ask("GET", f"bots/{version.bot_id}/versions/1", owner).json()["examination"]
    assert (shown["findings"], shown["readable"]) == ([], False)
    assert again(version, owner).json()["examination"]["readable"]


def test_a_worker_learns_that_a_newer_version_came() -> None:
    bot = a_bot()
    older, newer = a_checked(bot), a_checked(bot)
    Examination.objects.filter(version=newer).delete()
    begun = Examination.objects.get(version=older)
    Examination.objects.filter(pk=begun.pk).update(status="asked", turn=3)
    with TestCase.captureOnCommitCallbacks(execute=True):
        begin_examination(newer)
    assert queues.broker().get(TURN_KEY.format(begun.pk)) == b"4"
