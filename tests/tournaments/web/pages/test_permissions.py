"""Every page, seen and sent to by everybody."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import cycle

import pytest
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from tests.again import again
from tests.factories import worker_token
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.furnished import Furnished, a_furnished_world
from tests.tournaments.web.pages.owned import owned, written
from tests.tournaments.web.pages.routes import routes
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import User
from tournaments.site.urls import LISTS

pytestmark = pytest.mark.django_db
ASKERS = ("owner", "other", "nobody", "staff")
Statuses = tuple[int, int, int, int]
ALL: Statuses = (200, 200, 200, 200)
PEOPLE: Statuses = (200, 200, 302, 200)  # others are led to the sign-in
STAFF: Statuses = (403, 403, 302, 200)
RUN: Statuses = (403, 404, 302, 200)  # of a private space in which the owner is a member
OWNERS: Statuses = (200, 403, 302, 403)
NEVER: Statuses = (405, 405, 405, 405)
MINE: Statuses = (200, 404, 302, 404)
POST_ONLY: Statuses = (405, 405, 302, 405)  # a form's address, looked at
DONE: Statuses = (302, 302, 302, 302)
NOT_OTHERS: Statuses = (302, 422, 302, 422)  # who may not is told so, and what was typed stands again
NOT_THERE: Statuses = (404, 404, 404, 404)


@dataclass(frozen=True, slots=True)
class Row:
    """A route by its name, an address of it, and how it answers to GET and to POST for each of ASKERS."""

    name: str
    path: str
    seen: Statuses
    sent: Statuses = NEVER
    form: tuple[tuple[str, str], ...] = ()
    is_change: bool = False  # it changes something, if and only if the owner sends it
    makes_guest: bool = False  # a visitor who sends it becomes a guest


FRIENDLY = (("ladder", "arena"), ("against", "{opponents}"))
GATE = (("gate", "ask"), ("gate_test", "balanced"))
FACE = (("motto", "New"), ("tile", "#000000"), ("figure", "#ffffff"))
WRITTEN = (("source", "print(1)"), ("filename", "bot.py"))

TABLE = [
    Row("home", "/", ALL),
    Row("overall", "/overall/", ALL),
    Row("audit", "/audit/", ALL),
    Row("search", "/search/?q=a", ALL),
    Row("bots", "/bots/", ALL),
    Row("people", "/people/", ALL),
    Row("matches", "/matches/", ALL),
    Row("best-matches", "/matches/best/", ALL),
    Row("robots", "/robots.txt", ALL),
    Row("language", "/language/", NEVER, (302, 302, 302, 302)),
    Row("sitemaps", "/sitemap.xml", ALL),
    Row("sitemap", "/sitemap-bots.xml", ALL),
    Row("ladder", "/ladders/arena/", ALL),
    Row("gradebook", "/ladders/arena/gradebook/", (404, 404, 302, 200)),
    Row("gradebook-send", "/ladders/arena/gradebook/send/", NEVER, (404, 404, 302, 302)),
    Row("gradebook-csv", "/ladders/arena/gradebook.csv", (404, 404, 302, 200)),
    Row("standings-csv", "/ladders/arena/standings.csv", ALL),
    Row(
        "ladder-enter", "/ladders/arena/enter/", POST_ONLY, (302, 404, 302, 404), (("bot", "{spare}"),), is_change=True
    ),
    Row("entry-withdraw", "/entries/{entry}/withdraw/", POST_ONLY, DONE, is_change=True),
    Row("desk", "/desk/", STAFF),
    Row("desk-act", "/desk/acts/pause_ladder/", STAFF, STAFF),
    Row("desk-new-ladder", "/desk/new-ladder/?game=kaiju", STAFF, STAFF),
    Row("desk-new-worker", "/desk/new-worker/", STAFF, STAFF),
    Row("desk-ladder", "/desk/ladders/arena/", STAFF),
    Row("desk-sources", "/desk/ladders/arena/sources/", STAFF),
    Row("desk-sources-csv", "/desk/ladders/arena/sources.csv", STAFF),
    Row("desk-reports", "/desk/reports/", STAFF),
    Row("desk-new-event", "/desk/new-event/?format=swiss", STAFF, STAFF),
    Row("desk-event", "/desk/events/{draft}/", STAFF),
    Row("desk-reveal", "/desk/events/{round}/reveal/", STAFF),
    Row("desk-reveal", "/desk/events/{draft}/reveal/", (403, 403, 302, 404)),
    Row("desk-edit-event", "/desk/events/{draft}/edit/", STAFF, STAFF),
    Row("event-webhooks", "/desk/events/{draft}/webhooks/", STAFF, STAFF),
    Row("data", "/data/", ALL),
    Row("data-ladder", "/data/no-such-ladder/", NOT_THERE),
    Row("data-file", "/data/no-such-ladder/seats.parquet", NOT_THERE),
    Row("docs", "/docs/", ALL),
    Row("doc", "/docs/games/", ALL),
    Row("doc-file", "/docs/files/pictures/match.png", ALL),
    Row("kit", "/kit/", ALL),
    Row("kit-version", "/kit/version.json", ALL),
    Row("kit-schemas", "/kit/schemas/kaiju.json", ALL),
    Row("poster-card", "/games/kaiju/poster.png", ALL),
    Row("kit-schema", "/kit/schemas/kaiju/view.json", ALL),
    Row("kit-index", "/kit/boardroom-kit/", ALL),
    Row("kit-wheel", "/kit/boardroom_kit-0.2.0-py3-none-any.whl", ALL),
    Row("ladder-history", "/ladders/arena/history/", ALL),
    Row("ladder-meetings", "/ladders/arena/head-to-head/", ALL),
    Row("ladder-transitivity", "/ladders/arena/transitivity/", ALL),
    Row("ladder-fairness", "/ladders/arena/fair/", ALL),
    Row("seasons", "/seasons/", ALL),
    Row("seasons", "/seasons/?space=bio1", (200, 404, 404, 200)),
    Row("events", "/events/", ALL),
    Row("event", "/events/{event}/", ALL),
    Row("event", "/events/{draft}/", (404, 404, 404, 200)),
    Row("events-calendar", "/events.ics", ALL),
    Row("event-calendar", "/events/{event}/calendar.ics", NOT_THERE),  # it has no date
    Row("event-calendar", "/events/{draft}/calendar.ics", NOT_THERE),
    Row("live-wall", "/live/wall/", ALL),
    Row("learn", "/learn/", ALL),
    Row("learn-step", "/learn/zaibatsu/1/", ALL),
    Row("learn-step", "/learn/zaibatsu/99/", NOT_THERE),
    Row("ladder-wall", "/ladders/arena/wall/", ALL),
    Row("event-wall", "/events/{event}/wall/", ALL),
    Row("event-wall", "/events/{draft}/wall/", (404, 404, 404, 200)),
    Row("placings-csv", "/events/{event}/placings.csv", NOT_THERE),  # it has not been started
    Row("placings-csv", "/events/{draft}/placings.csv", NOT_THERE),
    Row("event-matches-csv", "/events/{event}/matches.csv", ALL),
    Row("event-matches-csv", "/events/{draft}/matches.csv", (404, 404, 404, 200)),
    Row(
        "event-register",
        "/events/{event}/register/",
        POST_ONLY,
        (302, 404, 302, 404),
        (("bot", "{spare}"),),
        is_change=True,
    ),
    Row("event-decline", "/events/{event}/decline/", POST_ONLY, DONE),
    Row("event-decline", "/events/{draft}/decline/", POST_ONLY, (404, 404, 302, 302)),
    Row("entrant-check-in", "/entrants/{entrant}/check-in/", POST_ONLY, DONE),
    Row("event-register", "/events/{draft}/register/", POST_ONLY, (404, 404, 302, 404), (("bot", "{spare}"),)),
    Row("entrant-withdraw", "/entrants/{entrant}/withdraw/", POST_ONLY, DONE, is_change=True),
    Row("bot", "/bots/{bot}/", ALL),
    Row("bot-matches-csv", "/bots/{bot}/matches.csv", ALL),
    Row("series-csv", "/bots/{bot}/series.csv", ALL),
    Row("bot-activate", "/bots/{bot}/activate/", POST_ONLY, DONE, (("version", "{version}"),), is_change=True),
    Row("bot-examine", "/bots/{bot}/examine/", POST_ONLY, DONE, (("version", "{version}"),)),
    Row("bot-overall", "/bots/{bot}/overall/", POST_ONLY, DONE, is_change=True),
    Row(
        "bot-gate",
        "/bots/{bot}/gate/",
        POST_ONLY,
        NOT_OTHERS,
        GATE,
        is_change=True,
    ),
    Row("trial", "/trials/{trial}/", ALL),
    Row("trial", "/trials/999999999/", (404, 404, 404, 404)),
    Row("bot-friendly", "/bots/{bot}/friendly/", POST_ONLY, NOT_OTHERS, FRIENDLY, is_change=True),
    Row("bot-record", "/bots/{bot}/record/", ALL),
    Row("bot-about", "/bots/{bot}/about/", OWNERS, (302, 403, 302, 403), (("about", "New"),), is_change=True),
    Row("bot-face", "/bots/{bot}/face/", OWNERS, (302, 403, 302, 403), FACE, is_change=True),
    Row("bot-emblem", "/bots/{bot}/emblem.svg", ALL),
    Row("leagues", "/leagues/", ALL),
    Row("bot-team", "/bots/{bot}/team/", POST_ONLY, NOT_OTHERS, (("team", "{team}"),), is_change=True),
    Row("person", "/people/olga/", ALL),
    Row("person", "/people/nobody/", (404, 404, 404, 404)),
    Row(
        "report",
        "/report/?about=bot-{bot}",
        PEOPLE,
        (302, 302, 302, 302),
        (("about", "bot-{bot}"), ("text", "It insults.")),
    ),
    Row("report", "/report/?about=bot-0", (404, 404, 302, 404), (404, 404, 302, 404)),
    Row("appeal", "/appeals/{blanked}/", MINE, (302, 404, 302, 404), (("text", "It was a joke."),), is_change=True),
    Row("account-about", "/account/about/", PEOPLE, DONE),
    Row("teams", "/teams/", PEOPLE, PEOPLE),
    Row("team", "/teams/{team}/", ALL),
    Row("team-about", "/teams/{team}/about/", OWNERS, (302, 403, 302, 403), (("about", "New"),), is_change=True),
    Row("team-action", "/teams/{team}/invite/", POST_ONLY, NOT_OTHERS, (("user", "theo"),), is_change=True),
    Row("team-action", "/teams/{team}/remove/", POST_ONLY, DONE, (("user", "otto"),), is_change=True),
    Row("team-action", "/teams/{team}/unmake/", POST_ONLY, (404, 404, 302, 404)),
    Row("spaces", "/spaces/", ALL),
    Row("space-new", "/new-space/", STAFF, STAFF),
    Row("space", "/spaces/bio1/", (200, 404, 404, 200)),
    Row("space-members", "/spaces/bio1/members/", RUN),
    Row("space-reports", "/spaces/bio1/reports/", RUN),
    Row("space-settings", "/spaces/bio1/settings/", RUN, RUN),
    Row("space-ways-in", "/spaces/bio1/ways-in/", RUN),
    Row("space-code", "/spaces/bio1/ways-in/codes/", NEVER, (403, 404, 302, 422)),
    Row("space-revoke", "/spaces/bio1/ways-in/codes/1/", NEVER, (403, 404, 302, 302)),
    Row("space-addresses", "/spaces/bio1/ways-in/addresses/", NEVER, (403, 404, 302, 422), (("lines", "x"),)),
    Row("space-webhooks", "/spaces/bio1/webhooks/", RUN, RUN),
    Row("space-roster", "/spaces/bio1/roster/", RUN, RUN),
    Row("space-action", "/spaces/bio1/leave/", POST_ONLY, (302, 404, 302, 302)),
    Row("space-action", "/spaces/bio1/ask/", POST_ONLY, (422, 404, 302, 302)),
    Row("space-action", "/spaces/bio1/unmake/", POST_ONLY, (404, 404, 302, 404)),
    Row("type-code", "/join/", ALL),
    Row("join", "/join/{code}/", (302, 200, 200, 200), DONE),
    Row("join", "/join/x/", NOT_THERE, NOT_THERE),
    Row("invited", "/invited/x/", NOT_THERE, NOT_THERE),
    Row("invited", "/invited/{welcome}/", ALL, ALL),
    Row("whole-site", "/account/whole-site/", NEVER, DONE),
    Row("bot-series", "/bots/{bot}/series/", ALL),
    Row("bot-compare", "/bots/{bot}/compare/", ALL),
    Row("bot-upload", "/bots/{bot}/upload/", (200, 403, 302, 403), (200, 403, 302, 403)),
    Row("match", "/matches/{match}/", ALL),
    Row("match", "/matches/{check}/", (200, 404, 404, 200)),
    Row("match", "/matches/{held}/", (404, 404, 404, 200)),
    Row("live", "/live/", ALL),
    Row("site-stream", "/live/stream", (204, 204, 204, 204)),
    Row("ladder-stream", "/live/ladders/arena/stream", (204, 204, 204, 204)),
    Row("event-stream", "/live/events/{event}/stream", (204, 204, 204, 204)),
    Row("event-stream", "/live/events/{draft}/stream", (404, 404, 404, 404)),
    Row("match-stream", "/live/matches/{match}/stream", (204, 204, 204, 204)),
    Row("match-stream", "/live/matches/{check}/stream", (404, 404, 404, 404)),
    Row("match-stream", "/live/matches/{held}/stream", (404, 404, 404, 404)),
    Row("film", "/matches/{match}/film/", ALL),
    Row("film", "/matches/{check}/film/", (200, 404, 404, 200)),
    Row("film", "/matches/{held}/film/", (404, 404, 404, 200)),
    Row("embed", "/matches/{match}/embed/", ALL),
    Row("embed", "/matches/{check}/embed/", (404, 404, 404, 404)),  # what strangers may see, whoever asks
    Row("embed", "/matches/{held}/embed/", (404, 404, 404, 404)),
    Row("card", "/matches/{match}/card.png", ALL),
    Row("card", "/matches/{held}/card.png", (404, 404, 404, 404)),
    Row("board", "/matches/{match}/board.svg", ALL),
    Row("board", "/matches/{check}/board.svg", (404, 404, 404, 404)),
    Row("board", "/matches/{held}/board.svg", (404, 404, 404, 404)),
    Row("match-events", "/matches/{match}/events.jsonl", ALL),
    Row("match-events", "/matches/{check}/events.jsonl", (200, 404, 404, 200)),
    Row("match-events", "/matches/{held}/events.jsonl", (404, 404, 404, 200)),
    Row("match-luck", "/matches/{dice}/luck/", ALL),
    Row("match-luck", "/matches/{check}/luck/", (404, 404, 404, 404)),  # no dice
    Row("match-suggestions", "/matches/{match}/suggestions/", PEOPLE, DONE),
    Row("practice-suggestions", "/play/{practice}/suggestions/", (404, 404, 302, 404), (404, 404, 302, 404)),
    Row("verified", "/matches/{match}/verify/", ALL),
    Row("verified", "/matches/{held}/verify/", (404, 404, 404, 200)),
    Row("oembed", "/oembed/?url={site}/matches/{match}/", ALL),
    Row("oembed", "/oembed/?url={site}/matches/{held}/", (404, 404, 404, 404)),
    Row("play", "/play/", ALL),
    Row("play-now", "/play/now/", ALL, (422, 422, 422, 422), (("game", "chess"),)),
    Row("play-begin", "/play/under/arena/", PEOPLE, (422, 422, 302, 422), (("opponent-1", "nobody"),)),
    Row(
        "fork", "/play/fork/?match={match}&at=3", PEOPLE, (422, 422, 302, 422), (("match", "{match}"), ("seat-0", "x"))
    ),
    Row("fork", "/play/fork/?match={held}&at=3", (404, 404, 302, 200), (404, 404, 302, 404)),
    Row("fork", "/play/fork/?match={check}&at=3", (200, 404, 302, 200), (404, 404, 302, 404)),
    Row("practice", "/play/{practice}/", MINE, (422, 404, 302, 404)),
    Row("practice-state", "/play/{practice}/state/", MINE),
    Row("practice", "/play/{table}/", MINE, (422, 404, 302, 404)),
    Row("practice", "/play/{joined}/", (200, 200, 302, 404), (422, 422, 302, 404)),
    Row("practice-state", "/play/{joined}/state/", (200, 200, 302, 404)),
    Row(
        "practice-table",
        "/play/{table}/table/fill/",
        POST_ONLY,
        (302, 404, 302, 404),
        (("seat", "1"), ("player", "sample-random")),
    ),
    Row("practice-table", "/play/{table}/table/uninvite/", POST_ONLY, (302, 404, 302, 404), is_change=True),
    Row("practice-table", "/play/{joined}/table/end/", POST_ONLY, (302, 302, 302, 404), is_change=True),
    Row("practice-table", "/play/{table}/table/upset/", POST_ONLY, (404, 404, 302, 404)),
    Row("practice-join", "/play/join/{invitation}/", ALL, DONE, makes_guest=True),
    Row("practice-join", "/play/join/x/", NOT_THERE, NOT_THERE),
    Row("practice-leave", "/play/{practice}/leave/", POST_ONLY, (302, 404, 302, 404), is_change=True),
    Row("practice-retry", "/play/{practice}/retry/", POST_ONLY, (302, 404, 302, 404)),
    Row("practice-again", "/play/{practice}/again/", POST_ONLY, (302, 404, 302, 404), is_change=True),
    Row("practice-replay", "/play/{practice}/replay/", (404, 404, 302, 404)),
    Row("practice-film", "/play/{practice}/film/", (404, 404, 302, 404)),
    Row("practice-share", "/play/{over}/share/", POST_ONLY, (302, 404, 302, 404), is_change=True),
    Row("practice-take-back", "/play/{shared}/take-back/", POST_ONLY, (302, 404, 302, 404), is_change=True),
    Row("shared-game", "/play/shared/{share}/", ALL),
    Row("shared-game", "/play/shared/x/", NOT_THERE),
    Row("shared-film", "/play/shared/{share}/film/", ALL),
    Row("shared-film", "/play/shared/x/film/", NOT_THERE),
    Row("upload", "/upload/", PEOPLE, PEOPLE),
    Row("editor", "/editor/", PEOPLE, DONE),
    Row("drafts", "/drafts/", PEOPLE),
    Row("draft", "/drafts/{source}/", (200, 404, 302, 404), (302, 404, 302, 404), WRITTEN, is_change=True),
    Row("draft-delete", "/drafts/{source}/delete/", POST_ONLY, (302, 404, 302, 404), is_change=True),
    Row("draft-states", "/drafts/{source}/states/", MINE),
    Row("draft-state", "/drafts/{source}/states/{state}/", MINE),
    Row("draft-state-take", "/drafts/{source}/states/{state}/take/", POST_ONLY, (302, 404, 302, 404), is_change=True),
    Row("sign-up", "/sign-up/", (302, 302, 200, 302), (302, 302, 200, 302)),
    Row("sign-in", "/sign-in/", (302, 302, 200, 302), (302, 302, 200, 302)),
    Row("sign-in-code", "/sign-in/code/", DONE, DONE),
    Row("sign-on-name", "/sign-on/name/", DONE, DONE),
    Row("sign-on-course", "/sign-on/course/?said=x", (403, 403, 302, 403), (403, 403, 302, 403)),
    Row("sign-on", "/sign-on/nobody/", NOT_THERE),
    Row("sign-on-launch", "/sign-on/nobody/launch/", NOT_THERE, NOT_THERE),
    Row("sign-on-keys", "/sign-on/nobody/keys/", NOT_THERE),
    Row("sign-on-answer", "/sign-on/nobody/answer/?code=x&state=x", NOT_THERE),
    Row("sign-on-assertion", "/sign-on/nobody/assertion/", NEVER, NOT_THERE),
    Row("sign-on-metadata", "/sign-on/nobody/metadata/", NOT_THERE),
    Row("identity-link-kept", "/account/link/", DONE, DONE),
    Row("identity-link", "/account/link/uni/", PEOPLE, PEOPLE),
    Row("identity-unlink", "/account/unlink/{identity}/", MINE, MINE, (("password", "x"),)),
    Row("sign-out", "/sign-out/", NEVER, DONE),
    Row("account", "/account/", PEOPLE, PEOPLE),
    Row("own-data", "/account/data/", PEOPLE, PEOPLE),
    Row("account-erase", "/account/erase/", PEOPLE, PEOPLE),
    Row("password", "/account/password/", PEOPLE, PEOPLE),
    Row("second-factor", "/account/second-factor/", PEOPLE),
    Row("authenticator-program", "/account/second-factor/program/", (302, 200, 302, 200), (302, 200, 302, 200)),
    Row("passkey-add", "/account/second-factor/passkey/", DONE, DONE),  # a site without a domain takes none
    Row("recovery-codes", "/account/second-factor/codes/", (200, 302, 302, 302), (200, 302, 302, 302)),
    Row("factor-remove", "/account/second-factor/{factor}/remove/", MINE, MINE, (("code", "x"),)),
    Row("passkey-challenge", "/sign-in/challenge/", NEVER, (403, 403, 403, 403)),
    Row("sign-in-passkey", "/sign-in/passkey/", NEVER, ALL),
    Row("second-factor-picture", "/account/second-factor/code.svg", (404, 404, 302, 404)),
    Row("lost-password", "/lost-password/", ALL, ALL),
    Row("reset-password", "/lost-password/MQ/a-b/", ALL, ALL),
    Row("tokens", "/tokens/", PEOPLE, PEOPLE),
    Row("tokens-revoke", "/tokens/revoke/", POST_ONLY, DONE, is_change=True),
    Row("token-revoke", "/tokens/{token}/revoke/", POST_ONLY, (302, 404, 302, 404), is_change=True),
    Row("notices", "/notices/", PEOPLE, (302, 302, 302, 302)),
    Row("notices-read", "/notices/read/", NEVER, DONE),
    Row("feed-key", "/notices/feed/", NEVER, DONE),
    Row("send-letter", "/notices/letter/", NEVER, DONE),
    Row("confirm-email", "/notices/confirm/x/", NOT_THERE, NOT_THERE),
    Row("unsubscribe", "/notices/stop/x/", NOT_THERE, NOT_THERE),
    Row("following", "/following/", PEOPLE),
    Row("following-matches", "/following/matches/", PEOPLE),
    Row("follows", "/following/list/", PEOPLE),
    Row("follow", "/follow/bot/{bot}/", NEVER, DONE),
    Row("follow", "/follow/bot/0/", NEVER, (404, 404, 302, 404)),
    Row("follow", "/follow/event/{draft}/", NEVER, (404, 404, 302, 302)),
    Row("follow", "/follow/ladder/arena/", NEVER, DONE),
    Row("unfollow", "/following/{follow}/remove/", NEVER, (302, 404, 302, 404)),
    Row("webhooks", "/webhooks/", PEOPLE, PEOPLE),
    Row("webhook-remove", "/webhooks/{webhook}/remove/", NEVER, (302, 404, 302, 404), is_change=True),
    Row("webhook-try", "/webhooks/{webhook}/test/", NEVER, (302, 404, 302, 404)),
    Row("feed-ladder", "/feeds/ladders/arena/", ALL),
    Row("feed-bot", "/feeds/bots/{bot}/", ALL),
    Row("feed-event", "/feeds/events/{event}/", ALL),
    Row("feed-event", "/feeds/events/{draft}/", NOT_THERE),
    Row("feed-person", "/feeds/people/olga/{feed}/", ALL),
    Row("feed-person", "/feeds/people/olga/x/", NOT_THERE),
    Row("feed-following", "/feeds/following/olga/{feed}/", ALL),
    Row("feed-following", "/feeds/following/olga/x/", NOT_THERE),
    Row("favicon", "/favicon.ico", DONE),
    *(Row("list-elsewhere", f"/{name}/", DONE) for name in LISTS),
]


@pytest.fixture
def furnished(db: None) -> Furnished:
    return again(a_furnished_world)


def clients(world: World) -> dict[str, Client]:
    people: dict[str, User] = {"owner": world.owner, "other": world.other, "staff": world.staff}
    return {asker: signed_in(people.get(asker)) for asker in ASKERS}


def another(client: Client) -> Client:
    """A client with the same session, whatever the first one is answered; both ask one and the same site."""
    fresh = Client()
    fresh.handler = client.handler
    fresh.cookies.update(client.cookies)
    return fresh


def status_of(answer: HttpResponse) -> int:
    """The status; a visitor who posts signs in on the spot, so that nothing typed is lost: as good as a redirect."""
    return 302 if b'name="kept"' in answer.content else answer.status_code


def runs_nothing_and_stands_in_no_frame(answer: HttpResponse) -> None:
    """No page is shown in another site's, or runs what stands in it."""
    assert answer["X-Frame-Options"] == "DENY"
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@dataclass(frozen=True, slots=True)
class Asking:
    """Everybody, each of whom meets the world as it was."""

    named: dict[str, object]
    clients: dict[str, Client]
    before: list[object]  # what is owned

    def answers(self, row: Row, method: str, askers: Iterable[str]) -> tuple[dict[str, int], list[str]]:
        """The status for each of them, and whose sending changed anything. Every answer is a safe one."""
        typed, statuses, changed = {name: str(value).format(**self.named) for name, value in row.form}, {}, []
        for asker in askers:
            client = self.clients[asker]
            before, so_far = transaction.savepoint(), written()
            answer = getattr(another(client), method)(row.path.format(**self.named), typed)
            statuses[asker] = status_of(answer)
            if row.name != "embed":  # it is made for frames; `test_films` looks at it
                runs_nothing_and_stands_in_no_frame(answer)
            changed += [asker] if written() != so_far and owned() != self.before else []
            transaction.savepoint_rollback(before)
        return statuses, changed


def test_who_sees_what_and_who_may_do_what(furnished: Furnished) -> None:
    asking = Asking(named=furnished.named, clients=clients(furnished.world), before=owned())
    for row in TABLE:
        for method, expected in (("get", row.seen), ("post", row.sent)):
            due = dict(zip(ASKERS, expected, strict=True))
            statuses, changed = asking.answers(row, method, due)
            assert (method, row.path, statuses) == (method, row.path, due)
            changing = ["owner"] * row.is_change + ["nobody"] * row.makes_guest
            assert (row.path, changed) == (row.path, changing if method == "post" else [])
    assert owned() == asking.before


def test_the_table_misses_no_page() -> None:
    named = {route.name or "favicon" for route in routes()}
    assert named == {row.name for row in TABLE}


def test_no_page_takes_another_method(furnished: Furnished) -> None:
    named, client = furnished.named, signed_in(furnished.world.owner)
    methods = ("put", "patch", "delete")
    for row in TABLE:
        for method in methods:
            answer = getattr(client, method)(row.path.format(**named))
            assert (row.path, answer.status_code, method.upper() in answer["Allow"]) == (row.path, 405, False)


def test_neither_a_workers_key_nor_a_token_is_anybody_to_a_page(furnished: Furnished) -> None:
    named = furnished.named
    stranger = Client()
    headers = (f"Worker {worker_token('tester')}", f"Token {make_token(user=furnished.world.owner, name='x')}")
    for row in TABLE:
        for header in headers:
            answer = another(stranger).get(row.path.format(**named), headers={"Authorization": header})
            assert (row.path, answer.status_code) == (row.path, row.seen[ASKERS.index("nobody")])
            assert (row.path, b"Sign out" in answer.getvalue()) == (row.path, False)


def test_nothing_is_sent_to_any_page_without_its_form(furnished: Furnished) -> None:
    named = furnished.named
    client = Client(enforce_csrf_checks=True)
    client.force_login(furnished.world.owner)
    for row, another_method in zip(TABLE, cycle(("put", "patch", "delete")), strict=False):
        for method in ("post", another_method):
            if row.name in ("unsubscribe", "language", "sign-on-assertion", "sign-on-launch"):
                continue  # a signature opens it, or the form is on pages that are kept for all
            answer = getattr(client, method)(row.path.format(**named))
            assert (row.path, answer.status_code) == (row.path, 403)
            assert "CSRF" not in answer.content.decode()


AWAY = ("https://evil.example/", "//evil.example/", "/\\evil.example", "https:evil.example", "javascript:alert(1)")


@pytest.mark.parametrize("away", AWAY)
def test_no_next_leads_to_another_site(away: str, pages_world: World) -> None:
    typed = {"username": "olga", "password": "the password of olga", "next": away}
    for answer in (
        Client().post("/sign-in/", typed),
        Client().post("/sign-in/", typed, query_params={"next": away}),
        signed_in(pages_world.owner).get("/sign-in/", {"next": away}),
        signed_in(pages_world.owner).post("/sign-out/", {"next": away}),
    ):
        assert answer.status_code == 302
        assert "evil" not in answer["Location"]
        assert "alert" not in answer["Location"]


EXTRA = {
    "owner": "2",
    "user": "2",
    "is_staff": "1",
    "is_superuser": "1",
    "is_active": "0",
    "status": "active",
    "pk": "1",
}


@pytest.mark.parametrize("path", ["/sign-up/", "/account/", "/account/password/", "/tokens/", "/upload/"])
def test_fields_that_no_form_has_change_nothing(path: str, pages_world: World) -> None:
    forms: dict[str, dict[str, object]] = {
        "/sign-up/": {"username": "nina", "password1": "vermilion tea house", "password2": "vermilion tea house"},
        "/account/password/": {
            "old_password": "the password of olga",
            "new_password1": "vermilion tea house",
            "new_password2": "vermilion tea house",
        },
        "/tokens/": {"name": "laptop", "days": "7", "password": "the password of olga"},
    }
    client = Client() if path == "/sign-up/" else signed_in(pages_world.owner)
    client.post(path, forms.get(path, {"game": "zaibatsu", "name": "Another"}) | EXTRA)
    assert set(User.objects.filter(is_staff=True)) == {pages_world.staff}
    assert not User.objects.filter(is_superuser=True).exists()
    assert not User.objects.filter(is_active=False).exists()
    assert not pages_world.other.tokens.exists()
    assert pages_world.other.bots.count() == 1


def test_an_error_of_ours_tells_nothing_of_our_insides(pages_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("secret insides")

    monkeypatch.setattr("tournaments.web.pages.home.ladder_cards", fails)
    client = Client(raise_request_exception=False)
    page = client.get("/")
    assert page.status_code == 500
    for word in ("secret insides", "RuntimeError", "Traceback", "tournaments", settings.SECRET_KEY):
        assert word not in page.content.decode()
