from django.urls import re_path

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import features
from tournaments.site import acts_api as acts
from tournaments.web.api import root

app_name = "api"
view, site_view = routes_of("tournaments.web.api"), routes_of("tournaments.site")

urlpatterns = [
    view("", "root.Index", name="index"),
    view("schema/", "root.Document", name="schema"),
    view("docs/", "root.Docs", name="docs"),
    view("tokens", "tokens.Tokens", name="tokens"),
    view("tokens/<int:token>", "tokens.OneToken", name="token"),
    site_view("bots", "bots_api.Bots", name="bots"),
    site_view("bots/<int:bot>", "bots_api.OneBot", name="bot"),
    site_view("bots/<int:bot>/versions", "bots_api.Versions", name="versions"),
    site_view("bots/<int:bot>/versions/<int:number>", "bots_api.OneVersion", name="version"),
    site_view("bots/<int:bot>/versions/<int:number>/activate", "bots_api.Activate", name="activate"),
    view("ladders", "ladders.Ladders", name="ladders"),
    view("ladders/<slug:slug>", "ladders.OneLadder", name="ladder"),
    view("ladders/<slug:slug>/standings", "ladders.Standings", name="standings"),
    view("ladders/<slug:slug>/ledger", "ladders.LedgerLines", name="ledger"),
    view("ladders/<slug:slug>/moves", "ladders.Moves", name="moves"),
    view("ladders/<slug:slug>/entries", "ladders.Entries", name="entries"),
    view("ladders/<slug:slug>/entries/<int:entry>", "ladders.OneEntry", name="entry"),
    view("matches", "matches.Matches", name="matches"),
    view("matches/<int:match>", "matches.OneMatch", name="match"),
    view("matches/<int:match>/replay", "matches.Replay", name="replay"),
    view("matches/<int:match>/notes", "notes.MatchNotes", name="match-notes"),
    view("matches/<int:match>/proof", "matches.Proof", name="proof"),
    view("people/<str:name>", "people.OnePerson", name="person"),
    view("account", "account.Account", name="account"),
    view("account/email", "account.Email", name="account-email"),
    view("account/letter", "account.Letter", name="account-letter"),
    view("account/feed", "account.Feed", name="account-feed"),
    view("notices", "account.Notices", name="notices"),
    view("notices/read", "account.NoticesRead", name="notices-read"),
    view("webhooks", "webhooks.Webhooks", name="webhooks"),
    view("webhooks/<int:webhook>", "webhooks.OneWebhook", name="webhook"),
    view("webhooks/<int:webhook>/test", "webhooks.WebhookTest", name="webhook-test"),
    *(route for feature in features() for route in feature.endpoints),
    view("audit", "audit.Audit", name="audit"),
    view("audit/log", "audit.AuditLines", name="audit-log"),
    *acts.addresses,
    site_view("bundles/<slug:sha256>", "bundles_api.OneBundle", name="bundle"),
    re_path("", root.Elsewhere.as_view(), name="elsewhere"),
]
