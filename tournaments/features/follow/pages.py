"""The timeline of what one follows, the list of it, the buttons, and the feed."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.core.errors import Refused
from tournaments.core.notices.atom import LENGTH as FEED_LENGTH
from tournaments.core.notices.atom import feed_text
from tournaments.features.follow import rules
from tournaments.features.follow.news import sentence_of_news, timeline
from tournaments.models import Version
from tournaments.web.pages import match_lists
from tournaments.web.pages.feeds import feed_owner_or_404, feed_response
from tournaments.web.pages.lookup import row_or_404
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.run_action import act
from tournaments.web.pages.sentences import in_page_language, say
from tournaments.web.pages.who_asks import signed_in

LENGTH = 30  # news on a page
VERSIONS = 500  # that played last, whose matches are looked for


@login_required
@never_cache
def timeline_page(request: HttpRequest) -> HttpResponse:
    """The news, newest first; `?before=` continues below one."""
    user, before = signed_in(request), whole(request.GET.get("before"))
    rows = timeline(user).order_by("-pk")
    found = list((rows.filter(pk__lt=before) if before else rows)[: LENGTH + 1])
    context = {
        "news": [(item, in_page_language(sentence_of_news(item))) for item in found[:LENGTH]],
        "older": found[LENGTH - 1].pk if len(found) > LENGTH else None,
        "newest": before is None,
        "feed": reverse("feed-following", args=[user.username, user.feed_key]) if user.feed_key else "",
    }
    return render(request, "follow/timeline.html", context)


@login_required
@never_cache
def followed_matches(request: HttpRequest) -> HttpResponse:
    """The latest matches of the bots that one follows and sees."""
    user = signed_in(request)
    bots = rules.targets_seen_by(user, "bot").filter(follows__user=user)
    played = Version.objects.filter(bot__in=bots.values("pk")).exclude(activated_at=None).order_by("-activated_at")
    matches = match_lists.recorded_matches(user).filter(match_lists.NO_TRIALS)
    versions = list(played.values_list("pk", flat=True)[:VERSIONS])
    page = match_lists.of_versions(matches, versions, request.GET.get("before"))
    return render(request, "follow/matches.html", {"page": page})


@login_required
@never_cache
def follows_page(request: HttpRequest) -> HttpResponse:
    """All that one follows, the latest first; what one no longer sees has no name, and can be left."""
    user = signed_in(request)
    seen = {follow.pk: follow.target for follow in rules.follows_seen_by(user)}
    rows = [
        (number, target, rules.path_of_target(target) if target else "")
        for number in user.follows.order_by("-pk").values_list("pk", flat=True)
        for target in [seen.get(number)]
    ]
    return render(request, "follow/follows.html", {"follows": rows, "most": rules.FOLLOWED.most})


@login_required
def follow_target(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """Follow what the address names."""
    user = signed_in(request)
    try:
        target = rules.target_named(user, kind, name)
    except (KeyError, Refused):
        raise Http404("There is nothing of that name to follow.") from None
    done = say("You follow %(target)s now.", target=target)
    act(request, lambda: rules.start_following(user=user, target=target), done)
    return redirect(rules.path_of_target(target))


@login_required
def stop_following(request: HttpRequest, number: int) -> HttpResponse:
    """Stop following; from the list one comes back to it."""
    follow = row_or_404(signed_in(request).follows.filter(pk=number), say("You do not follow that any more."))
    seen = rules.follows_seen_by(signed_in(request)).filter(pk=number).first()
    follow.delete()
    return redirect(rules.path_of_target(seen.target) if seen and "list" not in request.POST else "follows")


def timeline_feed(request: HttpRequest, name: str, key: str) -> HttpResponse:  # noqa: ARG001
    """The news as an Atom feed, for whoever knows its key."""
    user = feed_owner_or_404(name, key)
    entries = [
        (f"news-{item.pk}", sentence_of_news(item), item.path, item.at)
        for item in timeline(user).order_by("-pk")[:FEED_LENGTH]
    ]
    paths = reverse("following"), reverse("feed-following", args=[user.username, user.feed_key])
    return feed_response(feed_text(f"What {user} follows", paths, entries, user.date_joined), "private, no-cache")
