"""Organisers' announcements, on the front page, a ladder's page or a space's, whose members also get a notice."""

from dataclasses import dataclass, field

from django.urls import reverse

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.core.notices.create import count_notices, notify_members, users_of_space
from tournaments.core.notices.triggers import notify_of_announcement
from tournaments.ledger.acts.base import MARKDOWN, ONE_LINE, Action, Change, Effect, count_act, digest_sentence
from tournaments.models import Act, Announcement, Ladder, Space, User

LONGEST, LONGEST_TITLE = 1000, 80


@dataclass(frozen=True, slots=True)
class Announce(Action):
    kind, button = "announce", "Announce"
    about = "On the front page, on a ladder's if one is named, or on a space's, whose members get a notice."
    text: str = field(metadata=MARKDOWN)
    ladder: Ladder | None = None
    space: Space | None = None
    title: str | None = field(default=None, metadata=ONE_LINE)

    def count(self, by: User | str) -> None:
        count_act(by, self.acting_space())
        if self.space:
            count_notices(by, self.space.pk, users_of_space(self.space))

    def preview(self) -> Effect:
        if self.ladder and self.space:
            raise Refused("whom", "name a ladder or a space, and not both: each has a page of its own")
        title, text = checked_announcement(self.title, self.text)
        says = [
            Sentence(
                "On %(page_said)s, with today's date: %(title)s",
                page_said=page_announced_on(self.ladder, self.space),
                title=headed(title, text),
            )
        ]
        if self.space:
            told = self.space.members.count()
            says.append(
                Sentence(
                    "1 member is notified, in the way they chose."
                    if told == 1
                    else "%(told)s members are notified, in the way they chose.",
                    told=told,
                )
            )
        return Effect(subject_of(self.ladder, self.space), says, more={"title": title, "text": text})

    def carry_out(self, act: Act) -> None:
        title, text = checked_announcement(self.title, self.text)
        Announcement.objects.create(ladder=self.ladder, space=self.space, title=title, text=text, act=act)
        if self.space:
            news = Sentence("News of %(space)s: %(text)s", space=self.space, text=headed(title, text))
            path = f"{reverse('space', args=[self.space.slug])}#announcements"
            notify_members(self.space, f"act {act.number}", news, path)
            notify_of_announcement(self.space, news, path, act)
        publish_in_ladder(self.ladder, title, text, act)


def publish_in_ladder(ladder: Ladder | None, title: str, text: str, act: Act) -> None:
    """Publish what an act announced on a ladder's page, or what it says now."""
    if ladder:
        news = Sentence("News of %(ladder)s: %(text)s", ladder=ladder, text=headed(title, text))
        notify_of_announcement(ladder, news, reverse("ladder", args=[ladder.slug]), act)


@dataclass(frozen=True, slots=True)
class OfAnnouncement(Action):
    """`act`: the one that announced it, by its number in the log."""

    act: Act

    def found(self) -> Announcement:
        """Raises Refused: no_announcement."""
        rows = Announcement.objects.select_related("ladder", "space")
        found = rows.filter(act=self.act, withdrawn=None).first()
        if found is None:
            raise Refused(
                "no_announcement", "act %(number)s announced nothing that is still shown", number=self.act.number
            )
        return found


@dataclass(frozen=True, slots=True)
class ChangeAnnouncement(OfAnnouncement):
    kind, button = "change_announcement", "Change an announcement"
    about = (
        "An announcement says something else from now on. Nobody is notified again. `act`: the one that announced it, "
        "by its number in the log."
    )
    text: str = field(metadata=MARKDOWN)
    title: str | None = field(default=None, metadata=ONE_LINE)

    def preview(self) -> Effect:
        found, (title, text) = self.found(), checked_announcement(self.title, self.text)
        if (found.title, found.text) == (title, text):
            raise Refused("nothing_changes", "it already says that")
        before, after = headed(found.title, found.text), headed(title, text)
        more = {"act": self.act.number, "title": title, "text": text}
        says = [Sentence("With its date, and without another notice: %(after)s", after=after)]
        changes = [Change("text", digest_sentence(before), digest_sentence(after))]
        return Effect(subject_of(found.ladder, found.space), says, changes, more=more)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        title, text = checked_announcement(self.title, self.text)
        publish_in_ladder(self.found().ladder, title, text, self.act)
        Announcement.objects.filter(act=self.act, withdrawn=None).update(title=title, text=text)


@dataclass(frozen=True, slots=True)
class Withdraw(OfAnnouncement):
    kind, button = "withdraw_announcement", "Withdraw"
    about = "An announcement is no longer shown. `act`: the one that announced it, by its number in the log."

    def preview(self) -> Effect:
        found = self.found()
        says = [Sentence("No longer shown, except in this log: %(title)s", title=headed(found.title, found.text))]
        return Effect(subject_of(found.ladder, found.space), says, more={"act": self.act.number})

    def carry_out(self, act: Act) -> None:
        Announcement.objects.filter(act=self.act, withdrawn=None).update(withdrawn=act)
        for feature in features():
            feature.unsaid(self.act)


def checked_announcement(title: str | None, text: str) -> tuple[str, str]:
    """Raises Refused: bad_text, bad_title."""
    title, text = (title or "").strip(), text.strip()
    if not 1 <= len(text) <= LONGEST:
        raise Refused(
            "bad_text",
            "an announcement has 1 to %(longest)s characters; this one has %(text)s",
            longest=LONGEST,
            text=len(text),
        )
    if len(title) > LONGEST_TITLE:
        raise Refused(
            "bad_title",
            "a title has %(longest_title)s characters at most; this one has %(title)s",
            longest_title=LONGEST_TITLE,
            title=len(title),
        )
    return title, text


def headed(title: str, text: str) -> str:
    return f"{title}: {text}" if title else text


def page_announced_on(ladder: Ladder | None, space: Space | None) -> str:
    return Sentence("the page of %(ladder)s", ladder=ladder or space) if ladder or space else Sentence("the front page")


def subject_of(ladder: Ladder | None, space: Space | None) -> str:
    if space:
        return f"space {space.slug}"
    return f"ladder {ladder.slug}" if ladder else "the site"
