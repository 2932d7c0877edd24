"""The occasions for notices: each function is called where its event happens, in the same transaction."""

from collections.abc import Iterable, Sequence

from django.urls import reverse

from engine.referee import Verdict
from tournaments.models import (
    Act,
    Bot,
    Disqualification,
    Entrant,
    Entry,
    Event,
    FinalRun,
    Likeness,
    Match,
    MatchSet,
    Membership,
    Notice,
    Seat,
    Team,
    Trial,
    User,
    Version,
)
from tournaments.notices.create import managers_of, notify

Kind = Notice.Kind


def faults(match: Match, seats: Sequence[Seat]) -> None:
    """Each kind of fault of a version once in a ladder, or once in an event: repeated faults are no news."""
    faulty = [seat for seat in seats if seat.verdict != Verdict.OK]
    if not faulty or match.set.checks_id or match.set.rechecks_id or _is_held_back(match.set):
        return
    where = f"event {match.set.event_id}" if match.set.event_id else f"ladder {match.set.ladder_id}"
    for seat in faulty:
        version = seat.version
        key = f"fault {version.pk} {seat.verdict} {where}"
        text = f"{version} was at fault in match {match.pk}: {seat.verdict}."
        _notify(version.bot, Kind.FAULT, key, text, reverse("match", args=[match.pk]), match=match.pk)


def _is_held_back(match_set: MatchSet) -> bool:
    """Whether its round is not released, so that notices must not mention it."""
    return match_set.event is not None and match_set.event.holds_back(match_set.round or 0)


def checked(number: int) -> None:
    version = Version.objects.select_related("bot").get(pk=number)
    passed = version.status != Version.Status.REJECTED
    result = "passed its check" if passed else "failed its check; the report says why"
    _notify(version.bot, Kind.CHECK, f"check {version.pk}", f"{version} {result}.", _page(version.bot), passed=passed)


def tried(trial: Trial) -> None:
    results = {
        Trial.Status.PASSED: "is accepted: you decide whether it plays from now on",
        Trial.Status.PROMOTED: "is accepted and plays from now on",
        Trial.Status.REFUSED: f"does not take over: {trial.reason}",
    }
    if result := results.get(Trial.Status(trial.status)):
        bot, key = trial.candidate.bot, f"trial {trial.pk} {trial.status}"
        _notify(bot, Kind.TRIAL, key, f"{trial.candidate} met its champion and {result}.", _page(bot), trial=trial.pk)


def set_is_over(match_set: MatchSet) -> None:
    """To the person who asked for it."""
    if match_set.asked_by is None:
        return
    last = match_set.matches.latest("turn")
    text = f"A set that you asked for in {match_set.ladder} is over: {last.set.get_status_display().lower()}."
    path = reverse("match", args=[last.pk])
    notify([match_set.asked_by], Kind.SET, f"set {match_set.pk}", text, path, set=match_set.pk)


def suspended(entries: Iterable[Entry]) -> None:
    for entry in entries:
        text = f"{entry.bot} is suspended in {entry.ladder}: it forfeited in three sets in a row. Upload a new version."
        latest = entry.bot.versions.latest("number").pk
        _notify(
            entry.bot, Kind.FAULT, f"suspended {entry.pk} {latest}", text, _page(entry.bot), ladder=entry.ladder.slug
        )


def put_aside(version: Version, act: Act) -> None:
    text = f"{version} is put aside, and suspended: {act.reason}. Upload a new version, or ask the organisers."
    _notify(version.bot, Kind.FAULT, f"put aside {version.pk} {act.number}", text, _page(version.bot), act=act.number)


def rank_changed(entry: Entry, before: int, now: int, day: str) -> None:
    went = "up" if now < before else "down"
    text = f"{entry.bot} went {went} from rank {before} to rank {now} in {entry.ladder}."
    detail = {"ladder": entry.ladder.slug, "before": before, "now": now}
    _notify(entry.bot, Kind.RANK, f"rank {entry.pk} {day}", text, reverse("ladder", args=[entry.ladder.slug]), **detail)


def final_run_began(run: FinalRun, bots: Iterable[Bot]) -> None:
    text = "is near a border of {ladder} in its final run: fresh deals are played until it is decided who is above."
    _notify_of_run(run, bots, "began", text)


def final_run_ended(run: FinalRun, bots: Iterable[Bot], how: str) -> None:
    _notify_of_run(run, bots, run.state, f"was near a border of {{ladder}}. {how}")


def _notify_of_run(run: FinalRun, bots: Iterable[Bot], what: str, text: str) -> None:
    ladder, path = run.ladder, reverse("ladder", args=[run.ladder.slug])
    for bot in bots:
        said = f"{bot} {text.format(ladder=ladder)}"
        _notify(bot, Kind.ACT, f"final run {run.pk} {what} {bot.pk}", said, path, ladder=ladder.slug, state=run.state)


def plays_alike(found: Likeness) -> None:
    text = (
        f"{found.version} plays as {found.original} does: in {found.matches} recorded matches of it all "
        f"{found.answers} answers are the same. So it has no rank in {found.ladder}. Upload a version that plays "
        f"otherwise, play with {found.original.bot} alone, or ask the organisers, who can give it a rank of its own."
    )
    path, detail = reverse("ladder", args=[found.ladder.slug]), {"ladder": found.ladder.slug}
    _notify(found.version.bot, Kind.RANK, f"alike {found.pk}", text[:400], path, **detail)


def event_began(event: Event) -> None:
    _notify_entrants(event, "began", f"{event} has begun.")


def let_in(entrant: Entrant) -> None:
    event = entrant.event
    text = f"A place in {event} became free, and {entrant.bot} has it."
    path = reverse("event", args=[event.slug])
    _notify(entrant.bot, Kind.EVENT, f"entrant {entrant.pk} let in", text, path, event=event.slug)


def absent(entrant: Entrant) -> None:
    event = entrant.event
    text = f"{entrant.bot} is not in {event}: nobody checked it in before the start."
    path = reverse("event", args=[event.slug])
    _notify(entrant.bot, Kind.EVENT, f"entrant {entrant.pk} absent", text, path, event=event.slug)


def check_in_began(event: Event) -> None:
    until = event.starts_at and event.starts_at.strftime("%Y-%m-%d %H:%M UTC")
    _notify_entrants(event, f"check-in {until}", f"Check in for {event} until {until}, or your bot does not play.")


def invited_to_event(event: Event, user: User, act: Act) -> None:
    text, path = f"You are invited to {event}. Register a bot, or decline.", reverse("event", args=[event.slug])
    notify([user], Kind.EVENT, f"act {act.number}", text, path, event=event.slug)


def told(event: Event, text: str, act: Act) -> None:
    _notify_entrants(event, f"act {act.number}", f"{event}: {text}"[:400])


def event_released(event: Event) -> None:
    _notify_entrants(event, f"round {event.released}", f"The results of {event} up to round {event.released} are out.")


def event_ended(event: Event) -> None:
    how = (
        "is over; the final table stands"
        if event.status == Event.Status.FINISHED
        else f"was called off: {event.reason}"
    )
    _notify_entrants(event, "ended", f"{event} {how}.")


def disqualified(row: Disqualification, bots: Iterable[Bot]) -> None:
    for bot in bots:
        where = f"in {row.ladder}" if row.ladder else "in all ladders"
        text = f"{row.version or bot} was disqualified {where}: {row.act.reason}"
        _notify(bot, Kind.ACT, f"act {row.act.number} {bot.pk}", text, reverse("audit"), act=row.act.number)


def taken_down(row: Bot | Team | User | Version, act: Act, change: str) -> None:
    """To those who gave the name or wrote the text."""
    text = f"{row} {change}: {act.reason}"
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


def reinstated(row: Disqualification, bots: Iterable[Bot]) -> None:
    for bot in bots:
        act = row.lifted
        assert act is not None
        text = f"{row.version or bot} is reinstated: {act.reason}"
        _notify(bot, Kind.ACT, f"act {act.number} {bot.pk}", text, reverse("audit"), act=act.number)


def invited(membership: Membership, by: User, path: str) -> None:
    text = f"{by} asks you to join the team {membership.team}."
    notify([membership.user], Kind.TEAM, f"team {membership.team_id}", text, path, team=membership.team_id)


def passkey_copied(user: User, name: str, number: int) -> None:
    """Once for each: a copy that is tried again is no news."""
    text = f"There may be a copy of the passkey {name}: it counted backwards, and opened nothing. Remove it."
    notify([user], Kind.ACCOUNT, f"passkey {number} copied", text, reverse("second-factor"))


def _notify_entrants(event: Event, what: str, text: str) -> None:
    path = reverse("event", args=[event.slug])
    for entrant in event.entrants.exclude(status=Entrant.Status.DISQUALIFIED).select_related("bot"):
        key = f"event {event.pk} {what}"
        _notify(entrant.bot, Kind.EVENT, key, text, path, event=event.slug)


def _notify(bot: Bot, kind: str, key: str, text: str, path: str, **detail: object) -> None:
    notify(managers_of(bot), kind, key, text, path, bot=bot.pk, **detail)


def _page(bot: Bot) -> str:
    return reverse("bot", args=[bot.pk])
