"""What one person, or all of a space, may make in a day, though each piece is made and thrown away again."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.factories import a_bot, a_ladder, a_user, a_version
from tests.holding import ROBIN, an_event
from tests.spaces import a_space
from tests.tournaments.features.spaces.test_joining import refusal
from tests.tournaments.web.api.asking import ask
from tournaments.audit.log import PLATFORM
from tournaments.core.accounts import quotas
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.accounts.spending import budget_left, spend_budget
from tournaments.core.config.budgets import Budget
from tournaments.core.notices import webhooks
from tournaments.core.notices.create import NOTICES
from tournaments.features.events.draft_actions import DRAFTS, CreateEvent
from tournaments.features.events.entrant_actions import TellEntrants
from tournaments.features.events.registration import register, withdraw_from_event
from tournaments.features.spaces import admission, join_codes, opening, roster
from tournaments.features.spaces.actions import CloseSpace
from tournaments.features.teams import rules as teams
from tournaments.ledger.acts import Announce
from tournaments.ledger.competitors import entry_states
from tournaments.ledger.competitors.uploads import BUILT_MB, upload
from tournaments.ledger.ladders import entries
from tournaments.models import (
    Act,
    Announcement,
    Bot,
    Bundle,
    Event,
    Ladder,
    Notice,
    Space,
    SpaceMember,
    Team,
    User,
    Version,
)

pytestmark = pytest.mark.django_db


def a_course(people: int, *organisers: User) -> Space:
    space = a_space(organiser=organisers[0], members=organisers[1:])
    space.members.update(role=SpaceMember.Role.ORGANISER)
    made = User.objects.bulk_create(User(username=f"{space.slug}-{number}") for number in range(people))
    SpaceMember.objects.bulk_create(SpaceMember(space=space, user=user) for user in made)
    return space


def test_a_course_of_950_hears_ten_announcements_a_day_and_never_sixty() -> None:
    assert 950 * 10 <= NOTICES.most < 950 * 12
    assert NOTICES.most >= 40 * 60, "a class of 40 is told as often as anybody likes"


def test_announcements_to_many_stop_before_anything_is_written() -> None:
    ada, ben = a_user(), a_user()
    space = a_course(198, ada, ben)
    spend_budget(NOTICES, f"space {space.pk}", NOTICES.most - 500)
    for by in (ada, ben):
        Announce(text="News.", space=space).do(by=by, reason="x")
    for by in (ada, ben):
        assert refusal(Announce(text="News.", space=space).do, by=by, reason="x") == "over_budget"
    assert (Notice.objects.count(), Announcement.objects.count(), Act.objects.count()) == (400, 2, 2)
    key = f"Token {make_token(user=ada, name='t')}"
    body = {"space": space.slug, "text": "News.", "reason": "x"}
    answer = ask("POST", "acts/announce", key, body)
    assert (answer.status_code, answer.json()["code"]) == (429, "over_budget")
    assert "at most 10,000 notices a day" in answer.json()["detail"]
    other = a_course(198, ben)
    Announce(text="News.", space=other).do(by=ben, reason="x")
    Announce(text="News.", space=space).do(by=PLATFORM, reason="x")


def test_one_organiser_tells_no_more_people_in_several_spaces_than_in_one() -> None:
    ada = a_user()
    spend_budget(NOTICES, f"person {ada.pk}", NOTICES.most - 500)
    spaces = [a_course(199, ada) for _ in range(3)]
    for space in spaces[:2]:
        Announce(text="News.", space=space).do(by=ada, reason="x")
    assert refusal(Announce(text="News.", space=spaces[2]).do, by=ada, reason="x") == "over_budget"


def test_what_entrants_are_told_counts_for_each_person_once() -> None:
    staff, owner = a_user(staff=True), a_user()
    made = [a_version().bot for _ in range(3)]
    for bot in made[:2]:
        bot.owner = owner
        bot.save()
    event = an_event(made, ROBIN)
    team = Team.objects.create(name="Crew")
    for role in ("captain", "member", "invited"):
        team.memberships.create(user=a_user(), role=role)
    type(made[0]).objects.filter(pk=made[0].pk).update(team=team)
    before = budget_left(NOTICES, f"person {staff.pk}")
    TellEntrants(event, "Room 12b.").do(by=staff, reason="x")
    assert (
        before - budget_left(NOTICES, f"person {staff.pk}")
        == Notice.objects.filter(text__contains="Room 12b").count()
        == 4
    )
    spend_budget(NOTICES, f"person {staff.pk}", NOTICES.most - 4 - 3)
    assert refusal(TellEntrants(event, "Room 13.").do, by=staff, reason="x") == "over_budget"
    assert not Notice.objects.filter(text__contains="Room 13.").exists()


def test_drafts_of_events_are_counted_by_person_and_by_space() -> None:
    ada, ben = a_user(), a_user()
    spaces = [a_course(0, ada, ben) for _ in range(2)]
    ladders = [a_ladder(f"{space.slug}-main", space=space) for space in spaces]

    def draft(number: int, ladder: Any, by: User) -> Act:
        slug = f"{ladder.slug}-e{number}"
        return CreateEvent(slug=slug, title="E", ladder=ladder, format={"t": "swiss"}).do(by=by, reason="")

    spend_budget(DRAFTS, f"space {spaces[0].pk}", DRAFTS.most - 2)
    draft(1, ladders[0], ada)
    draft(2, ladders[0], ben)
    for by in (ada, ben):
        assert refusal(draft, 3, ladders[0], by) == "over_budget"
    spend_budget(DRAFTS, f"person {ada.pk}", DRAFTS.most - 1)
    assert refusal(draft, 4, ladders[1], ada) == "over_budget"
    draft(5, ladders[1], ben)
    assert Event.objects.count() == 3


def test_bots_that_are_built_are_counted_by_owner_before_anything_is_kept() -> None:
    ada, ben = a_user(), a_user()
    first, second, foreign = a_bot(ada), a_bot(ada), a_bot(ben)

    def send(bot: Bot, by: User, data: bytes, filename: str = "bot.cpp") -> str:
        return upload(bot=bot, by=by, data=data, filename=filename).status

    before = budget_left(BUILT_MB, ada.pk)
    send(first, ada, b"int main() { return 1; }")
    assert before - budget_left(BUILT_MB, ada.pk) == 9, "its source, and the largest program that it may become"
    Version.objects.update(status=Version.Status.ACTIVE)
    assert refusal(send, first, ada, b"int main() { return 1; }") == "already_active"
    assert before - budget_left(BUILT_MB, ada.pk) == 9, "what is refused costs nothing"
    spend_budget(BUILT_MB, ada.pk, budget_left(BUILT_MB, ada.pk) - 8)
    assert refusal(send, second, ada, b"int main() { return 2; }") == "over_budget"
    assert Bundle.objects.count() == 1
    assert send(second, ada, b"pass", "bot.py") == send(foreign, ben, b"int main() {}") == "checking"


class Loops:
    """Each does something, and takes it back, as often as one likes."""

    def __init__(self) -> None:
        self.by, self.number = a_user(), 0

    def spaces(self) -> None:
        self.number += 1
        CloseSpace(opening.open_space(by=self.by, slug=f"loop{self.number}", title="L")).do(by=self.by, reason="x")

    def teams(self) -> None:
        teams.leave_team(team=teams.create_team(name="Crew", by=self.by), by=self.by)

    def team_invitations(self) -> None:
        team = Team.objects.filter(memberships__user=self.by).first() or teams.create_team(name="Crew", by=self.by)
        user = User.objects.exclude(pk=self.by.pk).first() or a_user()
        teams.invite_to_team(team=team, user=user, by=self.by)
        teams.remove_member(team=team, user=user, by=self.by)

    def webhooks(self) -> None:
        webhooks.add_webhook(user=self.by, url="https://example.org/hook", kinds=[]).delete()

    def join_codes(self) -> None:
        space = Space.objects.filter(members__user=self.by).first() or a_space(organiser=self.by)
        code = join_codes.make_code(space=space, by=self.by, days=1, uses=1)
        join_codes.revoke_join_code(space=space, number=code.pk, by=self.by)

    def join_requests(self) -> None:
        space = Space.objects.first() or a_space("open", access="public")
        admission.ask_to_join(space=space, by=self.by)
        admission.take_request_back(space=space, by=self.by)

    def entries(self) -> None:
        bot = Bot.objects.first() or a_version(a_bot(self.by)).bot
        entry = entries.enter_in_ladder(ladder=Ladder.objects.first() or a_ladder(), bot=bot, by=self.by)
        entry_states.mark_withdrawn(entry)

    def entrants(self) -> None:
        event = Event.objects.first() or an_event([])
        bot = Bot.objects.first() or a_version(a_bot(self.by)).bot
        withdraw_from_event(entrant=register(event=event, bot=bot, by=self.by), by=self.by)


@pytest.mark.parametrize(
    ("loop", "budget", "holder"),
    [
        (Loops.spaces, opening.OPENED, "{}"),
        (Loops.teams, teams.FOUNDED, "{}"),
        (Loops.team_invitations, teams.INVITATIONS, "{}"),
        (Loops.webhooks, webhooks.MADE, "{}"),
        (Loops.join_codes, join_codes.CODES, "person {}"),
        (Loops.join_requests, admission.REQUESTS, "{}"),
        (Loops.entries, quotas.ENTERED, "{}"),
        (Loops.entrants, quotas.ENTERED, "{}"),
    ],
)
def test_what_is_taken_back_counts_all_the_same(
    loop: Callable[[Loops], None], budget: Budget, holder: str, settings: Any
) -> None:
    settings.SPACES = "anybody"
    loops = Loops()
    spend_budget(budget, holder.format(loops.by.pk), budget.most - 2)
    loop(loops)
    loop(loops)
    assert refusal(loop, loops) == "over_budget"
    assert budget_left(budget, holder.format(a_user().pk)) == budget.most


def test_rosters_of_one_person_make_so_many_accounts_a_day_in_all_spaces_together() -> None:
    by = a_user()
    spend_budget(roster.ACCOUNTS, by.pk, roster.ACCOUNTS.most - 3)
    first, second = a_space(organiser=by), a_space(organiser=by)
    roster.bring_in(space=first, text="a@example.org\nb@example.org", by=by)
    assert refusal(roster.bring_in, space=second, text="c@example.org\nd@example.org", by=by) == "over_budget"
    roster.bring_in(space=first, text="a@example.org\nb@example.org", by=by)  # again: nobody is new
    assert User.objects.filter(home__isnull=False).count() == 2
