"""News: written where they happen, and read by those who follow what they are about."""

from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.visibility import released_news
from tournaments.core.feature import News
from tournaments.core.notices.triggers import winners_sentence
from tournaments.features.follow.rules import Target, about_seen_targets, kind_of_target
from tournaments.models import Act, Bot, Entrant, Ladder, NewsItem, Space, User
from tournaments.models.follows import TARGETS

Kind = NewsItem.Kind
TYPED = ("text", "reason")  # by organisers, in a sentence
NAMES = ("bot", "user", "event", "bots")  # of rows, which the sentence finds again when it is read
LONGEST = 400  # characters of what organisers typed


def write_news(news: News) -> None:
    """Write it once for the same key; again, it says something else. Of ranks only what somebody follows is kept."""
    of = news.of
    if isinstance(of, Space) or (isinstance(of, Bot) and news.kind == Kind.RANK and not of.follows.exists()):
        return
    about: dict[str, Target] = {kind_of_target(of): of}
    if isinstance(of, Bot) and news.kind == Kind.BOT:
        about["person"] = of.owner
    filled = news.text.filled
    sentence: dict[str, Any] = {
        "template": news.text.sentence,
        "filled": {name: str(value) for name, value in filled.items() if name not in (*TYPED, *NAMES, *about)},
        "text": next((filled[name][:LONGEST] for name in TYPED if name in filled), ""),
    }
    first = {"kind": news.kind, "round": news.round, "path": news.path, **about, **sentence}
    told = 0 if news.kind in NewsItem.NOTIFIED else None
    NewsItem.objects.update_or_create(key=news.key[:120], defaults=sentence, create_defaults={**first, "told": told})


def write_closing(ladder: Ladder, act: Act) -> None:
    text = Sentence("%(ladder)s is closed; its standings are final.", ladder=ladder)
    write_news(_status_of(ladder, f"act {act.number} closed", text))


def write_opening(ladder: Ladder) -> None:
    text = Sentence("%(ladder)s is open again.", ladder=ladder)
    write_news(_status_of(ladder, f"ladder {ladder.pk} opened {timezone.now().isoformat()}", text))


def _status_of(ladder: Ladder, key: str, text: Sentence) -> News:
    return News(of=ladder, kind=Kind.STATUS, key=key, text=text, path=reverse("ladder", args=[ladder.slug]))


def forget_unsaid(act: Act) -> None:
    NewsItem.objects.filter(key=f"act {act.number}").delete()


def news_with_rows() -> QuerySet[NewsItem]:
    """Return all news with what their sentences name."""
    winners = Prefetch("event__entrants", Entrant.objects.filter(place=1).select_related("bot").order_by("pk"), "first")
    return NewsItem.objects.select_related("bot", "person", "ladder", "event").prefetch_related(winners)


def timeline(user: User) -> QuerySet[NewsItem]:
    """Return the news of what the person follows, as far as they may see it now."""
    follows = list(user.follows.values_list(*TARGETS))
    of_mine = ((target, [row[at] for row in follows if row[at]]) for at, target in enumerate(TARGETS))
    followed = reduce(or_, (Q(**{f"{target}__in": numbers}) for target, numbers in of_mine))
    return news_with_rows().filter(followed, about_seen_targets(user), released_news())


def sentence_of_news(item: NewsItem) -> Sentence:
    """Return what happened, with the present names of all that it is about."""
    if item.kind == Kind.WINNER and item.event and (winners := vars(item.event)["first"]):
        return winners_sentence(item.event, winners)
    rows = {"bot": item.bot, "user": item.person, "ladder": item.ladder, "event": item.event}
    names, template = {name: row for name, row in rows.items() if row}, item.template
    return Sentence(template, **{**item.filled, **dict.fromkeys(TYPED, item.text), **names})
