"""Organisers' actions on an event's entrants: invite, seed by hand, send a message to all."""

from collections import Counter
from dataclasses import dataclass, field

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import check_joined
from tournaments.core.errors import Refused
from tournaments.core.notices import triggers
from tournaments.core.notices.create import count_notices
from tournaments.features.events.rounds import locked_event
from tournaments.ledger.acts.base import PLAIN_TEXT, Action, Effect, count_act
from tournaments.models import Act, Entrant, Event, EventInvitation, User

LONGEST = 300  # signs of what is told
MOST_NAMED = 5  # bots, in a refusal
TOLD = (Entrant.Status.PLAYING, Entrant.Status.WAITING)


@dataclass(frozen=True, slots=True)
class OfEvent(Action):
    """An action on an event that is announced and has not begun."""

    event: Event

    def hold(self) -> None:
        locked_event(self.event)

    def before_start(self) -> Event:
        event = Event.objects.select_related("ladder").get(pk=self.event.pk)
        if event.status != Event.Status.REGISTRATION:
            raise Refused(
                "not_announced",
                "%(event)s takes no bots: %(rstrip)s",
                event=event,
                rstrip=event.get_status_display().lower().rstrip("."),
            )
        return event


@dataclass(frozen=True, slots=True)
class InviteToEvent(OfEvent):
    kind, button = "invite_to_event", "Invite"
    about = "Somebody is invited, and notified. They may register even if registration is by invitation only."
    user: User

    def preview(self) -> Effect:
        event = self.before_start()
        _check_member(self.user, event)
        if event.invitations.filter(user=self.user, declined_at=None).exists():
            raise Refused(
                "already_invited", "%(user)s has already been invited to %(event)s", user=self.user, event=event
            )
        return Effect(
            f"event {event.slug}",
            [Sentence("%(user)s is invited to %(event)s, and notified.", user=self.user, event=event)],
        )

    def carry_out(self, act: Act) -> None:
        EventInvitation.objects.update_or_create(event=self.event, user=self.user, defaults={"declined_at": None})
        triggers.notify_of_event_invitation(self.event, self.user, act)


def _check_member(user: User, event: Event) -> None:
    """Raise Refused(unknown_user) for people outside the space: nobody learns whether they are elsewhere."""
    try:
        check_joined(user, event.ladder.space)
    except Refused:
        raise Refused("unknown_user", "There is no user %(username)s.", username=user.username) from None


@dataclass(frozen=True, slots=True)
class UninviteFromEvent(OfEvent):
    kind, button = "uninvite_from_event", "Take the invitation back"
    about = "An invitation is taken back. Bots that are registered stay."
    user: User

    def preview(self) -> Effect:
        event = self.before_start()
        if not event.invitations.filter(user=self.user).exists():
            raise Refused("not_invited", "%(user)s has no invitation to %(event)s", user=self.user, event=event)
        return Effect(
            f"event {event.slug}",
            [Sentence("%(user)s is no longer invited to %(event)s.", user=self.user, event=event)],
        )

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        EventInvitation.objects.filter(event=self.event, user=self.user).delete()


@dataclass(frozen=True, slots=True)
class SeedByHand(OfEvent):
    kind, button = "seed_event", "Seed by hand"
    about = (
        "Bots are seeded in this order of ids, the best first, not by their ratings. Bots that "
        "are not named come after them, by rating. With no ids all are seeded by rating again."
    )
    order: list[int] | None = None

    def preview(self) -> Effect:
        event = self.before_start()
        entrants = event.entrants.filter(status__in=TOLD).select_related("bot")
        names = {entrant.bot_id: str(entrant.bot) for entrant in entrants}
        if twice := [bot for bot, times in Counter(self.order or []).items() if times > 1]:
            raise Refused("bad_order", "bot %(twice)s is listed twice; each has one place in the order", twice=twice[0])
        if unknown := [bot for bot in self.order or [] if bot not in names]:
            raise Refused(
                "bad_order",
                "bot %(unknown)s is not registered for %(event)s; %(there)s",
                unknown=unknown[0],
                event=event,
                there=_ids(names),
            )
        if not self.order:
            return Effect(f"event {event.slug}", [Sentence("All bots are seeded by their ratings.")])
        lines = [
            Sentence("Place %(number)s of the seeding: %(bot)s.", number=number, bot=names[bot])
            for number, bot in enumerate(self.order, 1)
        ]
        more = len(names) - len(lines)
        return Effect(
            f"event {event.slug}", [*lines, *([Sentence("Then %(rest)s more, by rating.", rest=more)] if more else [])]
        )

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        place = {bot: number for number, bot in enumerate(self.order or [], 1)}
        entrants = list(self.event.entrants.all())
        for entrant in entrants:
            entrant.hand_seed = place.get(entrant.bot_id)
        Entrant.objects.bulk_update(entrants, ["hand_seed"])


def _ids(names: dict[int, str]) -> str:
    listed = ", ".join(f"{bot} ({name})" for bot, name in sorted(names.items())[:MOST_NAMED])
    if not names:
        return Sentence("nobody is yet")
    return Sentence(
        "those who are: %(some)s and others" if len(names) > MOST_NAMED else "those who are: %(some)s", some=listed
    )


@dataclass(frozen=True, slots=True)
class TellEntrants(Action):
    kind, button = "tell_entrants", "Tell the entrants"
    about = (
        "Everybody with a bot in the event is notified, in the way they chose; everybody else can read it in the log."
    )
    event: Event
    text: str = field(metadata=PLAIN_TEXT)

    def count(self, by: User | str) -> None:
        count_act(by, self.acting_space())
        count_notices(by, self.acting_space(), triggers.people_in_event(self.event))

    def preview(self) -> Effect:
        event, text = Event.objects.get(pk=self.event.pk), self.text.strip()
        if not 1 <= len(text) <= LONGEST:
            raise Refused(
                "bad_text",
                "a message has 1 to %(longest)s characters; this one has %(text)s",
                longest=LONGEST,
                text=len(text),
            )
        if event.status == Event.Status.DRAFT:
            raise Refused("draft", "%(event)s is not announced yet; announce it first", event=event)
        count = event.entrants.filter(status__in=TOLD).count()
        return Effect(
            f"event {event.slug}",
            [
                Sentence(
                    "The people who run 1 bot are notified: %(text)s"
                    if count == 1
                    else "The people who run %(told)s bots are notified: %(text)s",
                    told=count,
                    text=text,
                )
            ],
            more={"text": text},
        )

    def carry_out(self, act: Act) -> None:
        triggers.notify_of_event_message(self.event, self.text.strip(), act)
