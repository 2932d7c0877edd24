"""What is posted to the webhooks of a space, or of an event and its space."""

from django.db.models import Q
from django.utils import timezone

from tournaments.core.accounts.spaces import runs
from tournaments.core.feature import News
from tournaments.core.notices.create import has_room, notice_values
from tournaments.core.notices.webhooks import space_of_news
from tournaments.models import Bot, Delivery, Event, Ladder, Notice, Webhook


def post_news(news: News) -> None:
    """Post to each webhook of the space or event, once for the same key.

    The person who added a webhook finds it among their notices. One who no longer runs the space posts nothing there.
    """
    of, now = news.of, timezone.now()
    if isinstance(of, Ladder | Bot):
        return
    space = space_of_news(of)
    kind, name = (Notice.Kind.EVENT, "event") if isinstance(of, Event) else (Notice.Kind.SPACE, "space")
    its_own = Q(**{name: of.pk})
    belonging = its_own if space is None else its_own | Q(space=space)
    values = {**notice_values(kind, news.text, news.path, {name: of.slug}), "read_at": now}
    for hook in Webhook.objects.filter(belonging, stopped="").select_related("user"):
        if runs(hook.user, space) and has_room(hook.user):
            notice = Notice.objects.get_or_create(user=hook.user, key=f"{news.key[:113]} posted", defaults=values)[0]
            Delivery.objects.get_or_create(notice=notice, webhook=hook, defaults={"next_at": now})
