"""A world with something behind every address of a page."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.timezone import now

from tests.factories import a_bot, a_set_with_dice, a_user
from tests.holding import ROBIN, a_draft, an_event, play_round
from tests.practising import a_practice, a_shared_table, everything_by_the_book
from tests.spaces import a_space
from tests.tournaments.core.accounts.test_second_factor import program_of, with_factor
from tests.tournaments.web.pages.conftest import World, a_world
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.accounts.invitations import invitation_token
from tournaments.core.notices.webhooks import add_webhook
from tournaments.features.drafts.rules import begin_draft, save
from tournaments.features.events.lifecycle import start_event
from tournaments.features.follow.rules import start_following
from tournaments.features.moderation.take_down import Blank
from tournaments.features.practice.shares import make_share_link
from tournaments.features.spaces.join_codes import make_code
from tournaments.features.teams.rules import create_team, invite_to_team
from tournaments.models import Act, Bot, DraftState, Entry, Event, Space, Trial, User, Version


@dataclass(frozen=True, slots=True)
class Furnished:
    """A world, and the numbers and names of what is in it, for addresses."""

    world: World
    named: dict[str, object]


def a_furnished_world() -> Furnished:
    world = a_world()
    return Furnished(world, things(world))


def things(world: World) -> dict[str, object]:
    make_token(user=world.owner, name="mine")
    with_factor(world.owner)
    event = an_event([world.bot])
    check = world.bot.versions.get().check_set.matches.get().pk
    retired = Version.objects.create(
        bot=world.bot, number=9, bundle=world.bot.versions.get().bundle, need="python", status=Version.Status.RETIRED
    )
    held = a_held_event(world)
    over, given = (everything_by_the_book(a_practice(world.owner, world.ladder)) for _ in range(2))
    champion = world.bot.versions.get(status=Version.Status.ACTIVE)
    trial = Trial.objects.create(
        ladder=world.ladder, candidate=retired, champion=champion, status=Trial.Status.REFUSED, ended_at=now()
    )
    table, joined = a_shared_table(world.owner, world.ladder), a_shared_table(world.owner, world.ladder, world.other)
    team = create_team(name="The greenhouse", by=world.owner)
    invite_to_team(team=team, user=world.other, by=world.owner)
    space = a_space("bio1", organiser=(teacher := a_user("tessa")), members=[world.owner])
    return {
        "bot": world.bot.pk,
        "code": make_code(space=space, by=teacher, days=7, uses=9).key,
        "welcome": invitation_token(somebody_new(space), mailed=False),
        "blanked": a_blanked_text(world).number,
        "site": settings.SITE_URL,
        "team": team.pk,
        "opponents": "rook, Thistle",
        "spare": a_bot(world.owner, "Spare").pk,
        "version": retired.number,
        "trial": trial.pk,
        "entry": Entry.objects.get(bot=world.bot).pk,
        "event": event.slug,
        "entrant": event.entrants.get().pk,
        "draft": a_draft().slug,
        "match": world.set.matches.first().pk,  # type: ignore[union-attr]
        "check": check,
        "dice": a_set_with_dice().matches.latest("pk").pk,
        "round": held.slug,
        "held": held.sets.latest("pk").matches.latest("pk").pk,
        "practice": a_practice(world.owner, world.ladder).pk,
        "table": table.pk,
        "invitation": table.invite_key,
        "joined": joined.pk,
        "over": over.pk,
        "shared": given.pk,
        "share": make_share_link(practice=given, by=world.owner),
        "token": world.owner.tokens.get().pk,
        "factor": program_of(world.owner).pk,
        "identity": world.owner.identities.create(provider="uni", subject="0017", called="olga@uni.example").pk,
        "webhook": add_webhook(user=world.owner, url="https://example.org/hook", kinds=["fault"]).pk,
        "feed": a_feed(world.owner),
        "follow": start_following(user=world.owner, target=world.rival).pk,
        "source": (state := a_state(world.owner)).draft_id,
        "state": state.pk,
    }


def a_blanked_text(world: World) -> Act:
    """Blank a text of the owner's bot: whom it concerns may appeal."""
    Bot.objects.filter(pk=world.bot.pk).update(about="Mean words.")
    return Blank(bot=world.bot).do(by=world.staff, reason="They insulted.")


def somebody_new(space: Space) -> User:
    """An account made by a roster, into which nobody has come yet."""
    user = User(username="nadia", home=space)
    user.set_unusable_password()
    user.save()
    return user


def a_state(user: User) -> DraftState:
    """A draft's state before its last save."""
    draft = begin_draft(owner=user, game="zaibatsu", source="print(0)")
    return save(draft=draft, source="print(2)", filename="bot.py", name="").states.get()


def a_feed(user: User) -> str:
    user.feed_key = "the key of a feed"
    user.save()
    return user.feed_key


def a_held_event(world: World) -> Event:
    """The owner's bot has played in it, and nothing is released."""
    event = an_event([world.bot, world.rival], ROBIN, released=0)
    start_event(event=event, by=world.staff)
    play_round(event)
    return event
