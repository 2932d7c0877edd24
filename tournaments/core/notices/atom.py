"""Atom feeds (RFC 4287): of a ladder, a bot, an event, and of a person's own notices."""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

from tournaments.audit.log import load_details
from tournaments.core.config.plain_text import one_line
from tournaments.core.notices.headlines import headline_of
from tournaments.models import Act, Announcement, Bot, Event, Ladder, Match, Notice, Seat, User

LENGTH = 50  # entries
FeedEntry = tuple[str, str, str, datetime]  # a unique name, its title, its path, its time


def ladder_feed_text(ladder: Ladder, matches: Iterable[Match]) -> str:
    announcements = (
        Announcement.objects.filter(ladder=ladder, withdrawn=None).select_related("act").order_by("-pk")[:LENGTH]
    )
    entries = [
        (
            f"announcement-{one.pk}",
            f"{one.title} {one.text}".strip()[:200],
            reverse("ladder", args=[ladder.slug]),
            one.act.at,
        )
        for one in announcements
    ]
    paths = reverse("ladder", args=[ladder.slug]), reverse("feed-ladder", args=[ladder.slug])
    return feed_text(f"{ladder}", paths, [*entries, *map(_played, matches)], ladder.created_at)


def bot_feed_text(bot: Bot, matches: Iterable[Match]) -> str:
    paths = reverse("bot", args=[bot.pk]), reverse("feed-bot", args=[bot.pk])
    return feed_text(f"{bot}", paths, map(_played, matches), bot.created_at)


def event_feed_text(event: Event, matches: Iterable[Match]) -> str:
    acts = list(Act.objects.filter(subject=f"event {event.slug}").defer("detail").order_by("-number")[:LENGTH])
    page = reverse("event", args=[event.slug])
    load_details(acts)
    entries = [(f"act-{act.number}", " ".join(act.detail.get("says", [act.kind])), page, act.at) for act in acts]
    paths = page, reverse("feed-event", args=[event.slug])
    return feed_text(f"{event}", paths, [*entries, *map(_played, matches)], event.created_at)


def person_feed_text(user: User) -> str:
    notices = Notice.objects.filter(user=user).order_by("-pk")[:LENGTH]
    entries = [(f"notice-{notice.pk}", notice.text, notice.path, notice.at) for notice in notices]
    paths = reverse("notices"), reverse("feed-person", args=[user.username, user.feed_key])
    return feed_text(f"Notices for {user}", paths, entries, user.date_joined)


def _played(match: Match) -> FeedEntry:
    seats = sorted(match.seats.all(), key=lambda seat: (seat.place or 0, seat.number))
    trial = match.set.trial_id  # whose seats differ by their versions alone
    who = ", ".join(f"{_placed(seat)} v{seat.version.number}" if trial else _placed(seat) for seat in seats)
    who = headline_of(match) or who
    what = "trial" if trial else "friendly set" if match.set.asked_by_id else ""
    title = f"Match {match.pk} ({what}, not rated): {who}" if what else f"Match {match.pk}: {who}"
    return f"match-{match.pk}", title, reverse("match", args=[match.pk]), match.result.recorded_at


def _placed(seat: Seat) -> str:
    return f"{seat.place}. {seat.version.bot.name}"


class _Feed(Atom1Feed):
    """While nothing is in it, it is as old as what it is about, so that it does not change with every minute."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else self.feed["begun"]


def feed_text(title: str, paths: tuple[str, str], entries: Iterable[FeedEntry], begun: datetime) -> str:
    """Return a feed of the latest entries. `paths`: of the page that it is about, and its own."""
    site = settings.SITE_URL
    page, own = (f"{site}{path}" for path in paths)
    feed = _Feed(one_line(f"{title} · Boardroom"), page, "", author_name="Boardroom", feed_url=own, begun=begun)
    for name, title, path, at in sorted(entries, key=lambda entry: entry[3], reverse=True)[:LENGTH]:
        feed.add_item(one_line(title), f"{site}{path}", "", unique_id=f"{site}/#{name}", updateddate=at, pubdate=at)
    return str(feed.writeString("utf-8"))
