"""What organisers tell everybody, on the front page or on a ladder's."""

from dataclasses import dataclass

from tournaments.acts.base import Action, Effect
from tournaments.errors import Refused
from tournaments.models import Act, Announcement, Ladder

LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Announce(Action):
    """On the front page, or on a ladder's if one is named."""

    kind, button = "announce", "Announce"
    text: str
    ladder: Ladder | None = None

    def preview(self) -> Effect:
        text = self.text.strip()
        if not 1 <= len(text) <= LONGEST:
            raise Refused("bad_text", f"an announcement has 1 to {LONGEST} characters; this one has {len(text)}")
        where = f"the page of {self.ladder}" if self.ladder else "the front page"
        subject = f"ladder {self.ladder.slug}" if self.ladder else "the site"
        return Effect(subject, [f"On {where}, with today's date: {text}"], more={"text": text})

    def carry_out(self, act: Act) -> None:
        Announcement.objects.create(ladder=self.ladder, text=self.text.strip(), act=act)


@dataclass(frozen=True, slots=True)
class Withdraw(Action):
    """An announcement is shown no more. `act`: the one that announced it, by its number in the log."""

    kind, button = "withdraw_announcement", "Withdraw"
    act: Act

    def preview(self) -> Effect:
        found = Announcement.objects.select_related("ladder").filter(act=self.act, withdrawn=None).first()
        if found is None:
            raise Refused("no_announcement", f"act {self.act.number} announced nothing that is still shown")
        subject = f"ladder {found.ladder.slug}" if found.ladder else "the site"
        return Effect(subject, [f"Shown no more, but in this log: {found.text}"], more={"act": self.act.number})

    def carry_out(self, act: Act) -> None:
        Announcement.objects.filter(act=self.act, withdrawn=None).update(withdrawn=act)
