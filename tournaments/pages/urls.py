from django.contrib.auth.views import LogoutView
from django.templatetags.static import static
from django.urls import path
from django.views.decorators.http import require_GET, require_http_methods, require_safe
from django.views.generic import RedirectView

from tournaments.pages import (
    accounts,
    audit,
    bots,
    docs,
    editor,
    events,
    films,
    home,
    ladders,
    live,
    matches,
    overall,
    passwords,
    requests,
    second_factor,
    streams,
    tokens,
    uploads,
)
from tournaments.pages.desk import urls as desk
from tournaments.pages.shared import shared

seen, listened = require_safe, require_GET
form = require_http_methods(["GET", "HEAD", "POST"])

urlpatterns = [
    path("", shared(home.home), name="home"),
    path("live/", shared(live.live), name="live"),
    path("live/stream", listened(streams.site_stream), name="site-stream"),
    path("live/matches/<int:number>/stream", listened(streams.match_stream), name="match-stream"),
    path("live/ladders/<slug:slug>/stream", listened(streams.ladder_stream), name="ladder-stream"),
    path("live/events/<slug:slug>/stream", listened(streams.event_stream), name="event-stream"),
    path("audit/", seen(audit.audit), name="audit"),
    path("overall/", shared(overall.overall), name="overall"),
    path("ladders/<slug:slug>/", shared(ladders.ladder), name="ladder"),
    path("ladders/<slug:slug>/enter/", ladders.enter_ladder, name="ladder-enter"),
    path("entries/<int:entry>/withdraw/", ladders.withdraw_entry, name="entry-withdraw"),
    *desk.urlpatterns,
    path("docs/", seen(docs.docs), name="docs"),
    path("docs/files/<path:name>", seen(docs.doc_file), name="doc-file"),
    path("docs/<path:name>/", seen(docs.doc), name="doc"),
    path("events/", shared(events.events), name="events"),
    path("events/<slug:slug>/", shared(events.event), name="event"),
    path("events/<slug:slug>/register/", events.register_bot, name="event-register"),
    path("entrants/<int:number>/withdraw/", events.withdraw_entrant, name="entrant-withdraw"),
    path("bots/<int:number>/", shared(bots.bot), name="bot"),
    path("bots/<int:number>/activate/", bots.activate_version, name="bot-activate"),
    path("bots/<int:number>/gate/", bots.choose_gate, name="bot-gate"),
    path("bots/<int:number>/friendly/", requests.ask_for_friendly, name="bot-friendly"),
    path("bots/<int:number>/upload/", form(uploads.upload_version), name="bot-upload"),
    path("matches/<int:number>/", shared(matches.match), name="match"),
    path("editor/", form(editor.editor), name="editor"),
    path("drafts/", seen(editor.drafts), name="drafts"),
    path("drafts/<int:number>/", form(editor.draft), name="draft"),
    path("drafts/<int:number>/delete/", editor.delete_draft, name="draft-delete"),
    path("matches/<int:number>/film/", seen(films.film), name="film"),
    path("upload/", form(uploads.upload_bot), name="upload"),
    path("sign-up/", form(accounts.SignUp.as_view()), name="sign-up"),
    path("sign-in/", form(accounts.SignIn.as_view()), name="sign-in"),
    path("sign-in/code/", form(accounts.SignInCode.as_view()), name="sign-in-code"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("account/", form(accounts.account), name="account"),
    path("account/password/", form(passwords.change_password), name="password"),
    path("account/second-factor/", form(second_factor.second_factor), name="second-factor"),
    path("account/second-factor/code.svg", seen(second_factor.picture), name="second-factor-picture"),
    path("lost-password/", form(passwords.lost_password), name="lost-password"),
    path("lost-password/<uidb64>/<token>/", form(passwords.ResetPassword.as_view()), name="reset-password"),
    path("tokens/", form(tokens.tokens), name="tokens"),
    path("tokens/revoke/", tokens.revoke_all_tokens, name="tokens-revoke"),
    path("tokens/<int:number>/revoke/", tokens.revoke_token, name="token-revoke"),
    path("favicon.ico", seen(RedirectView.as_view(url=static("boardroom/icon.svg")))),  # for pages that are not ours
]
