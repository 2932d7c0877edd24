"""What the dispatcher does for followers: notices of what matters, and an end of old news."""

from collections.abc import Collection
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.accounts.visibility import released_news
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.core.notices.create import notify_many
from tournaments.features.follow.news import news_with_rows, sentence_of_news
from tournaments.features.follow.rules import about_seen_targets
from tournaments.models import Follow, NewsItem, Notice, User
from tournaments.models.follows import TARGETS
from workers.isolation import apart, handle_each

LOOP = "followers"
A_TURN = 250  # followers that are told in one turn
ITEMS = 20  # news that are looked at in one turn
KEPT, BATCH = timedelta(days=90), 1000
TOLD = declare(
    Budget(
        "notices to followers",
        resource="Actions and notices",
        most=10_000,
        unit="notices",
        holder="bot, ladder or event",
        where="tournaments.features.follow.steps.tell_next",
        sentence=Sentence(
            "at most %(most)s notices a day go to followers; the others read the news on their timelines"
        ),
        seconds=86_400,
        setting="FOLLOWERS_A_DAY",
    )
)


def tell_followers() -> int:
    """Tell the next followers of the oldest news that all are not told of yet, and again whom it failed to tell."""
    waiting = news_with_rows().filter(told__isnull=False).order_by("pk")[:ITEMS]
    oldest = [item for item in waiting if FAILING_ITEMS.may_try(LOOP, item_name(item))][:1]
    done = handle_each(LOOP, oldest, tell_next, FAILING_ITEMS, item_name)
    failed = news_with_rows().exclude(missed=[]).order_by("pk")[:ITEMS]
    return done + handle_each(LOOP, failed, tell_missed, FAILING_ITEMS, lambda item: f"missed of {item_name(item)}")


@transaction.atomic
def tell_next(item: NewsItem) -> int:
    """Tell the next followers, in one transaction with how far it came. Returns how many there were."""
    about = Q(*(Q(**{target: getattr(item, f"{target}_id")}) for target in TARGETS if getattr(item, f"{target}_id")))
    rows = Follow.objects.filter(about, pk__gt=item.told or 0, since__lte=item.at).order_by("pk")
    follows = list(rows.values_list("pk", "user")[:A_TURN])
    missed: list[int] = []
    try:
        if follows:
            spend_budget(TOLD, f"{item.bot_id} {item.ladder_id} {item.event_id}", len(follows))
        missed = tell_accounts(item, [user for _, user in follows])
    except Refused:
        follows = []
    told = follows[-1][0] if len(follows) == A_TURN else None
    NewsItem.objects.filter(pk=item.pk).update(told=told, missed=[*item.missed, *missed])
    return len(follows)


@transaction.atomic
def tell_missed(item: NewsItem) -> int:
    """Tell those whose notice failed, each after its pause. Returns how many were told."""
    missed = tell_accounts(item, item.missed, together=False)
    NewsItem.objects.filter(pk=item.pk).update(missed=missed)
    return len(item.missed) - len(missed)


def tell_accounts(item: NewsItem, accounts: Collection[int], *, together: bool = True) -> list[int]:
    """Tell these people at once; if that fails, one by one. Returns those who could not be told."""
    if together and apart(LOOP, "all at once", partial(notify_followers, item, accounts), FAILING_ITEMS) is not None:
        return []
    done = {
        account: apart(
            LOOP, f"news {item.pk} to account {account}", partial(notify_followers, item, [account]), FAILING_ITEMS
        )
        for account in accounts
    }
    return [account for account, count in done.items() if count is None]


def notify_followers(item: NewsItem, accounts: Collection[int]) -> int:
    """Notify those of the accounts that may see it now and have no notice of it. Returns how many."""
    key = notice_key(item)
    waiting, is_public = User.objects.filter(pk__in=accounts, is_active=True), is_seen(item, None)
    chosen = [user.pk for user in waiting.exclude(notices__key=key) if is_public or is_seen(item, user)]
    people = User.objects.filter(pk__in=chosen)
    notify_many(people, Notice.Kind.FOLLOW, key, sentence_of_news(item), item.path, news=item.pk)
    return len(chosen)


def is_seen(item: NewsItem, viewer: User | None) -> bool:
    return NewsItem.objects.filter(about_seen_targets(viewer), released_news(), pk=item.pk).exists()


def notice_key(item: NewsItem) -> str:
    """Return the key of its notices: whoever plays in an event has the same ones, and of a bot's versions a day tells
    one."""
    if item.kind == NewsItem.Kind.VERSION:
        return f"versions of {item.bot_id} {item.at:%Y-%m-%d}"
    return item.key


def forget_old_news() -> int:
    """Delete news that nobody reads any more. Returns how many."""
    oldest = NewsItem.objects.order_by("pk").values_list("pk", "at")[:BATCH]
    old = [number for number, at in oldest if at < timezone.now() - KEPT]
    return NewsItem.objects.filter(pk__in=old).delete()[0] if old else 0
