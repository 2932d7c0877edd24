"""Requests to a learning platform: the members of a course, and sending their grades. Needs the extra `lti`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from django.conf import settings
from django.utils import timezone
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.exception import LtiException
from pylti1p3.grade import Grade
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.registration import Registration
from pylti1p3.service_connector import ServiceConnector
from requests.exceptions import RequestException
from requests.utils import parse_header_links

from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.features.sign_on.fetching import Session, asking
from tournaments.features.sign_on.lti_courses import join_course_space
from tournaments.models import CourseLink, Identity, Space, User

SCORES = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
PAGES = 50  # of a roster, at most
LASTS = 30  # seconds, after which no further grade is sent: a thread of the web server waits


@dataclass
class Sent:
    """How many grades were taken, and whose were not, with the reason."""

    grades: int = 0
    refused: dict[User, str] = field(default_factory=dict)


def platform_of(link: CourseLink) -> Provider:
    """Raises Refused: unknown_platform."""
    found: Provider | None = settings.SIGN_ON.get(link.provider)
    if found is None or found.kind != "lti":
        raise Refused(
            "unknown_platform",
            "%(provider)s is not a learning platform that this site knows",
            provider=link.provider,
        )
    return found


def connector(platform: Provider) -> ServiceConnector:
    known = Registration().set_issuer(platform.issuer).set_client_id(platform.client_id)
    known.set_auth_token_url(platform.token_url).set_tool_private_key(platform.private_key)
    known.set_tool_public_key(public_half(platform))  # whose name stands in what is signed
    return ServiceConnector(known, requests_session=Session())


def public_half(platform: Provider) -> str:
    key = load_pem_private_key(platform.private_key.encode(), None).public_key()
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def own_key(platform: Provider) -> dict[str, Any]:
    """Return the public key by which the platform knows that it is us who ask (JWK)."""
    return dict(Registration.get_jwk(public_half(platform)))


def send_grades(link: CourseLink, grades: Mapping[User, float], most: float = 100) -> Sent:
    """Send each grade apart: one that is not taken stops none of the others. `most`: the highest there is.
    Raises Refused: no_gradebook, unknown_platform, try_later."""
    platform, sent = platform_of(link), Sent()
    if not link.grades:
        raise Refused(
            "no_gradebook",
            "%(title)s named no column of its gradebook when the course was opened",
            title=platform.title,
        )
    subjects = dict(Identity.objects.filter(provider=link.provider).values_list("user", "subject"))
    service = AssignmentsGradesService(connector(platform), {"scope": [SCORES], "lineitem": link.grades})
    end = monotonic() + LASTS
    with asking(platform.title):
        for user, grade in grades.items():
            if user.pk not in subjects:
                sent.refused[user] = f"{user} never came here by {platform.title}"
            elif monotonic() > end:
                sent.refused[user] = f"{platform.title} is too slow; send them once more"
            elif reason := not_taken(service, subjects[user.pk], grade, most):
                sent.refused[user] = reason
            else:
                sent.grades += 1
    return sent


def not_taken(service: AssignmentsGradesService, subject: str, score: float, most: float) -> str:
    """Why the platform did not take a grade; empty if it did."""
    grade = Grade().set_user_id(subject).set_timestamp(timezone.now().isoformat())
    grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")
    try:
        service.put_grade(grade.set_score_given(score).set_score_maximum(most))
    except (LtiException, RequestException, ValueError, KeyError, TypeError) as error:
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def take_roster(link: CourseLink) -> tuple[int, int]:
    """Members of the course who have an account here join its space. Returns how many, of how many active members.

    Raises Refused: no_roster, unknown_platform, try_later, provider_late, provider_failed."""
    platform = platform_of(link)
    if not link.roster or link.space is None:
        raise Refused("no_roster", "%(title)s did not say where the list of the course is", title=platform.title)
    service = NamesRolesProvisioningService(connector(platform), {"context_memberships_url": link.roster})
    try:
        with asking(platform.title):
            subjects = {str(each["user_id"]) for each in members_of_course(service, link.roster) if is_active(each)}
    except LtiException as error:
        raise Refused(
            "provider_failed", "%(title)s did not hand out the list of the course", title=platform.title
        ) from error
    known = Identity.objects.filter(provider=link.provider, subject__in=subjects, user__is_active=True)
    return sum(is_in(link.space, identity.user) for identity in known.select_related("user")), len(subjects)


def is_in(space: Space, user: User) -> bool:
    """Let the person join the space, and return whether they are in it; a space that refuses one stops no other."""
    try:
        join_course_space(space, user)
    except Refused:
        return False
    return True


def is_active(member: Mapping[str, Any]) -> bool:
    return bool(member.get("status", "Active") == "Active")


def members_of_course(service: NamesRolesProvisioningService, address: str) -> Iterator[Mapping[str, Any]]:
    """Page by page. The library's own way puts the next address in small letters."""
    for _ in range(PAGES):
        answer = service.get_nrps_data(address)
        yield from answer["body"]["members"]
        header = next((value for name, value in answer["headers"].items() if name.lower() == "link"), "")
        onward = [each["url"] for each in parse_header_links(header) if each.get("rel") == "next"]
        if not onward:
            return
        address = onward[0]
