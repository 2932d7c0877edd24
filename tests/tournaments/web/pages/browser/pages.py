"""Every page that people open, and as whom it is tried: each is read by axe and looked at on three screens."""

from dataclasses import dataclass

from tests.factories import SAMPLE, a_bot, a_completed_set, a_set_with_dice, a_trial, a_user, a_version, rate
from tests.holding import KNOCKOUT, a_draft, a_running, play_out
from tests.practising import a_practice, a_shared_table, everything_by_the_book
from tests.spaces import a_space
from tests.tournaments.core.accounts.test_second_factor import program_of, with_factor
from tests.tournaments.web.pages.conftest import World
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.accounts.invitations import invitation_token
from tournaments.core.notices.webhooks import add_webhook
from tournaments.features.drafts.rules import begin_draft, save
from tournaments.features.follow.rules import start_following
from tournaments.features.moderation.complaints import appeal, report_abuse
from tournaments.features.moderation.take_down import Blank
from tournaments.features.practice.shares import make_share_link
from tournaments.features.spaces.join_codes import make_code
from tournaments.features.spaces.roster import bring_in
from tournaments.features.teams.rules import create_team, give_bot, invite_to_team
from tournaments.ledger.acts import Announce
from tournaments.models import Act, Bot, DraftState, User


@dataclass(frozen=True, slots=True)
class Page:
    """A route by its name, an address of it (see `things`), and who opens it: "nobody", "owner" or "staff"."""

    name: str
    path: str
    by: str = "nobody"


PAGES = [
    Page("home", "/"),
    Page("home", "/", "owner"),
    Page("live", "/live/"),
    Page("play-now", "/play/now/"),
    Page("play-now", "/play/now/?game=zaibatsu", "owner"),
    Page("overall", "/overall/"),
    Page("search", "/search/?q=o"),
    Page("bots", "/bots/"),
    Page("people", "/people/"),
    Page("matches", "/matches/"),
    Page("best-matches", "/matches/best/?of=ever"),
    Page("audit", "/audit/"),
    Page("ladder", "/ladders/arena/"),
    Page("ladder", "/ladders/arena/", "owner"),
    Page("ladder", "/ladders/arena/?name=o&status=playing", "owner"),
    Page("gradebook", "/ladders/arena/gradebook/", "staff"),
    Page("ladder-history", "/ladders/arena/history/"),
    Page("ladder-meetings", "/ladders/arena/head-to-head/"),
    Page("ladder-transitivity", "/ladders/arena/transitivity/"),
    Page("ladder-fairness", "/ladders/arena/fair/"),
    Page("bot-record", "/bots/{bot}/record/"),
    Page("bot-about", "/bots/{bot}/about/", "owner"),
    Page("bot-face", "/bots/{bot}/face/", "owner"),
    Page("leagues", "/leagues/"),
    Page("person", "/people/olga/", "owner"),
    Page("account-about", "/account/about/", "owner"),
    Page("teams", "/teams/", "owner"),
    Page("team", "/teams/{team}/", "owner"),
    Page("team-about", "/teams/{team}/about/", "owner"),
    Page("spaces", "/spaces/", "owner"),
    Page("space", "/spaces/bio1/", "owner"),
    Page("space-members", "/spaces/bio1/members/", "staff"),
    Page("space-reports", "/spaces/bio1/reports/", "staff"),
    Page("space-settings", "/spaces/bio1/settings/", "staff"),
    Page("space-ways-in", "/spaces/bio1/ways-in/", "staff"),
    Page("space-webhooks", "/spaces/bio1/webhooks/", "staff"),
    Page("space-roster", "/spaces/bio1/roster/", "staff"),
    Page("space-new", "/new-space/", "staff"),
    Page("type-code", "/join/"),
    Page("join", "/join/{code}/"),
    Page("invited", "/invited/{welcome}/"),
    Page("seasons", "/seasons/"),
    Page("events", "/events/"),
    Page("event", "/events/{event}/"),
    Page("live-wall", "/live/wall/"),
    Page("live-wall", "/live/wall/?overlay=1&boards=2"),
    Page("ladder-wall", "/ladders/arena/wall/?view=2"),
    Page("event-wall", "/events/{cup}/wall/?view=2"),
    Page("bot", "/bots/{bot}/"),
    Page("bot", "/bots/{bot}/", "owner"),
    Page("bot-series", "/bots/{bot}/series/", "owner"),
    Page("bot-compare", "/bots/{bot}/compare/", "owner"),
    Page("bot-upload", "/bots/{bot}/upload/", "owner"),
    Page("trial", "/trials/{trial}/"),
    Page("trial", "/trials/{trial}/", "owner"),
    Page("match", "/matches/{match}/"),
    Page("match", "/matches/{match}/", "owner"),
    Page("match", "/matches/{dice}/"),
    Page("match-luck", "/matches/{dice}/luck/"),
    Page("match-suggestions", "/matches/{match}/suggestions/", "owner"),
    Page("embed", "/matches/{match}/embed/"),
    Page("verified", "/matches/{match}/verify/"),
    Page("learn", "/learn/"),
    Page("learn-step", "/learn/zaibatsu/3/"),
    Page("learn-step", "/learn/network/6/?choice=1"),
    Page("learn-step", "/learn/kaiju/9/", "owner"),
    Page("play", "/play/"),
    Page("play", "/play/", "owner"),
    Page("play-begin", "/play/under/arena/", "owner"),
    Page("fork", "/play/fork/?match={match}&at=5", "owner"),
    Page("practice", "/play/{asking}/", "owner"),
    Page("practice", "/play/{over}/", "owner"),
    Page("practice", "/play/{joined}/", "owner"),
    Page("practice", "/play/{table}/", "owner"),
    Page("practice-join", "/play/join/{invitation}/", "staff"),
    Page("shared-game", "/play/shared/{share}/"),
    Page("upload", "/upload/", "owner"),
    Page("editor", "/editor/", "owner"),
    Page("drafts", "/drafts/", "owner"),
    Page("draft", "/drafts/{source}/", "owner"),
    Page("draft-states", "/drafts/{source}/states/", "owner"),
    Page("draft-state", "/drafts/{source}/states/{state}/", "owner"),
    Page("sign-up", "/sign-up/"),
    Page("sign-in", "/sign-in/"),
    Page("account", "/account/", "owner"),
    Page("identity-link", "/account/link/uni/", "owner"),
    Page("identity-unlink", "/account/unlink/{identity}/", "owner"),
    Page("own-data", "/account/data/", "owner"),
    Page("account-erase", "/account/erase/", "owner"),
    Page("password", "/account/password/", "owner"),
    Page("second-factor", "/account/second-factor/", "owner"),
    Page("authenticator-program", "/account/second-factor/program/", "staff"),
    Page("recovery-codes", "/account/second-factor/codes/", "owner"),
    Page("factor-remove", "/account/second-factor/{factor}/remove/", "owner"),
    Page("lost-password", "/lost-password/"),
    Page("reset-password", "/lost-password/MQ/a-b/"),
    Page("tokens", "/tokens/", "owner"),
    Page("desk", "/desk/", "staff"),
    Page("desk-act", "/desk/acts/pause_ladder/?ladder=arena", "staff"),
    Page("desk-new-ladder", "/desk/new-ladder/", "staff"),
    Page("desk-new-ladder", "/desk/new-ladder/?game=gigabucks", "staff"),
    Page("desk-new-worker", "/desk/new-worker/", "staff"),
    Page("desk-ladder", "/desk/ladders/arena/", "staff"),
    Page("desk-sources", "/desk/ladders/arena/sources/", "staff"),
    Page("desk-reports", "/desk/reports/", "staff"),
    Page("report", "/report/?about=bot-{bot}", "owner"),
    Page("appeal", "/appeals/{blanked}/", "owner"),
    Page("desk-new-event", "/desk/new-event/", "staff"),
    Page("desk-new-event", "/desk/new-event/?format=groups_knockout", "staff"),
    Page("desk-event", "/desk/events/{draft}/", "staff"),
    Page("desk-reveal", "/desk/events/{cup}/reveal/?shown=2", "staff"),
    Page("event-webhooks", "/desk/events/{draft}/webhooks/", "staff"),
    Page("desk-edit-event", "/desk/events/{draft}/edit/", "staff"),
    Page("notices", "/notices/", "owner"),
    Page("following", "/following/", "owner"),
    Page("following-matches", "/following/matches/", "owner"),
    Page("follows", "/following/list/", "owner"),
    Page("webhooks", "/webhooks/", "owner"),
    Page("docs", "/docs/"),
    Page("doc", "/docs/write-a-bot/"),
    Page("doc", "/docs/games/kaiju/"),
    Page("doc", "/docs/design/"),
    Page("kit", "/kit/"),
    Page("data", "/data/"),
]
# Routes that are no pages: they answer with a picture, data or another address, or belong to a page above.
NO_PAGES = {
    "board",
    "bot-emblem",
    "bot-matches-csv",
    "desk-sources-csv",
    "card",
    "doc-file",
    "event-calendar",
    "event-matches-csv",
    "events-calendar",
    "favicon",
    "feed-bot",
    "feed-event",
    "feed-following",
    "feed-ladder",
    "feed-person",
    "film",
    "kit-index",
    "kit-schema",
    "kit-schemas",
    "kit-version",
    "gradebook-csv",
    "gradebook-send",
    "kit-wheel",
    "list-elsewhere",
    "match-events",
    "oembed",
    "placings-csv",
    "poster-card",
    "practice-state",
    "robots",
    "second-factor-picture",
    # Passkeys are for sites with a domain: test_passkeys.py, here and in tests/tournaments/features/second_factor.
    "passkey-challenge",
    "passkey-add",
    "sign-in-passkey",
    "series-csv",
    "shared-film",
    "sign-in-code",
    # They lead to a provider, or come from one: test_openid.py, test_saml.py, test_lti.py of the feature sign_on.
    "identity-link-kept",
    "sign-on",
    "sign-on-answer",
    "sign-on-assertion",
    "sign-on-course",
    "sign-on-keys",
    "sign-on-launch",
    "sign-on-metadata",
    "sign-on-name",
    "sitemap",
    "sitemaps",
    "standings-csv",
}


def things(world: World) -> dict[str, object]:
    """Things that addresses name; more of them than one sees at once, so that pages are as full as they get."""
    versions = [bot.versions.get() for bot in (world.bot, world.rival)]
    a_version(world.bot)
    third = a_version(a_bot(name="A long name with many words in it"))
    world.ladder.entries.create(bot=third.bot)
    a_completed_set(world.ladder, [*versions, third])
    rate()
    make_token(user=world.owner, name="mine")
    with_factor(world.owner)
    add_webhook(
        user=world.owner, url="https://example.org/a-rather-long-address/for-webhooks", kinds=["fault", "check"]
    )
    for target in (world.rival, world.other, world.ladder):
        start_following(user=world.owner, target=target)
    Announce(text="No matches on Friday: the hall is painted.", ladder=world.ladder).do(by=world.staff, reason="x")
    team = create_team(name="The greenhouse", by=world.owner)
    invite_to_team(team=team, user=world.other, by=world.owner)
    give_bot(bot=world.bot, team=team, by=world.owner)
    space = a_space("bio1", organiser=(teacher := a_user("tessa")), members=[world.owner], access="link")
    bring_in(space=space, text="ada@example.org;Ada Lovelace\n=1+1@example.org;=1+1", by=teacher)
    return {
        "code": make_code(space=space, by=teacher, days=7, uses=9).key,
        "welcome": invitation_token(User.objects.get(username="ada"), mailed=False),
        "draft": a_draft().slug,
        "cup": play_out(a_running(3, KNOCKOUT, released=0)).slug,
        "team": team.pk,
        "bot": world.bot.pk,
        "blanked": a_blanked_text(world).number,
        "asking": a_practice(world.owner, world.ladder).pk,
        "joined": a_shared_table(world.owner, world.ladder, world.other).pk,
        "table": (table := a_shared_table(world.owner, world.ladder)).pk,
        "invitation": table.invite_key,
        "over": (over := everything_by_the_book(a_practice(world.owner, world.ladder))).pk,
        "share": make_share_link(practice=over, by=world.owner),
        "source": (state := a_state(world.owner)).draft_id,
        "state": state.pk,
        "factor": program_of(world.owner).pk,
        "identity": world.owner.identities.create(provider="uni", subject="0017", called="olga@uni.example").pk,
        "dice": a_set_with_dice().matches.first().pk,  # type: ignore[union-attr]
        "trial": a_trial(world.bot.versions.get(status="active"), sets=3).pk,
        "match": world.set.matches.first().pk,  # type: ignore[union-attr]
        "event": play_out(a_running(5, KNOCKOUT, title="A cup whose name is rather long for a small screen")).slug,
    }


def a_blanked_text(world: World) -> Act:
    """Blank a text that somebody reported and whose owner appeals, so that the desk has both."""
    report_abuse(by=world.other, about=f"bot-{world.bot.pk}", text="What it says insults people.")
    for bot in (world.rival, world.bot):
        Bot.objects.filter(pk=bot.pk).update(about="Mean words.")
        act = Blank(bot=bot).do(by=world.staff, reason="They insulted.")
        if bot == world.rival:
            appeal(by=world.other, act=act, text="It was a joke.")
    return act


def a_state(user: User) -> DraftState:
    """A draft's state before its last save."""
    draft = begin_draft(owner=user, game="zaibatsu", source=SAMPLE.decode().replace("import", "# import", 1))
    return save(draft=draft, source=SAMPLE.decode(), filename="bot.py", name="").states.get()
