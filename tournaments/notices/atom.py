"""Atom feeds (RFC 4287): of a ladder, a bot, an event, and of a person's own notices."""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

from tournaments.models import Act, Announcement, Bot, Event, Ladder, Match, Notice, Seat, User

LENGTH = 50  # entries
Entry = tuple[str, str, str, datetime]  # what makes it unique, its title, its path, when


def of_ladder(ladder: Ladder, matches: Iterable[Match]) -> str:
    words = Announcement.objects.filter(ladder=ladder, withdrawn=None).select_related("act").order_by("-pk")[:LENGTH]
    told = [
        (f"announcement-{said.pk}", said.text[:200], reverse("ladder", args=[ladder.slug]), said.act.at)
        for said in words
    ]
    return _feed(f"{ladder}", reverse("ladder", args=[ladder.slug]), [*told, *map(_played, matches)])


def of_bot(bot: Bot, matches: Iterable[Match]) -> str:
    return _feed(f"{bot}", reverse("bot", args=[bot.pk]), map(_played, matches))


def of_event(event: Event, matches: Iterable[Match]) -> str:
    acts = Act.objects.filter(subject=f"event {event.slug}").order_by("-number")[:LENGTH]
    page = reverse("event", args=[event.slug])
    told = [(f"act-{act.number}", " ".join(act.detail.get("says", [act.kind])), page, act.at) for act in acts]
    return _feed(f"{event}", page, [*told, *map(_played, matches)])


def of_person(user: User) -> str:
    notices = Notice.objects.filter(user=user).order_by("-pk")[:LENGTH]
    told = [(f"notice-{notice.pk}", notice.text, notice.path, notice.at) for notice in notices]
    return _feed(f"Notices for {user}", reverse("notices"), told)


def _played(match: Match) -> Entry:
    seats = sorted(match.seats.all(), key=lambda seat: (seat.place or 0, seat.number))
    title = f"Match {match.pk}: {', '.join(map(_placed, seats))}"
    return f"match-{match.pk}", title, reverse("match", args=[match.pk]), match.result.recorded_at


def _placed(seat: Seat) -> str:
    return f"{seat.place}. {seat.version.bot.name}"


def _feed(title: str, page: str, entries: Iterable[Entry]) -> str:
    site = settings.SITE_URL
    feed = Atom1Feed(f"{title} · Boardroom", f"{site}{page}", "", author_name="Boardroom")
    for name, words, path, at in sorted(entries, key=lambda entry: entry[3], reverse=True)[:LENGTH]:
        feed.add_item(words, f"{site}{path}", "", unique_id=f"{site}/#{name}", updateddate=at, pubdate=at)
    return str(feed.writeString("utf-8"))
