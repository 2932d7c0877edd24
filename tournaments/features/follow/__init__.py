"""Following bots, people, ladders and events: a timeline, a feed, notices of what matters, and a letter of the week.

News are written once, in the transaction in which they happen. Who may see them is asked when they are read, so nobody
reads of what they can no longer see. The dispatcher tells followers, a few at a time.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature, Step
from tournaments.features.follow import news, steps, weekly
from tournaments.web.pages.methods import seen, sent

page, endpoint = routes_of("tournaments.features.follow.pages"), routes_of("tournaments.features.follow.api")

FOLLOW = Feature(
    name="follow",
    steps=(
        Step(
            name="pending news",
            run=steps.tell_followers,
            pending="SELECT FROM tournaments_newsitem WHERE told IS NOT NULL OR missed <> '[]'",
        ),
        Step(name="old news", run=steps.forget_old_news, every=600.0),
        Step(
            name="weekly letters",
            run=weekly.write_letters,
            every=1.0,
            pending="SELECT FROM tournaments_weeklyletter WHERE due_at <= now()",
        ),
    ),
    pages=(
        page("following/", "timeline_page", seen, name="following"),
        page("following/matches/", "followed_matches", seen, name="following-matches"),
        page("following/list/", "follows_page", seen, name="follows"),
        page("following/<int:number>/remove/", "stop_following", sent, name="unfollow"),
        page("follow/<slug:kind>/<str:name>/", "follow_target", sent, name="follow"),
        page("feeds/following/<str:name>/<str:key>/", "timeline_feed", seen, name="feed-following"),
    ),
    endpoints=(
        endpoint("follows", "Follows", name="follows"),
        endpoint("follows/<int:follow>", "OneFollow", name="follow"),
        endpoint("timeline", "Timeline", name="timeline"),
    ),
    happened=news.write_news,
    unsaid=news.forget_unsaid,
    ladder_closed=news.write_closing,
    ladder_opened=news.write_opening,
)
