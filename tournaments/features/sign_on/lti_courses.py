"""Courses of learning platforms: a person who comes from one joins the space that its teacher linked to it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.core import signing

from tournaments.core.accounts.admission import check_drawn, check_room
from tournaments.core.accounts.spaces import runs
from tournaments.core.config.plain_text import clean_text, one_line
from tournaments.core.errors import Refused
from tournaments.features.sign_on.purposes import EXPIRED
from tournaments.models import CourseLink, Space, SpaceMember, User

SALT, LASTS = "course", 1800  # seconds, in which somebody new chooses a name
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ROSTER = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
TEACHER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
LONGEST, LONGEST_ADDRESS = 255, 600


@dataclass(frozen=True, slots=True)
class Launch:
    """What a launch says of where it was, and as whom."""

    provider: str
    subject: str
    context: str
    place: str
    title: str
    teaches: bool
    roster: str
    grades: str


def claimed_course(claims: Mapping[str, Any]) -> dict[str, Any]:
    context, place = (claimed_part(claims, f"{CLAIM}{name}") for name in ("context", "resource_link"))
    roles = claims.get(f"{CLAIM}roles")
    return {
        "context": claimed_text(context, "id"),
        "place": claimed_text(place, "id"),
        "title": claimed_title(context) or claimed_title(place),
        "teaches": isinstance(roles, list) and TEACHER in roles,
        "roster": claimed_text(claimed_part(claims, ROSTER), "context_memberships_url", LONGEST_ADDRESS),
        "grades": claimed_text(claimed_part(claims, GRADES), "lineitem", LONGEST_ADDRESS),
    }


def claimed_part(claims: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = claims.get(name)
    return found if isinstance(found, Mapping) else {}


def claimed_text(found: Mapping[str, Any], name: str, longest: int = LONGEST) -> str:
    """Return the text as it is, or nothing: an id or address that was cleaned would be another's."""
    value = found.get(name)
    return value if isinstance(value, str) and value == clean_text(value) and len(value) <= longest else ""


def claimed_title(found: Mapping[str, Any]) -> str:
    value = found.get("title")
    return one_line(value)[:LONGEST] if isinstance(value, str) else ""


def sealed_launch(course: Launch) -> str:
    return signing.dumps(asdict(course), salt=SALT, compress=True)


def arrived(user: User, said: str) -> tuple[CourseLink, Launch]:
    """Return the link of the course, and the launch; the person joins the link's space, if it has one.
    Raises Refused: sign_on_expired, other_account."""
    try:
        course = Launch(**signing.loads(said, salt=SALT, max_age=LASTS))
    except signing.BadSignature:
        raise Refused("sign_on_expired", EXPIRED) from None
    if not user.identities.filter(provider=course.provider, subject=course.subject).exists():
        raise Refused("other_account", "it was somebody else who opened the course; open it once more")
    where = {name: getattr(course, name) for name in ("provider", "context", "place")}
    latest = {name: getattr(course, name) for name in ("title", "roster", "grades")}
    link, _ = CourseLink.objects.update_or_create(**where, defaults=latest)
    if link.space and link.space.closed_at:
        link.space = None  # another may be bound in its place
    if link.space:
        join_course_space(link.space, user)
    return link, course


def join_course_space(space: Space, user: User) -> None:
    """Raises Refused: space_full, drawn_names."""
    if space.members.filter(user=user).exists():
        return
    check_drawn(space, user)
    check_room(space)
    SpaceMember.objects.get_or_create(space=space, user=user)


def bind_course(*, link: CourseLink, course: Launch, space: Space, by: User) -> None:
    """Bind the course: who comes by it joins the space from now on. Raises Refused: not_teacher, not_organiser."""
    if not course.teaches:
        raise Refused("not_teacher", "a teacher of the course does that, by opening it there")
    if space.closed_at or not runs(by, space.pk) or (link.space_id and not runs(by, link.space_id)):
        raise Refused("not_organiser", "only organisers of the space may do that")
    CourseLink.objects.filter(pk=link.pk).update(space=space)
