"""The addresses of practice games."""

from tournaments.core.config.routes import routes_of
from tournaments.web.pages.methods import form, seen

page, endpoint = routes_of("tournaments.features.practice"), routes_of("tournaments.features.practice.api")

PAGES = (
    page("play/", "pages.lobby", seen, name="play"),
    page("play/fork/", "pages.fork_match", form, name="fork"),
    page("play/under/<slug:slug>/", "pages.begin_game", form, name="play-begin"),
    page("play/<int:number>/", "pages.practice", form, name="practice"),
    page("play/<int:number>/state/", "pages.practice_state", seen, name="practice-state"),
    page("play/<int:number>/table/<slug:action>/", "table_pages.do_at_table", name="practice-table"),
    page("play/join/<str:key>/", "table_pages.join_table", form, name="practice-join"),
    page("play/<int:number>/leave/", "pages.leave_game", name="practice-leave"),
    page("play/<int:number>/retry/", "pages.retry_game", name="practice-retry"),
    page("play/<int:number>/again/", "pages.play_once_more", name="practice-again"),
    page("play/<int:number>/replay/", "pages.replay_file", seen, name="practice-replay"),
    page("play/<int:number>/share/", "shared_games.share_game", name="practice-share"),
    page("play/<int:number>/take-back/", "shared_games.take_back_game", name="practice-take-back"),
    page("play/shared/<str:key>/", "shared_games.shared_game", seen, name="shared-game"),
    page("play/shared/<str:key>/film/", "shared_games.shared_film", seen, name="shared-film"),
    page("play/<int:number>/film/", "pages.practice_film", seen, name="practice-film"),
)
ENDPOINTS = (
    endpoint("practices", "Practices", name="practices"),
    endpoint("practice-seats", "PracticeJoin", name="practice-join"),
    *(
        endpoint(f"practices/<int:practice>/table/{does}", f"Table{does.title()}", name=f"practice-{does}")
        for does in ("invite", "uninvite", "fill", "start", "end", "return")
    ),
    endpoint("practices/<int:practice>", "OnePractice", name="practice"),
    endpoint("practices/<int:practice>/answers", "PracticeAnswer", name="practice-answer"),
    endpoint("practices/<int:practice>/leave", "PracticeLeave", name="practice-leave"),
    endpoint("practices/<int:practice>/retry", "PracticeRetry", name="practice-retry"),
    endpoint("practices/<int:practice>/again", "PracticeAgain", name="practice-again"),
    endpoint("practices/<int:practice>/share", "PracticeShare", name="practice-share"),
    endpoint("practices/<int:practice>/replay", "PracticeReplay", name="practice-replay"),
    endpoint("matches/<int:match>/fork", "MatchFork", name="match-fork"),
)
