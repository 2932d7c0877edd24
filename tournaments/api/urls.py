from django.urls import path, re_path

from tournaments.api import acts, audit, bots, bundles, events, ladders, matches, requests, root, tokens

app_name = "api"

urlpatterns = [
    path("", root.Index.as_view(), name="index"),
    path("schema/", root.Document.as_view(), name="schema"),
    path("docs/", root.Docs.as_view(), name="docs"),
    path("tokens", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<int:token>", tokens.OneToken.as_view(), name="token"),
    path("bots", bots.Bots.as_view(), name="bots"),
    path("bots/<int:bot>", bots.OneBot.as_view(), name="bot"),
    path("bots/<int:bot>/trials", bots.Trials.as_view(), name="trials"),
    path("bots/<int:bot>/versions", bots.Versions.as_view(), name="versions"),
    path("bots/<int:bot>/versions/<int:number>", bots.OneVersion.as_view(), name="version"),
    path("bots/<int:bot>/versions/<int:number>/activate", bots.Activate.as_view(), name="activate"),
    path("overall", ladders.OverallTable.as_view(), name="overall"),
    path("ladders", ladders.Ladders.as_view(), name="ladders"),
    path("ladders/<slug:slug>", ladders.OneLadder.as_view(), name="ladder"),
    path("ladders/<slug:slug>/standings", ladders.Standings.as_view(), name="standings"),
    path("ladders/<slug:slug>/ledger", ladders.LedgerLines.as_view(), name="ledger"),
    path("ladders/<slug:slug>/entries", ladders.Entries.as_view(), name="entries"),
    path("ladders/<slug:slug>/requests", requests.Requests.as_view(), name="requests"),
    path("ladders/<slug:slug>/entries/<int:entry>", ladders.OneEntry.as_view(), name="entry"),
    path("events", events.Events.as_view(), name="events"),
    path("events/<slug:slug>", events.OneEvent.as_view(), name="event"),
    path("events/<slug:slug>/plan", events.OnePlan.as_view(), name="plan"),
    path("events/<slug:slug>/entrants", events.Entrants.as_view(), name="entrants"),
    path("events/<slug:slug>/entrants/<int:entrant>", events.OneEntrant.as_view(), name="entrant"),
    path("matches", matches.Matches.as_view(), name="matches"),
    path("matches/<int:match>", matches.OneMatch.as_view(), name="match"),
    path("matches/<int:match>/replay", matches.Replay.as_view(), name="replay"),
    path("matches/<int:match>/proof", matches.Proof.as_view(), name="proof"),
    path("audit", audit.Audit.as_view(), name="audit"),
    path("audit/log", audit.AuditLines.as_view(), name="audit-log"),
    *acts.addresses,
    path("bundles/<slug:sha256>", bundles.OneBundle.as_view(), name="bundle"),
    re_path("", root.Elsewhere.as_view(), name="elsewhere"),
]
