"""Who is who in a space with drawn names: also hidden from its organisers, until one of them lifts that."""

from dataclasses import dataclass

from django.urls import reverse

from engine.sentences import Sentence
from tournaments.accounts.admission import check_blind
from tournaments.acts.base import Change, Effect
from tournaments.errors import Refused
from tournaments.features.spaces import members
from tournaments.features.spaces.actions import SpaceAction
from tournaments.models import Act, Space, SpaceMember, User
from tournaments.notices.create import notify_members


@dataclass(frozen=True, slots=True)
class HideNames(SpaceAction):
    kind, button = "hide_names", "Hide names from organisers too"
    about = (
        "In a space whose names are drawn its organisers do not see who is who either, until they lift it. Before "
        "anybody has come in."
    )

    def hold(self) -> None:
        members.hold(self.space)

    def preview(self) -> Effect:
        now = self.now()
        check_blind(drawn=now.pseudonyms)
        came = now.members.exclude(role=SpaceMember.Role.ORGANISER).exists() or User.objects.filter(home=now).exists()
        if now.blind or came:
            why = (
                Sentence("they are hidden already")
                if now.blind
                else Sentence("somebody has come in, and you have seen who it is")
            )
            raise Refused(
                "wrong_status", "names in %(now)s cannot be hidden from its organisers: %(why)s", now=now, why=why
            )
        says = [
            Sentence(
                "Who is who stands on no page, in no file and in no answer to a program, until an organiser lifts it."
            )
        ]
        return Effect(self.subject(), says, [Change("names", "seen by organisers", "hidden from organisers")])

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        Space.objects.filter(pk=self.space.pk).update(blind=True)


@dataclass(frozen=True, slots=True)
class ShowNames(SpaceAction):
    kind, button = "show_names", "Show who is who"
    about = (
        "The organisers of a space see from now on who is who. All its members are told, with the reason; there is "
        "no way back."
    )

    def hold(self) -> None:
        members.hold(self.space)

    def preview(self) -> Effect:
        now = self.now()
        if not now.blind:
            raise Refused("wrong_status", "the organisers of %(now)s see who is who already", now=now)
        count = now.members.count()
        says = [
            Sentence("Its organisers see the names and addresses of its roster. Classmates see no more than before."),
            Sentence(
                "Its only member is told, with your reason. It cannot be taken back."
                if count == 1
                else "All %(told)s members are told, with your reason. It cannot be taken back.",
                told=count,
            ),
        ]
        return Effect(self.subject(), says, [Change("names", "hidden from organisers", "seen by organisers")])

    def carry_out(self, act: Act) -> None:
        Space.objects.filter(pk=self.space.pk).update(blind=False)
        text = Sentence(
            "The organisers of %(space)s see who is who from now on: %(reason)s", space=self.space, reason=act.reason
        )
        path = reverse("space", args=[self.space.slug])
        notify_members(self.space, f"act {act.number}", text, path)
