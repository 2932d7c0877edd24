"""The letter of the week: how somebody's bots did, once a week is over by the site's clock, if anything happened."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import open_to
from tournaments.core.accounts.spending import budget_left, spend_budget
from tournaments.core.broker.failing_items import FAILING_ITEMS
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.notices.create import may_be_mailed, notify
from tournaments.ledger.statistics.upsets import FIELDS, Rated, mean_places
from tournaments.models import Bot, Ladder, Notice, RatingStep, User, WeeklyLetter
from tournaments.web.pages.people import Entered, bots_with_places
from tournaments.web.pages.sentences import say
from workers.isolation import handle_each

LOOP = "weekly letters"
A_TURN, LOOKED_AT = 5, 50  # letters that are written in one turn, and that are looked at
BOTS = 20  # in one letter
SETS = 500  # a bot's latest of the week that count
LETTERS = declare(
    Budget(
        "weekly letters",
        resource="Letters",
        most=5000,
        unit="letters",
        holder="site",
        where="tournaments.features.follow.weekly.send_week",
        sentence=Sentence("at most %(most)s weekly letters a day are sent; the others wait for the next day"),
        seconds=86_400,
        setting="WEEKLY_LETTERS_A_DAY",
    )
)
Places = Mapping[str, int]  # ranks by entry


class Week(NamedTuple):
    """A week from Monday to Monday, and the end of the one after it."""

    begin: datetime
    end: datetime
    next_end: datetime


@dataclass(frozen=True, slots=True)
class BotWeek:
    """How a bot did in a week. Its best win is the set in which the highest rated bot was behind it."""

    bot: Bot
    places: list[tuple[Ladder, int | None, int]]  # a week ago, and now
    sets: int
    won: int
    best: Rated | None
    followers: int

    @property
    def is_news(self) -> bool:
        return bool(self.sets or self.followers or any(before not in (None, now) for _, before, now in self.places))


def last_week(now: datetime) -> Week:
    """Return the last week that is over by the site's clock."""
    zone = ZoneInfo(settings.SITE_TIME_ZONE)
    today = now.astimezone(zone).date()
    monday = today - timedelta(days=today.weekday())
    return Week(*(datetime.combine(monday + timedelta(weeks=weeks), time(), tzinfo=zone) for weeks in (-1, 0, 1)))


def write_letters() -> int:
    """Write the next letters that are due, as long as the site may send some. Returns how many were looked at."""
    most = min(A_TURN, budget_left(LETTERS, "site"))
    if most <= 0:
        return 0
    due = WeeklyLetter.objects.filter(due_at__lte=timezone.now()).select_related("user").order_by("due_at", "pk")
    tried = [letter for letter in due[:LOOKED_AT] if FAILING_ITEMS.may_try(LOOP, account_name(letter))]
    return handle_each(LOOP, tried[:most], write_letter, FAILING_ITEMS, name=account_name)


def account_name(letter: WeeklyLetter) -> str:
    return f"account {letter.user_id}"


@transaction.atomic
def write_letter(letter: WeeklyLetter) -> int:
    """Write it if anything happened, and keep the places for the next one, in one transaction."""
    user, week = letter.user, last_week(timezone.now())
    ranked = bots_with_places(list(user.bots.filter(open_to(user)).order_by("name")))
    places = {str(place.entry.pk): place.rank for _, several in ranked for place in several if place.rank}
    kept = WeeklyLetter.objects.filter(pk=letter.pk, due_at=letter.due_at)
    if kept.update(due_at=week.next_end, places=places) and letter.places is not None and is_wanted(user):
        weeks = [week_of_bot(bot, several, letter.places, week) for bot, several in ranked]
        send_week(letter, week, [row for row in weeks if row.is_news][:BOTS])
    return 1


def is_wanted(user: User) -> bool:
    wanted = Notice.Kind.WEEK in user.mailed and user.is_active
    return settings.CAN_MAIL and wanted and may_be_mailed(user)


def send_week(letter: WeeklyLetter, week: Week, bots: Sequence[BotWeek]) -> None:
    """Send it as a notice, whose delivery goes on by itself."""
    if not bots:
        return
    spend_budget(LETTERS, "site")
    text = Sentence(
        "Your bots this week. Sets won: %(won)s. New followers: %(followers)s.",
        won=sum(row.won for row in bots),
        followers=sum(row.followers for row in bots),
    )
    with translation.override(letter.language):
        words = {
            "subject": say("Your bots this week"),
            "body": "\n\n".join("\n".join(lines_of_bot(row)) for row in bots),
            "farewell": say("No more letters of the week:"),
        }
    notify([letter.user], Notice.Kind.WEEK, f"week {week.begin:%G-W%V}", text, reverse("account"), **words)


def week_of_bot(bot: Bot, places: Sequence[Entered], before: Places, week: Week) -> BotWeek:
    moved = [(row.entry.ladder, before.get(str(row.entry.pk)), row.rank) for row in places if row.rank]
    steps = RatingStep.objects.filter(
        version__bot=bot, set__rated=True, set__ended_at__gte=week.begin, set__ended_at__lt=week.end
    )
    played = dict(steps.order_by("-set").values_list("set", "version")[:SETS])
    ahead, won = sets_won(played)
    fresh = bot.follows.filter(since__gte=week.begin, since__lt=week.end).exclude(user=bot.owner_id).count()
    return BotWeek(bot, moved, len(played), won, max(ahead, key=lambda rated: rated.before, default=None), fresh)


def sets_won(played: Mapping[int, int]) -> tuple[list[Rated], int]:
    """Return which bots were behind a version in its sets, by set, and how many of the sets it won or shared."""
    places, steps = mean_places(list(played)), defaultdict[int, list[Rated]](list)
    for row in RatingStep.objects.filter(set__in=played).values_list(*FIELDS):
        steps[row[0]].append(Rated(*row))
    means = {number: {row.version: places[number, row.version][0] for row in rows} for number, rows in steps.items()}
    behind = [
        row
        for number, rows in steps.items()
        for row in rows
        if means[number][row.version] > means[number][played[number]]
    ]
    return behind, sum(means[number][version] == min(means[number].values()) for number, version in played.items())


def lines_of_bot(row: BotWeek) -> list[str]:
    """Return what the letter says of a bot, in the language that is active."""
    lines = [
        say("%(ladder)s: place %(now)s, a week ago %(before)s.", ladder=ladder, now=now, before=before)
        if before
        else say("%(ladder)s: place %(now)s.", ladder=ladder, now=now)
        for ladder, before, now in row.places
    ]
    if row.sets:
        lines.append(say("Sets won: %(won)s of %(sets)s.", won=row.won, sets=row.sets))
    if row.best:
        lines.append(say("Best win: against %(bot)s, rated %(elo)s.", bot=row.best.bot, elo=round(row.best.before)))
    if row.followers:
        lines.append(say("New followers: %(count)s.", count=row.followers))
    return [row.bot.name, *lines]
