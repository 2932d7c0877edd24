"""Drafting events, changing them until they begin, and deleting drafts. The public log has nothing about a draft."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from bots.formats.validation import check_places
from engine.sentences import Sentence
from tournaments.audit.log import append
from tournaments.core.accounts.spaces import check_space_address
from tournaments.core.accounts.spending import spend_in
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.config.plain_text import storable
from tournaments.core.errors import Refused
from tournaments.features.events.event_format import format_of, playable_format, same_format
from tournaments.features.events.lifecycle import create
from tournaments.features.events.rounds import locked_event
from tournaments.features.events.waiting_list import fill_free_places
from tournaments.ledger.acts.base import FROM_ZERO, Action, Change, Effect, count_act
from tournaments.ledger.acts.ladder_settings import BadSetting
from tournaments.ledger.acts.of_space import space_of_action
from tournaments.models import Act, Entrant, Event, Ladder, User

SOMETHING = "a draft of an event"
REGISTERING = ("rules", "opens_at", "closes_at", "places", "check_in_minutes", "invited_only")
NAMES = ("slug", "title", "description", "ladder", "spec", "starts_at", "released", "previous", *REGISTERING)
DRAFTS = declare(
    Budget(
        "drafts of events",
        resource="Actions and notices",
        most=40,
        unit="drafts",
        holder="organiser and space",
        where="tournaments.features.events.draft_actions.CreateEvent.count",
        sentence=Sentence("at most %(most)s drafts of events are made a day, by one organiser and in one space"),
        seconds=86_400,
    )
)
FIXED = ("slug", "ladder", "spec", "released", "previous")  # once it is announced: bots have registered by it


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting(Action):
    """`format` as docs/formats.md has it; `staged`: results are held back, and released round by round; `rules`: what
    counts beside the format, in Markdown; `places`: bots that can play, the others wait."""

    slug: str
    title: str
    ladder: Ladder
    format: Mapping[str, Any]
    description: str | None = None
    starts_at: datetime | None = None
    staged: bool | None = None
    previous: Event | None = None
    rules: str | None = None
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    places: int | None = None
    check_in_minutes: int | None = field(default=None, metadata=FROM_ZERO)
    invited_only: bool | None = None

    @transaction.atomic
    def do(self, *, by: User | str, reason: str) -> Act:  # noqa: ARG002  it would be public
        self.check_by(by)
        self.count(by)
        act = conceal(self, by)
        self.keep(by)
        return act

    def keep(self, by: User | str) -> None:
        raise NotImplementedError

    def carry_out(self, act: Act) -> None:
        """`keep` has done it."""

    def described(self, event: Event) -> Event:
        """The event as it would be. Raises Refused: slug_taken, bad_slug, past_start, ladder_closed, bad_setting,
        and what the times and places of its registration raise."""
        if self.slug != event.slug:
            check_space_address(self.ladder.space, self.slug)
        if Event.objects.filter(slug=storable(self.slug)).exclude(pk=event.pk).exists():
            raise Refused("slug_taken", "there is an event at %(slug)s already; choose another address", slug=self.slug)
        if self.ladder.status == Ladder.Status.CLOSED and event.ladder_id != self.ladder.pk:
            raise Refused("ladder_closed", "%(ladder)s is closed; choose a ladder that is played", ladder=self.ladder)
        starts_at = _whole_minute(self.starts_at, event.starts_at)
        if starts_at and starts_at <= timezone.now() and starts_at != event.starts_at:
            raise Refused("past_start", "the start is past; give a time to come, in UTC, or none")
        if starts_at != event.starts_at:
            event.reason, event.called_at = "", None  # why it was not started at that time; who was told of it
        event.slug, event.title, event.ladder = storable(self.slug), storable(self.title), self.ladder
        event.description, event.starts_at = storable(self.description or ""), starts_at
        event.released, event.previous = 0 if self.staged else None, self.previous
        event.rules, event.places, event.check_in_minutes = (
            storable(self.rules or ""),
            self.places,
            self.check_in_minutes or 0,
        )
        event.opens_at = _whole_minute(self.opens_at, event.opens_at)
        event.closes_at = _whole_minute(self.closes_at, event.closes_at)
        event.invited_only = bool(self.invited_only)
        check_registration(event)
        if not event.pk or not same_format(event.spec, self.format):
            event.spec = playable_format(self.ladder, self.format)
        if event.places is not None:
            check_places(format_of(event), event.places)
        return _sound(event)


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateEvent(Drafting):
    kind, button = "create_event", "Create the draft"
    about = (
        "A draft of an event, which only organisers see. The log says only that there is one. "
        "`format` as docs/formats.md has it; `staged`: results are held back, and released round by round."
    )

    def count(self, by: User | str) -> None:
        count_act(by, self.acting_space())
        spend_in(self.acting_space(), DRAFTS, by)

    def preview(self) -> Effect:
        event = self.described(Event())
        return Effect(
            f"event {event.slug}",
            [Sentence("A draft of %(event)s, which only organisers see until it is announced.", event=event)],
        )

    def keep(self, by: User | str) -> None:
        create(event=self.described(Event()), by=by)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditEvent(Drafting):
    kind, button = "edit_event", "Change the event"
    about = (
        "All settings of an event are replaced by these. Once it is announced, only its title, description, start and "
        "registration may change, and the log shows how. Once it has begun, nothing may."
    )
    event: Event

    def preview(self) -> Effect:
        before = Event.objects.select_related("ladder", "previous").get(pk=self.event.pk)
        if before.started_at or before.ended_at:
            raise Refused(
                "event_started", "%(before)s has begun or is over; its settings can no longer change", before=before
            )
        after = self.described(Event.objects.get(pk=before.pk))
        changes = _changes(before, after)
        if not changes:
            raise Refused("nothing_changes", "%(before)s is already set that way", before=before)
        announced = before.status != Event.Status.DRAFT
        if announced and (firm := [change.name for change in changes if change.name in FIXED]):
            raise Refused("announced", "bots have registered, so these cannot change: %(firm)s", firm=", ".join(firm))
        says = [
            Sentence("From now on everybody sees it that way.") if announced else Sentence("Only organisers see it.")
        ]
        return Effect(f"event {before.slug}", says, changes)

    def do(self, *, by: User | str, reason: str) -> Act:
        if Event.objects.get(pk=self.event.pk).status == Event.Status.DRAFT:
            return super(EditEvent, self).do(by=by, reason=reason)
        return Action.do(self, by=by, reason=reason)

    def hold(self) -> None:
        locked_event(self.event)

    def keep(self, by: User | str) -> None:  # noqa: ARG002  its author is its organiser
        self.hold()
        self.preview()
        self.described(Event.objects.get(pk=self.event.pk)).save()

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        after = self.described(Event.objects.get(pk=self.event.pk))
        after.save(update_fields=["title", "description", "starts_at", "reason", "called_at", *REGISTERING])
        fill_free_places(after)


@dataclass(frozen=True, slots=True)
class DiscardEvent(Action):
    kind, button = "discard_event", "Delete the draft"
    about = "A draft is deleted. The log says only that a draft was deleted."
    asks_why = False
    event: Event

    def preview(self) -> Effect:
        event = Event.objects.get(pk=self.event.pk)
        if event.status != Event.Status.DRAFT:
            raise Refused("not_draft", "%(event)s has been announced; it can be called off, not deleted", event=event)
        return Effect(f"event {event.slug}", [Sentence("Nobody has seen it, and nothing is left of it.")])

    @transaction.atomic
    def do(self, *, by: User | str, reason: str) -> Act:  # noqa: ARG002  it would be public
        self.check_by(by)
        self.count(by)
        locked_event(self.event)
        self.preview()
        act = conceal(self, by)
        Event.objects.filter(pk=self.event.pk).delete()
        return act

    def carry_out(self, act: Act) -> None:
        """`do` has done it."""


def _whole_minute(moment: datetime | None, before: datetime | None) -> datetime | None:
    """Return the moment without its seconds, which no page shows; one that stays as it is keeps them."""
    return moment and (before if moment == before else moment.replace(second=0, microsecond=0))


def conceal(action: Action, by: User | str) -> Act:
    """Append an entry to the log that says nothing but that it was done."""
    says = [Sentence("The log shows it once it is announced.")]
    return append(kind=action.kind, by=by, subject=SOMETHING, detail={"says": says}, space=space_of_action(action))


def _changes(before: Event, after: Event) -> list[Change]:
    values = ((name, getattr(before, name), getattr(after, name)) for name in NAMES)
    return [Change(name, _shown(old), _shown(new)) for name, old, new in values if old != new]


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def _sound(event: Event) -> Event:
    try:
        event.full_clean(exclude=["lot", "spec", "organiser"], validate_unique=False)
    except ValidationError as error:
        raise BadSetting(error.message_dict) from None
    return event


def check_registration(event: Event) -> None:
    """Raises Refused: bad_closes_at, bad_check_in, bad_places."""
    opens, closes, starts = event.opens_at, event.closes_at, event.starts_at
    if opens and closes and closes <= opens:
        raise Refused("bad_closes_at", "registration would close before it opens; name a later end")
    if closes and starts and closes > starts:
        raise Refused("bad_closes_at", "registration would close after the start; it ends then anyway")
    if opens and starts and starts <= opens:
        raise Refused("bad_opens_at", "registration would open after the start; name an earlier time")
    if event.check_in_minutes and not starts:
        raise Refused("bad_check_in", "check-in runs before the start; set a start, or set check-in to 0 minutes")
    _check_places(event)


def _check_places(event: Event) -> None:
    if event.places is None or not event.pk:
        return
    playing = event.entrants.filter(status=Entrant.Status.PLAYING).count()
    if event.places < playing:
        raise Refused(
            "bad_places",
            "1 bot has a place already; name 1 or more, or disqualify it first"
            if playing == 1
            else "%(playing)s bots have a place already; name %(playing)s or more, or disqualify some first",
            playing=playing,
        )
