"""Courses of a learning platform (LTI 1.3): a platform on loopback launches, hands out its list and takes grades."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from django.test import Client
from django.utils.timezone import now
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tests.tournaments.features.courses.test_gradebook import a_class as a_class_with_marks
from tests.tournaments.features.sign_on.test_openid import loaded, user_of
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tests.tournaments.web.pages.mock_provider import CLIENT, MockProvider, Wrong, key_of
from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.models import CourseLink, Identity, Space, SpaceMember, User

services = pytest.importorskip(
    "tournaments.features.sign_on.course_services", reason="needs the extra lti: tournaments/features/sign_on/lti.lock"
)
pytestmark = pytest.mark.django_db
__all__ = ["loaded"]
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
SCORE = "application/vnd.ims.lis.v1.score+json"


@dataclass
class Platform(MockProvider):
    """Its people by subject; what it got."""

    pages: list[list[dict[str, str]]] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    full: set[str] = field(default_factory=set)  # subjects whose grades it does not take

    def content(self, path: str, sent: dict[str, str]) -> bytes:
        if path.startswith("/members/"):
            return json.dumps({"members": self.pages[int(path.rpartition("/")[2])]}).encode()
        return super().content(path, sent)

    def exchange(self, sent: dict[str, str]) -> dict[str, object]:
        """A token for what we sign, with the key that we publish under its name."""
        (key,) = Client().get("/sign-on/moodle/keys/").json()["keys"]
        assert jwt.get_unverified_header(sent["client_assertion"])["kid"] == key["kid"]
        claims = jwt.decode(sent["client_assertion"], jwt.PyJWK(key), ["RS256"], audience=f"{self.issuer}/token")
        if claims["iss"] != CLIENT:
            raise Wrong("invalid_client")
        return {"access_token": f"for {sent['scope']}"}

    def answer(self, http: Any) -> None:
        path = urlsplit(http.path).path
        onward = path.startswith("/members/") and int(path[-1]) + 1 < len(self.pages)
        if path == "/column/scores":
            self.take(http)
        elif onward:
            body = self.content(path, {})
            http.send_response(200)
            http.send_header("Link", f'<{self.issuer}/members/NextAt/{int(path[-1]) + 1}>; rel="next"')
            http.send_header("Content-Length", str(len(body)))
            http.end_headers()
            http.wfile.write(body)
        else:
            super().answer(http)

    def take(self, http: Any) -> None:
        score = json.loads(http.rfile.read(int(http.headers["Content-Length"])))
        is_right = http.headers["Authorization"].endswith("/scope/score") and http.headers["Content-Type"] == SCORE
        taken = is_right and score["userId"] not in self.full
        if taken:
            self.scores.append(score)
        http.send_response(204 if taken else 422)
        http.send_header("Content-Length", "0")
        http.end_headers()


@pytest.fixture
def moodle(settings: Settings) -> Iterator[Platform]:
    private = key_of("ours").private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with Platform() as platform:
        address = platform.issuer
        provider = Provider(
            "moodle", "Moodle", address, "lti", CLIENT, deployments=("7",), private_key=private.decode()
        )
        where = {"sign_on_url": f"{address}/auth", "token_url": f"{address}/token", "keys_url": f"{address}/keys"}
        settings.SIGN_ON = {"moodle": Provider(**{n: getattr(provider, n) for n in Provider.__slots__} | where)}
        settings.SITE_URL = "http://testserver"
        yield platform


def claims(platform: Platform, subject: str = "s1", role: str = "Learner") -> dict[str, Any]:
    return {
        "sub": subject,
        "given_name": "Nina",
        f"{CLAIM}version": "1.3.0",
        f"{CLAIM}message_type": "LtiResourceLinkRequest",
        f"{CLAIM}deployment_id": "7",
        f"{CLAIM}roles": [f"{ROLE}{role}"],
        f"{CLAIM}context": {"id": "c1", "title": "Game theory"},
        f"{CLAIM}resource_link": {"id": "l1", "title": "Zaibatsu"},
        "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
            "context_memberships_url": f"{platform.issuer}/members/0"
        },
        "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {"lineitem": f"{platform.issuer}/column"},
    }


def begun(client: Client, platform: Platform, **more: str) -> dict[str, str]:
    """The platform begins by a form of its own, and is asked."""
    sent = {"iss": platform.issuer, "login_hint": "h", "client_id": CLIENT, **more}
    onward = Client(enforce_csrf_checks=True).post("/sign-on/moodle/launch/", sent)["Location"]
    to = client.get(onward)["Location"]
    assert to.startswith(f"{platform.issuer}/auth?")
    return dict(parse_qsl(urlsplit(to).query))


def posted(asked: dict[str, str], platform: Platform, person: dict[str, Any]) -> Any:
    """Post as the platform's page does: without any cookie of ours."""
    platform.person = person
    form = {"state": asked["state"], "id_token": platform.id_token(asked["nonce"])}
    return Client(enforce_csrf_checks=True).post("/sign-on/moodle/assertion/", form)


def launches(client: Client, platform: Platform, person: dict[str, Any] | None = None) -> Html:
    answer = posted(begun(client, platform), platform, person or claims(platform))
    assert answer.status_code == 302, Html(answer.content.decode()).text
    page = Html(client.get(answer["Location"], follow=True).content.decode())
    assert page.faults() == []
    return page


def a_class() -> Space:
    return Space.objects.create(slug="class", title="The class")


def linked_user(name: str, subject: str) -> User:
    user = a_user(name)
    Identity.objects.create(user=user, provider="moodle", subject=subject)
    return user


def bound(platform: Platform) -> tuple[CourseLink, Client]:
    """A course that its teacher bound, who organises the space."""
    teacher, client = linked_user("tina", "t1"), Client()
    SpaceMember.objects.create(space=a_class(), user=teacher, role=SpaceMember.Role.ORGANISER)
    person = claims(platform, "t1", "Instructor")
    assert "The class" in launches(client, platform, person).text
    address = client.get(posted(begun(client, platform), platform, person)["Location"])["Location"]
    client.post(address, {"space": "class"})
    return CourseLink.objects.get(), client


def test_who_comes_from_a_course_joins_the_space_that_its_teacher_bound(moodle: Platform) -> None:
    early = Client()
    assert "Your name here" in launches(early, moodle).text
    early.post("/sign-on/name/", {"username": "nina"})
    assert "no space here yet" in launches(early, moodle).text
    link, _ = bound(moodle)
    assert (str(link.space), link.title) == ("The class", "Game theory")
    assert "You are in The class" in launches(early, moodle).text
    late = Client()
    launches(late, moodle, claims(moodle, "s2"))
    page = late.post("/sign-on/name/", {"username": "noa"}, follow=True)
    assert "You are in The class" in page.content.decode()
    assert {str(member.user) for member in SpaceMember.objects.filter(role="member")} == {"nina", "noa"}


def test_who_has_an_account_already_links_it_by_their_password(moodle: Platform) -> None:
    olga, client = a_user("olga"), Client()
    launches(client, moodle)
    client.post("/sign-in/", {"username": "olga", "password": "the password of olga"})
    assert client.get("/sign-on/name/")["Location"] == "/account/link/"
    client.post("/account/link/", {"password": "a guess"})
    assert not olga.identities.exists()
    client.post("/account/link/", {"password": "the password of olga"})
    assert olga.identities.get().subject == "s1"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another deployment": ({f"{CLAIM}deployment_id": "8"}, "wrong_deployment"),
    "no deployment": ({f"{CLAIM}deployment_id": None}, "wrong_deployment"),
    "another issuer": ({"iss": "https://evil.example"}, "bad_identity"),
    "another tool": ({"aud": "another"}, "bad_identity"),
    "another nonce": ({"nonce": "x"}, "bad_identity"),
    "too late": ({"exp": 1_600_000_000}, "bad_identity"),
    "nobody": ({"sub": None}, "bad_identity"),
    "deep linking": ({f"{CLAIM}message_type": "LtiDeepLinkingRequest"}, "bad_launch"),
    "another version": ({f"{CLAIM}version": "1.1"}, "bad_launch"),
}


@pytest.mark.parametrize(("wrong", "code"), WRONG.values(), ids=list(WRONG))
def test_a_wrong_launch_opens_nothing(moodle: Platform, wrong: dict[str, Any], code: str) -> None:
    linked_user("nina", "s1")
    client = Client()
    answer = posted(begun(client, moodle), moodle, {**claims(moodle), **wrong})
    assert (answer.status_code, code in answer.content.decode(), user_of(client)) == (403, True, None)


def test_a_launch_counts_once_in_the_browser_that_was_asked_and_needs_the_platforms_key(moodle: Platform) -> None:
    linked_user("nina", "s1")
    client = Client()
    asked = begun(client, moodle)
    moodle.signed_by = "a stranger"
    assert posted(asked, moodle, claims(moodle)).status_code == 403
    moodle.signed_by = "its own"
    onward = posted(asked, moodle, claims(moodle))["Location"]
    assert Client().get(onward).status_code == 403
    assert (client.get(onward).status_code, user_of(client)) == (302, "nina")
    client.logout()
    for path in (onward, posted(asked, moodle, claims(moodle))["Location"]):  # the same nonce once more
        assert "sign_on_expired" in client.get(path).content.decode()
    for sent in ({"iss": "https://evil.example"}, {"client_id": "x"}, {}):
        form = {"iss": moodle.issuer, **sent} if sent else {}
        answer = client.get("/sign-on/moodle/", form)
        assert (answer.status_code, "bad_launch" in answer.content.decode()) == (403, True)


def test_students_and_teachers_without_the_space_bind_nothing(moodle: Platform) -> None:
    link, _ = bound(moodle)
    other = Space.objects.create(slug="other", title="Other")
    thief, client = linked_user("thea", "s9"), Client()
    SpaceMember.objects.create(space=other, user=thief, role=SpaceMember.Role.ORGANISER)
    for role in ("Learner", "Instructor"):
        address = client.get(posted(begun(client, moodle), moodle, claims(moodle, "s9", role))["Location"])["Location"]
        for slug in ("other", "class", "no such"):
            client.post(address, {"space": slug})
            link.refresh_from_db()
            assert str(link.space) == "The class"
    stranger = Client()
    stranger.force_login(a_user("otto"))
    assert "other_account" in stranger.get(address).content.decode()  # the address that somebody else was given
    assert stranger.get("/sign-on/course/?said=x").status_code == 403


def test_a_closed_space_is_joined_by_nobody(moodle: Platform) -> None:
    bound(moodle)
    Space.objects.update(closed_at=now())
    linked_user("nina", "s1")
    assert "no space here yet" in launches(Client(), moodle).text
    assert SpaceMember.objects.filter(role="member").count() == 0


def test_the_list_of_the_course_is_taken_page_by_page(moodle: Platform) -> None:
    link, client = bound(moodle)
    nina, noa = linked_user("nina", "s1"), linked_user("noa", "s2")
    linked_user("gone", "s3")
    moodle.pages = [
        [{"user_id": "s1"}, {"user_id": "s8"}],
        [{"user_id": "s2"}, {"user_id": "s3", "status": "Inactive"}],
    ]
    assert services.take_roster(link) == (2, 3)
    assert SpaceMember.objects.filter(user__in=[nina, noa]).count() == 2
    address = client.get(posted(begun(client, moodle), moodle, claims(moodle, "t1", "Instructor"))["Location"])[
        "Location"
    ]
    assert "2 of 3 people" in client.post(address, {"do": "roster"}, follow=True).content.decode()
    moodle.statuses["/members/0"], moodle.pages = 500, [[]]
    with pytest.raises(Refused, match="did not hand out"):
        services.take_roster(link)


def test_grades_arrive_and_one_that_does_not_stops_no_other(moodle: Platform) -> None:
    link, _ = bound(moodle)
    nina, noa, olga = linked_user("nina", "s1"), linked_user("noa", "s2"), a_user("olga")
    moodle.full = {"s1"}
    sent = services.send_grades(link, {nina: 50, olga: 70, noa: 87.5})
    assert (sent.grades, set(sent.refused)) == (1, {nina, olga})
    (score,) = moodle.scores
    assert (score["userId"], score["scoreGiven"], score["scoreMaximum"]) == ("s2", 87.5, 100)
    assert score["gradingProgress"] == "FullyGraded"
    assert time.strptime(score["timestamp"][:19], "%Y-%m-%dT%H:%M:%S")
    CourseLink.objects.update(grades="")
    link.refresh_from_db()
    with pytest.raises(Refused, match="no column"):
        services.send_grades(link, {noa: 1})


def test_an_organiser_sends_the_marks_of_the_gradebook(moodle: Platform) -> None:
    ladder, olga, ada, _ = a_class_with_marks()
    Identity.objects.create(user=ada, provider="moodle", subject="s1")
    link = CourseLink.objects.create(provider="moodle", title="Games", space=ladder.space)
    path = f"/ladders/{ladder.slug}/gradebook/"
    assert "Send the marks to" not in signed_in(olga).get(path).content.decode()
    CourseLink.objects.update(grades=f"{moodle.issuer}/column")
    assert "Send the marks to" in signed_in(olga).get(path).content.decode()
    assert signed_in(ada).post(f"{path}send/", {"link": link.pk}).status_code == 404
    for chosen in ("", "x", "999999", "²"):
        page = signed_in(olga).post(f"{path}send/", {"link": chosen}, follow=True).content.decode()
        assert "No course of a learning platform" in page
    page = signed_in(olga).post(f"{path}send/", {"link": link.pk}, follow=True).content.decode()
    assert "1 of " in page
    assert "never came here by Moodle" in page
    (score,) = moodle.scores
    assert (score["userId"], score["scoreGiven"] > 0, score["scoreMaximum"]) == ("s1", True, 30)
