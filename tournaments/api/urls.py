from django.urls import re_path

from tournaments.api import acts, root
from tournaments.config.routes import routes_of

app_name = "api"
view = routes_of("tournaments.api")

urlpatterns = [
    view("", "root.Index", name="index"),
    view("schema/", "root.Document", name="schema"),
    view("docs/", "root.Docs", name="docs"),
    view("tokens", "tokens.Tokens", name="tokens"),
    view("tokens/<int:token>", "tokens.OneToken", name="token"),
    view("bots", "bots.Bots", name="bots"),
    view("bots/<int:bot>", "bots.OneBot", name="bot"),
    view("bots/<int:bot>/overall", "bots.Overall", name="bot-overall"),
    view("bots/<int:bot>/trials", "bots.Trials", name="trials"),
    view("trials/<int:trial>", "bots.OneTrial", name="trial"),
    view("bots/<int:bot>/versions", "bots.Versions", name="versions"),
    view("bots/<int:bot>/versions/<int:number>", "bots.OneVersion", name="version"),
    view("bots/<int:bot>/versions/<int:number>/activate", "bots.Activate", name="activate"),
    view("overall", "ladders.OverallTable", name="overall"),
    view("ladders", "ladders.Ladders", name="ladders"),
    view("ladders/<slug:slug>", "ladders.OneLadder", name="ladder"),
    view("ladders/<slug:slug>/standings", "ladders.Standings", name="standings"),
    view("ladders/<slug:slug>/ledger", "ladders.LedgerLines", name="ledger"),
    view("ladders/<slug:slug>/history", "ladders.History", name="history"),
    view("ladders/<slug:slug>/head-to-head", "ladders.HeadToHead", name="head-to-head"),
    view("ladders/<slug:slug>/transitivity", "ladders.LineEnough", name="transitivity"),
    view("ladders/<slug:slug>/entries", "ladders.Entries", name="entries"),
    view("ladders/<slug:slug>/requests", "friendlies.Requests", name="requests"),
    view("ladders/<slug:slug>/entries/<int:entry>", "ladders.OneEntry", name="entry"),
    view("events", "events.Events", name="events"),
    view("events/<slug:slug>", "events.OneEvent", name="event"),
    view("events/<slug:slug>/plan", "events.OnePlan", name="plan"),
    view("events/<slug:slug>/entrants", "events.Entrants", name="entrants"),
    view("events/<slug:slug>/entrants/<int:entrant>", "events.OneEntrant", name="entrant"),
    view("matches", "matches.Matches", name="matches"),
    view("matches/<int:match>", "matches.OneMatch", name="match"),
    view("matches/<int:match>/replay", "matches.Replay", name="replay"),
    view("matches/<int:match>/proof", "matches.Proof", name="proof"),
    view("people/<str:name>", "people.OnePerson", name="person"),
    view("teams", "people.Teams", name="teams"),
    view("teams/<int:team>", "people.OneTeam", name="team"),
    view("audit", "audit.Audit", name="audit"),
    view("audit/log", "audit.AuditLines", name="audit-log"),
    *acts.addresses,
    view("bundles/<slug:sha256>", "bundles.OneBundle", name="bundle"),
    re_path("", root.Elsewhere.as_view(), name="elsewhere"),
]
