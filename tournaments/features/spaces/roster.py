"""Adding people to a space with a roster: a preview line by line, then the same for real; it can be repeated.

It knows people by the address under which a roster brought them, or by one that they have confirmed: an address that
somebody merely typed into their account makes nobody the person whom a teacher means. Accounts elsewhere on the site
are neither found nor told of: whoever has one joins with it by a code.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from secrets import SystemRandom, choice
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_noop

from engine.sentences import Sentence
from tournaments.audit.log import append
from tournaments.core.accounts.admission import check_blind, check_room
from tournaments.core.accounts.invitations import invitation_token, waits
from tournaments.core.accounts.names import LONGEST_PERSON, alike, check_person_name, normalized_name
from tournaments.core.accounts.pseudonyms import drawn_name
from tournaments.core.accounts.spaces import check_runs_space
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.core.notices.letters import count_letters
from tournaments.features.spaces.address_lists import is_address
from tournaments.features.spaces.members import check_accounts, lock_space
from tournaments.features.spaces.roster_text import ABOVE, LONGER, Line, roster_lines
from tournaments.models import Delivery, Notice, Space, SpaceMember, User

NEW, BACK, MEMBER, WRONG, DOUBLE, TAKEN = "new", "back", "member", "wrong_address", "double", "name_taken"
BAD_NAME, NOT_READ = "bad_name", "not_read"
IN = "in"  # any of the first three, where it is not told which
ROSTER = "roster"  # a kind of entry in the log
DIGITS = "0123456789"
ACCOUNTS = declare(
    Budget(
        "accounts that rosters make",
        resource="Actions and notices",
        most=2000,
        unit="accounts",
        holder="person",
        where="tournaments.features.spaces.roster.bring_in",
        sentence=Sentence("the rosters of one person make at most %(most)s accounts a day; go on tomorrow"),
        seconds=86_400,
        setting="ROSTER_ACCOUNTS_A_DAY",
    )
)
SAYS: Final = {
    NEW: gettext_noop("A new account"),
    BACK: gettext_noop("Was here before, and is a member again"),
    MEMBER: gettext_noop("Is a member already"),
    IN: gettext_noop("Is a member, or becomes one"),
    WRONG: gettext_noop("This is not an e-mail address"),
    DOUBLE: gettext_noop("Stands further up already"),
    TAKEN: gettext_noop("This account name is not available: choose another, or none"),
    BAD_NAME: Sentence(
        "An account’s name has 1 to %(most)s letters of one script, digits and _ . -; a letter or digit is first. "
        "Choose another, or none",
        most=LONGEST_PERSON,
    ),
    NOT_READ: ABOVE,
}


@dataclass(slots=True)
class Planned:
    """What becomes of one line."""

    line: Line
    what: str
    user: User | None = None

    @property
    def is_wrong(self) -> bool:
        return self.what in (WRONG, DOUBLE, TAKEN, BAD_NAME, NOT_READ)

    @property
    def says(self) -> str:
        return self.line.problem or SAYS[self.what]


def plan(*, space: Space, text: str, by: User) -> list[Planned]:
    """Return what `bring_in` would do. Raises Refused: not_organiser, and as `roster_lines` does."""
    check_runs_space(by, space.pk)
    lines = roster_lines(text)
    people, seen, planned = _known(space), set[str](), []
    for line in lines:
        account = "" if space.pseudonyms else normalized_name(line.username)
        planned.append(_plan(replace(line, username=account), people, seen))
        seen.add(line.address)
    return planned


@transaction.atomic
def bring_in(*, space: Space, text: str, by: User) -> list[Planned]:
    """Bring in all whom it can. Raises Refused: as `plan`, and space_closed, space_full, too_many_accounts,
    over_budget, no_mail."""
    blind = lock_space(space).blind
    if blind:
        check_blind(drawn=True)
    planned = plan(space=space, text=text, by=by)
    fresh = _in_any_order(space, [row for row in planned if row.what == NEW])
    check_room(space, sum(row.what in (NEW, BACK) for row in planned))
    check_accounts(space, len(fresh))
    if fresh:
        spend_budget(ACCOUNTS, by.pk, len(fresh))
    for row in fresh:
        _make_account(space, row)
    _update_known(space, planned)
    joining = _in_any_order(space, [row for row in planned if row.what in (NEW, BACK) and row.user])
    SpaceMember.objects.bulk_create(
        SpaceMember(space=space, user=row.user, identity=row.line.identity, address=row.line.address) for row in joining
    )
    space.requests.filter(user__in=[row.user for row in joining]).delete()
    if blind and joining:  # whoever brings in one person alone sees which account is new: all can see that they did
        append(kind=ROSTER, by=by, subject=f"space {space.slug}", detail={"accounts": len(joining)}, space=space.pk)
    return planned


def _in_any_order(space: Space, planned: list[Planned]) -> list[Planned]:
    """Shuffle the lines where names are drawn: numbers that follow a roster's order would tell who is who."""
    if space.pseudonyms:
        SystemRandom().shuffle(planned)
    return planned


def uninvited(planned: Sequence[Planned]) -> list[Planned]:
    """Return those whose account nobody has come into yet, and that were made by a roster of this space."""
    return [row for row in planned if row.what in (NEW, BACK, MEMBER) and row.user and waits(row.user)]


def _plan(line: Line, people: dict[str, tuple[User, bool]], seen: set[str]) -> Planned:
    if line.problem in (ABOVE, LONGER):
        return Planned(line, NOT_READ)
    if line.problem or not is_address(line.address):
        return Planned(line, WRONG)
    if line.address in seen:
        return Planned(line, DOUBLE)
    if line.address in people:
        user, is_member = people[line.address]
        return Planned(line, MEMBER if is_member else BACK, user)
    name = line.username
    refusal = BAD_NAME if name and not _is_well_formed(name) else TAKEN if name and not _is_free(name) else ""
    return Planned(line, refusal or NEW)


def _known(space: Space) -> dict[str, tuple[User, bool]]:
    """Return by address who is a member, and who was one whose account is the space's own."""
    accounts = User.objects.filter(home=space, is_active=True).annotate(low=Lower("email"))
    people: dict[str, tuple[User, bool]] = {}
    for user in accounts:
        if waits(user) or user.confirmed_email.lower() == user.low:
            people[user.low] = (user, False)
    for place in space.members.select_related("user"):
        confirmed = place.user.confirmed_email.lower()
        own_address = confirmed if confirmed == place.user.email.lower() else ""
        people |= {address: (place.user, True) for address in (own_address, place.address) if address}
    return people


def _is_well_formed(name: str) -> bool:
    try:
        check_person_name(name)
    except Refused:
        return False
    return True


def _is_free(name: str) -> bool:
    return alike(User.objects.all(), "username", name) is None


def _make_account(space: Space, row: Planned) -> None:
    """Make an account. Two lines of one roster may want the same name, and so may somebody who signs up meanwhile.
    Where names are drawn, what the roster wants is not asked."""
    name = drawn_name() if space.pseudonyms else row.line.username or _free_name(row.line.address)
    user = User(username=name, email=row.line.address, home=space)
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        row.what = TAKEN
    else:
        row.user = user


def _free_name(address: str) -> str:
    """Return a free name made of what stands before the @."""
    base = re.sub(r"[^a-z0-9_.-]|^[^a-z0-9]+", "", address.partition("@")[0])[: LONGEST_PERSON - 5] or "member"
    numbered = (f"{base}{number}" for number in range(2, 6))
    drawn = (f"{base}-{''.join(choice(DIGITS) for _ in range(4))}" for _ in range(50))
    return next(name for name in (base, *numbered, *drawn) if _is_free(name))


def _update_known(space: Space, planned: Sequence[Planned]) -> None:
    """Write what a later roster says otherwise of members. Who is left without a name there keeps theirs."""
    named = {row.user.pk: row.line for row in planned if row.what == MEMBER and row.user}
    changed = list(space.members.filter(user__in=named))
    for place in changed:
        line = named[place.user_id]
        place.identity, place.address = line.identity or place.identity, line.address
    SpaceMember.objects.bulk_update(changed, ["identity", "address"])


def place_as_shown(place: SpaceMember) -> SpaceMember:
    """Return the place to be shown, not to be saved: where names are hidden, who is who is in no answer."""
    if place.space.blind:
        place.identity, place.address = "", ""
        place.since = None  # type: ignore[assignment]  # whoever came alone would be known by it
    return place


def lines_as_shown(space: Space, planned: Sequence[Planned]) -> list[Planned]:
    """Return the lines of a roster. Who is there and who comes would tell by and by whose account is whose."""
    if not space.blind:
        return list(planned)
    return [replace(row, what=IN, user=None) if row.what in (NEW, BACK, MEMBER) else row for row in planned]


def link_for(user: User) -> str:
    """Return the link by which whoever has it chooses the account's password."""
    return f"{settings.SITE_URL}{reverse('invited', args=[invitation_token(user, mailed=False)])}"


@transaction.atomic
def bring_in_and_mail(*, space: Space, text: str, by: User) -> tuple[list[Planned], int]:
    """Return what became of each line, and how many letters are on their way: all of it happens, or nothing. Raises
    Refused: as `bring_in`, and over_budget."""
    planned = bring_in(space=space, text=text, by=by)
    return planned, mail_invitations(space, planned, by)


def mail_invitations(space: Space, planned: Iterable[Planned], by: User) -> int:
    """Send a letter to each who was not sent one, where the site sends mail; whoever got too many today gets it by the
    next roster. Where organisers hand out no links, since names are hidden from them, one a day. Returns how many."""
    if not settings.CAN_MAIL:
        return 0
    key = f"invited {space.pk}{timezone.now():, %Y-%m-%d}" if space.blind else f"invited {space.pk}"
    waiting = {row.user.pk: row.user for row in uninvited(list(planned)) if row.user}
    invited = Notice.objects.filter(user__in=waiting, key=key).values_list("user", flat=True)
    path = reverse("space", args=[space.slug])
    text = Sentence("An account was made for you in %(space)s.", space=space)
    detail = {"space": space.slug, "invited": True}
    notices = [
        Notice(user=user, kind=Notice.Kind.SPACE, key=key, text=text, path=path, detail=detail)
        for user in count_letters([waiting[number] for number in waiting.keys() - set(invited)], by)
    ]
    now = timezone.now()
    Notice.objects.bulk_create(notices)
    Delivery.objects.bulk_create(Delivery(notice=notice, next_at=now) for notice in notices)
    return len(notices)
