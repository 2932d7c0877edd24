"""The occasions for notices: each function is called where its event happens, in the same transaction."""

from collections.abc import Iterable, Sequence

from django.db.models import Q, QuerySet
from django.urls import reverse

from engine.referee import Verdict
from engine.sentences import Sentence
from tournaments.core.feature import News, features
from tournaments.core.notices.create import managers_of, notify
from tournaments.core.notices.headlines import headline_at_once
from tournaments.models import (
    Act,
    Bot,
    Disqualification,
    Entrant,
    Entry,
    Event,
    FinalRun,
    Ladder,
    Likeness,
    Match,
    MatchSet,
    Membership,
    NewsItem,
    Notice,
    Seat,
    Space,
    Team,
    Trial,
    User,
    Version,
)

Kind, Happened = Notice.Kind, NewsItem.Kind
RESULTS = {
    Trial.Status.PASSED: "%(version)s met its champion and is accepted: you decide whether it plays from now on.",
    Trial.Status.PROMOTED: "%(version)s met its champion and is accepted and plays from now on.",
    Trial.Status.REFUSED: "%(version)s met its champion and does not take over: %(why_said)s.",
}


def notify_of_faults(match: Match, seats: Sequence[Seat]) -> None:
    """Notify of each kind of fault of a version once in a ladder, or once in an event: repeated faults are no news."""
    faulty = [seat for seat in seats if seat.verdict != Verdict.OK]
    if not faulty or match.set.checks_id or match.set.rechecks_id or _is_held_back(match.set):
        return
    where = f"event {match.set.event_id}" if match.set.event_id else f"ladder {match.set.ladder_id}"
    for seat in faulty:
        version = seat.version
        key = f"fault {version.pk} {seat.verdict} {where}"
        text = Sentence(
            "%(version)s was at fault in match %(match)s: %(verdict_said)s.",
            version=version,
            match=match.pk,
            verdict_said=Sentence(seat.verdict),
        )
        _notify(version.bot, Kind.FAULT, key, text, reverse("match", args=[match.pk]), match=match.pk)


def _is_held_back(match_set: MatchSet) -> bool:
    """Whether its round is not released, so that notices must not mention it."""
    return match_set.event is not None and match_set.event.holds_back(match_set.round or 0)


def notify_of_check(number: int) -> None:
    version = Version.objects.select_related("bot").get(pk=number)
    passed = version.status != Version.Status.REJECTED
    text = Sentence(
        "%(version)s passed its check." if passed else "%(version)s failed its check; the report says why.",
        version=version,
    )
    _notify(version.bot, Kind.CHECK, f"check {version.pk}", text, _page(version.bot), passed=passed)


def notify_of_trial(trial: Trial) -> None:
    result = RESULTS.get(Trial.Status(trial.status), "")
    if result:
        bot, key = trial.candidate.bot, f"trial {trial.pk} {trial.status}"
        text = Sentence(result, version=trial.candidate, why_said=trial.reason)
        _notify(bot, Kind.TRIAL, key, text, _page(bot), trial=trial.pk)


def notify_of_friendly_set(match_set: MatchSet) -> None:
    """Notify the person who asked for the set."""
    if match_set.asked_by is None:
        return
    last = match_set.matches.latest("turn")
    story = headline_at_once(last) if last.set.status == MatchSet.Status.COMPLETE else ""
    text = Sentence(
        "A set that you asked for in %(ladder)s is over. Its last match: %(text)s."
        if story
        else "A set that you asked for in %(ladder)s is over. %(status_said)s.",
        ladder=match_set.ladder,
        status_said=Sentence(last.set.get_status_display()),
        text=story.removesuffix("."),
    )
    path, detail = reverse("match", args=[last.pk]), {"set": match_set.pk, "match": last.pk, "story": story or None}
    notify([match_set.asked_by], Kind.SET, f"set {match_set.pk}", text, path, **detail)


def notify_of_suspension(entries: Iterable[Entry]) -> None:
    for entry in entries:
        text = Sentence(
            "%(bot)s is suspended in %(ladder)s: it forfeited in three sets in a row. Upload a new version.",
            bot=entry.bot,
            ladder=entry.ladder,
        )
        latest = entry.bot.versions.latest("number").pk
        _notify(
            entry.bot, Kind.FAULT, f"suspended {entry.pk} {latest}", text, _page(entry.bot), ladder=entry.ladder.slug
        )


def notify_of_version_put_aside(version: Version, act: Act) -> None:
    text = Sentence(
        "%(version)s is put aside, and suspended: %(why_said)s. Upload a new version, or ask the organisers.",
        version=version,
        why_said=act.reason,
    )
    _notify(version.bot, Kind.FAULT, f"put aside {version.pk} {act.number}", text, _page(version.bot), act=act.number)


def notify_of_new_rank(entry: Entry, before: int, now: int, day: str) -> None:
    text = Sentence(
        "%(bot)s went up from rank %(before)s to rank %(now)s in %(ladder)s."
        if now < before
        else "%(bot)s went down from rank %(before)s to rank %(now)s in %(ladder)s.",
        bot=entry.bot,
        before=before,
        now=now,
        ladder=entry.ladder,
    )
    detail = {"ladder": entry.ladder.slug, "before": before, "now": now}
    key, path = f"rank {entry.pk} {day}", reverse("ladder", args=[entry.ladder.slug])
    _notify(entry.bot, Kind.RANK, key, text, path, **detail)
    first = Sentence("%(bot)s leads %(ladder)s now.", bot=entry.bot, ladder=entry.ladder)
    _spread(News(of=entry.bot, kind=Happened.RANK, key=key, text=first if now == 1 else text, path=path))


def notify_of_first_place(entry: Entry, place: str, bots: int) -> None:
    text = Sentence(
        "%(bot)s has its first place in %(ladder)s, still provisional: about %(place)s of %(bots)s.",
        bot=entry.bot,
        ladder=entry.ladder,
        place=place,
        bots=bots,
    )
    key, path = f"first place {entry.pk}", reverse("ladder", args=[entry.ladder.slug])
    _notify(entry.bot, Kind.RANK, key, text, path, ladder=entry.ladder.slug, place=place)


def publish_new_version(version: Version) -> None:
    """Publish that a version plays for the first time; with its bot's first one, that there is a new bot."""
    bot = version.bot
    if bot.versions.exclude(pk=version.pk).exclude(activated_at=None).exists():
        kind = Happened.VERSION
        text = Sentence("%(bot)s plays with version %(number)s now.", bot=bot, number=version.number)
    else:
        kind, text = Happened.BOT, Sentence("%(user)s has a new bot: %(bot)s.", user=bot.owner, bot=bot)
    _spread(News(of=bot, kind=kind, key=f"version {version.pk}", text=text, path=_page(bot)))


def notify_of_final_run(run: FinalRun, bots: Iterable[Bot]) -> None:
    for bot in bots:
        text = Sentence(
            "The final run of %(ladder)s has begun: %(bot)s plays fresh deals, and only these count for the final "
            "table.",
            bot=bot,
            ladder=run.ladder,
        )
        _notify_of_run(run, bot, "began", text)


def notify_of_final_run_end(run: FinalRun, bots: Iterable[Bot], how: str) -> None:
    for bot in bots:
        text = Sentence(
            "%(bot)s was near a border of %(ladder)s. %(how_said)s", bot=bot, ladder=run.ladder, how_said=how
        )
        _notify_of_run(run, bot, run.state, text)


def _notify_of_run(run: FinalRun, bot: Bot, what: str, text: str) -> None:
    ladder, path = run.ladder, reverse("ladder", args=[run.ladder.slug])
    _notify(bot, Kind.ACT, f"final run {run.pk} {what} {bot.pk}", text, path, ladder=ladder.slug, state=run.state)


def notify_of_likeness(likeness: Likeness) -> None:
    text = Sentence(
        "%(version)s plays as %(original)s does: asked again about %(matches)s recorded matches, both gave the same "
        "%(answers)s answers. So it has no rank in %(ladder)s. Upload a version that plays otherwise, play with "
        "%(bot)s alone, or ask the organisers, who can give it a rank of its own.",
        version=likeness.version,
        original=likeness.original,
        matches=likeness.matches,
        answers=likeness.answers,
        ladder=likeness.ladder,
        bot=likeness.original.bot,
    )
    path, detail = reverse("ladder", args=[likeness.ladder.slug]), {"ladder": likeness.ladder.slug}
    _notify(likeness.version.bot, Kind.RANK, f"alike {likeness.pk}", text[:400], path, **detail)


def notify_of_event_announcement(event: Event) -> None:
    text = Sentence("%(event)s is announced; bots may register.", event=event)
    _publish(event, Happened.ANNOUNCED, "announced", text)


def notify_of_event_start(event: Event) -> None:
    text = Sentence("%(event)s has begun.", event=event)
    _notify_entrants(event, "began", text)
    _publish(event, Happened.BEGAN, "began", text)


def notify_of_free_place(entrant: Entrant) -> None:
    event = entrant.event
    text = Sentence("A place in %(event)s became free, and %(bot)s has it.", event=event, bot=entrant.bot)
    path = reverse("event", args=[event.slug])
    _notify(entrant.bot, Kind.EVENT, f"entrant {entrant.pk} let in", text, path, event=event.slug)


def notify_of_absence(entrant: Entrant) -> None:
    event = entrant.event
    text = Sentence("%(bot)s is not in %(event)s: nobody checked it in before the start.", bot=entrant.bot, event=event)
    path = reverse("event", args=[event.slug])
    _notify(entrant.bot, Kind.EVENT, f"entrant {entrant.pk} absent", text, path, event=event.slug)


def notify_of_check_in(event: Event) -> None:
    until = event.starts_at and event.starts_at.strftime("%Y-%m-%d %H:%M UTC")
    text = Sentence("Check in for %(event)s until %(until)s, or your bot does not play.", event=event, until=until)
    _notify_entrants(event, f"check-in {until}", text)


def notify_of_event_invitation(event: Event, user: User, act: Act) -> None:
    text = Sentence("You are invited to %(event)s. Register a bot, or decline.", event=event)
    path = reverse("event", args=[event.slug])
    notify([user], Kind.EVENT, f"act {act.number}", text, path, event=event.slug)


def notify_of_event_message(event: Event, text: str, act: Act) -> None:
    said = Sentence("The organisers of %(event)s: %(text)s", event=event, text=text)
    _notify_entrants(event, f"act {act.number}", said[:400])
    _publish(event, Happened.SAID, f"act {act.number}", said)


def notify_of_event_results(event: Event) -> None:
    text = Sentence("The results of %(event)s up to round %(round)s are out.", event=event, round=event.released)
    _notify_entrants(event, f"round {event.released}", text)
    _publish(event, Happened.ROUND, f"round {event.released}", text, event.released or 0)


def notify_of_event_end(event: Event) -> None:
    text = Sentence(
        "%(event)s is over; the final table stands."
        if event.status == Event.Status.FINISHED
        else "%(event)s was called off: %(reason)s.",
        event=event,
        reason=event.reason,
    )
    _notify_entrants(event, "ended", text)
    if event.status == Event.Status.CANCELLED:
        _publish(event, Happened.CANCELLED, "ended", text)
    elif not event.is_held_back:
        notify_of_winners(event)


def notify_of_winners(event: Event) -> None:
    """Publish who won, once everybody may see it."""
    winners = list(event.entrants.filter(place=1).select_related("bot").order_by("pk"))
    if winners:
        _publish(event, Happened.WINNER, "ended", winners_sentence(event, winners))


def winners_sentence(event: Event, winners: Sequence[Entrant]) -> Sentence:
    return Sentence(
        "%(event)s is over. The winner is %(bots)s."
        if len(winners) == 1
        else "%(event)s is over. These share the first place: %(bots)s.",
        event=event,
        bots=", ".join(str(winner.bot) for winner in winners),
    )


def notify_of_disqualification(row: Disqualification, bots: Iterable[Bot]) -> None:
    for bot in bots:
        text = Sentence(
            "%(bot)s was disqualified in %(ladder)s: %(reason)s"
            if row.ladder
            else "%(bot)s was disqualified in all ladders: %(reason)s",
            bot=row.version or bot,
            ladder=row.ladder,
            reason=row.act.reason,
        )
        _notify(bot, Kind.ACT, f"act {row.act.number} {bot.pk}", text, reverse("audit"), act=row.act.number)


def notify_of_take_down(row: Bot | Team | User | Version, act: Act, text: str) -> None:
    """Notify those who gave the name or wrote the text."""
    notify(_writers(row), Kind.ACT, f"act {act.number}", text, reverse("audit"), act=act.number)


def _writers(row: Bot | Team | User | Version) -> Iterable[User]:
    match row:
        case User():
            return [row]
        case Team():
            return User.objects.filter(memberships__team=row, memberships__role__in=Membership.INSIDE)
        case Version():
            return managers_of(row.bot)
    return managers_of(row)


def notify_of_reinstatement(row: Disqualification, bots: Iterable[Bot]) -> None:
    for bot in bots:
        act = row.lifted
        assert act is not None
        text = Sentence("%(bot)s is reinstated: %(reason)s", bot=row.version or bot, reason=act.reason)
        _notify(bot, Kind.ACT, f"act {act.number} {bot.pk}", text, reverse("audit"), act=act.number)


def notify_of_team_invitation(membership: Membership, by: User, path: str) -> None:
    text = Sentence("%(user)s asks you to join the team %(team)s.", user=by, team=membership.team)
    notify([membership.user], Kind.TEAM, f"team {membership.team_id}", text, path, team=membership.team_id)


def notify_of_copied_passkey(user: User, name: str, number: int) -> None:
    """Once for each: a copy that is tried again is no news."""
    text = Sentence(
        "There may be a copy of the passkey %(name)s: its counter went backwards, so it was refused. Remove it.",
        name=name,
    )
    notify([user], Kind.ACCOUNT, f"passkey {number} copied", text, reverse("second-factor"))


def people_in_event(event: Event) -> QuerySet[User]:
    """Return those who run a bot that is in the event."""
    bots = Bot.objects.filter(pk__in=event.entrants.exclude(status=Entrant.Status.DISQUALIFIED).values("bot"))
    teams = Membership.objects.filter(team__in=bots.values("team"), role__in=Membership.INSIDE)
    return User.objects.filter(Q(pk__in=bots.values("owner")) | Q(pk__in=teams.values("user")))


def notify_of_announcement(of: Space | Ladder, text: Sentence, path: str, act: Act) -> None:
    """Publish an announcement of a ladder, or in a space, whose members `notify_members` tells."""
    _spread(News(of=of, kind=Happened.SAID, key=f"act {act.number}", text=text, path=path))


def _publish(event: Event, kind: NewsItem.Kind, what: str, text: Sentence, round_out: int = 0) -> None:
    path = reverse("event", args=[event.slug])
    _spread(News(of=event, kind=kind, key=f"event {event.pk} {what}", text=text, path=path, round=round_out))


def _spread(news: News) -> None:
    for feature in features():
        feature.happened(news)


def _notify_entrants(event: Event, what: str, text: str) -> None:
    path = reverse("event", args=[event.slug])
    for entrant in event.entrants.exclude(status=Entrant.Status.DISQUALIFIED).select_related("bot"):
        key = f"event {event.pk} {what}"
        _notify(entrant.bot, Kind.EVENT, key, text, path, event=event.slug)


def _notify(bot: Bot, kind: str, key: str, text: str, path: str, **detail: object) -> None:
    notify(managers_of(bot), kind, key, text, path, bot=bot.pk, **detail)


def _page(bot: Bot) -> str:
    return reverse("bot", args=[bot.pk])
