"""What organisers announce: on the front page, on a ladder's, and on a space's, whose members are told."""

import pytest

from tests.factories import a_ladder, a_user
from tests.spaces import a_space
from tests.tournaments.features.spaces.test_joining import refusal
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.accounts.api_tokens import make_token
from tournaments.features.moderation.subjects import subject_named
from tournaments.ledger import acts
from tournaments.models import Announcement, Delivery, Notice, Space, User

pytestmark = pytest.mark.django_db
TEXT = "Bring **water**, see [the rules](/docs/) <script>alert(1)</script> ![x](https://evil.example/x.png)"


@pytest.fixture
def space(settings: object) -> Space:
    settings.CAN_MAIL = True  # type: ignore[attr-defined]
    mailed, plain = a_user("mai"), a_user("pia")
    User.objects.filter(pk=mailed.pk).update(email="m@example.org", confirmed_email="m@example.org", mailed=["space"])
    return a_space("club", organiser=a_user("tessa"), members=[mailed, plain])


def key_of(name: str) -> str:
    return f"Token {make_token(user=User.objects.get(username=name), name='t')}"


def test_members_of_a_space_are_told_and_nobody_else_hears_of_it(space: Space) -> None:
    tessa, stranger = User.objects.get(username="tessa"), a_user("stan")
    a_space("other", organiser=a_user("otis"))
    body = {"space": "club", "title": "Finals", "text": TEXT, "reason": "The final."}
    answer = ask("POST", "acts/announce", key_of("tessa"), body)
    assert answer.status_code == 201
    number = answer.json()["act"]["number"]
    notices = Notice.objects.filter(key=f"act {number}")
    assert {notice.user.username for notice in notices} == {"tessa", "mai", "pia"}
    assert {notice.text[:23] for notice in notices} == {"News of Club: Finals: B"}
    assert [delivery.notice.user.username for delivery in Delivery.objects.all()] == ["mai"], "as they want notices"
    page = signed_in(tessa).get("/spaces/club/").content.decode()
    assert "<strong>water</strong>" in page
    assert "&lt;script&gt;alert" in page
    assert [bad for bad in ("<script>alert", 'src="https://evil') if bad in page] == []
    for client in (signed_in(stranger), signed_in(User.objects.get(username="otis"))):
        assert [path for path in ("/", "/audit/", "/spaces/club/") if b"water" in client.get(path).content] == []
    assert refused(ask("GET", "spaces/club/announcements", key_of("otis")))[0] == 404
    [shown] = ask("GET", "spaces/club/announcements", key_of("pia")).json()["results"]
    assert (shown["title"], shown["act"], shown["ladder"]) == ("Finals", number, None)
    announced = Announcement.objects.get()
    assert refusal(subject_named, f"announcement-{announced.pk}", stranger) == "unknown_subject"
    assert subject_named(f"announcement-{announced.pk}", tessa)[1] == announced


def test_it_is_changed_without_another_notice_and_withdrawn(space: Space) -> None:
    act = acts.Announce(text="Finals at nine.", space=space).do(by=User.objects.get(username="tessa"), reason="x")
    a_space("other", organiser=a_user("otis"))
    changed = {"act": act.number, "title": "Finals", "text": "Finals at ten.", "reason": "A typo."}
    for name, code in (("otis", (404, "unknown_act")), ("pia", (403, "not_yours"))):
        assert refused(ask("POST", "acts/change_announcement", key_of(name), changed)) == code
        gone = {"act": act.number, "reason": "x"}
        assert refused(ask("POST", "acts/withdraw_announcement", key_of(name), gone)) == code
    assert ask("POST", "acts/change_announcement", key_of("tessa"), changed).status_code == 201
    assert refused(ask("POST", "acts/change_announcement", key_of("tessa"), changed)) == (409, "nothing_changes")
    assert Notice.objects.count() == 3
    client = signed_in(User.objects.get(username="pia"))
    assert b"Finals at ten." in client.get("/spaces/club/").content
    assert ask("POST", "acts/withdraw_announcement", key_of("tessa"), {"act": act.number, "reason": "Over."})
    assert b"Finals at ten." not in client.get("/spaces/club/").content


def test_bad_words_are_refused_with_what_would_be_right(space: Space) -> None:
    tessa, ladder = User.objects.get(username="tessa"), a_ladder("club-main", space=space)
    assert refusal(acts.Announce(text="x", space=space, title="t" * 81).do, by=tessa, reason="x") == "bad_title"
    assert refusal(acts.Announce(text=" ", space=space).do, by=tessa, reason="x") == "bad_text"
    assert refusal(acts.Announce(text="x", space=space, ladder=ladder).do, by=tessa, reason="x") == "whom"
    assert refusal(acts.Announce(text="x").do, by=tessa, reason="x") == "not_organiser"
    acts.Announce(text="On the ladder.", ladder=ladder).do(by=tessa, reason="x")
    assert Notice.objects.count() == 0
    assert b"On the ladder." in signed_in(tessa).get("/spaces/club/").content
