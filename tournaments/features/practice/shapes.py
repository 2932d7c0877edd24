"""Practice games: who sits where, what one is asked, how it ended."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engine.core import Event, Seat
from engine.records import to_plain
from engine.replay import ReplayError, advance, playback, read_replay
from tournaments.features.practice.seats import INVITED, PERSON, Plain, person_seat, players, sees_evidence, sitting
from tournaments.features.practice.slow_play import AWAY, BACK, LATE, LEFT
from tournaments.features.practice.turns import PracticeState, replay_of_practice
from tournaments.models import Practice, User
from tournaments.web.api.shapes.texts import VERDICTS, GameName, Slug

KINDS = (PERSON, INVITED, "version", "draft", "sample")


@dataclass(frozen=True, slots=True)
class Asked:
    """`events` are those that the seat has heard of since its last answer."""

    seat: Seat
    question: Any
    view: Any
    events: list[Any]


def question_at_seat(practice: Practice, seat: Seat) -> Asked | None:
    """Return what the person of this seat has to answer now; None if nothing, or where this engine cannot play it."""
    if practice.status != Practice.Status.ASKING:
        return None
    try:
        state = PracticeState.of(practice)
    except ReplayError:
        return None
    if seat not in state.people_asked(practice):
        return None
    question, view = state.run.match.questions[seat], state.run.game.see(state.run.match.at, seat)
    return Asked(seat, to_plain(question), to_plain(view), [to_plain(event) for event in _news(practice, seat)])


def _news(practice: Practice, seat: Seat) -> list[Event]:
    replay = replay_of_practice(practice)
    run = playback(replay)
    news = run.match.hear()
    while 0 < len(run.match.questions) <= len(replay.answers) - run.step:
        if seat in run.match.questions:
            news = []
        advance(replay, run)
        news += run.match.hear()
    return [shown for event in news if (shown := event.seen_by(seat)) is not None]


class PracticeSeatShape(serializers.Serializer[Any]):
    name = serializers.CharField()
    kind = serializers.ChoiceField([*KINDS], help_text="invited: still free.")
    version = serializers.IntegerField(allow_null=True, help_text="Its id.")


class AskedShape(serializers.Serializer[Asked]):
    """As a bot at that seat would be asked (docs/protocol.md)."""

    seat = serializers.IntegerField()
    question = serializers.DictField()
    view = serializers.DictField()
    events = serializers.ListField(child=serializers.DictField(), help_text="Events since your last answer.")


class AbsenceShape(serializers.Serializer[Any]):
    answers = serializers.IntegerField(help_text="After so many.")
    seat = serializers.IntegerField()
    what = serializers.ChoiceField([LATE, AWAY, BACK, LEFT])


class OutcomeShape(serializers.Serializer[Any]):
    places = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField())
    verdicts = serializers.ListField(child=serializers.ChoiceField(VERDICTS))


class PracticeShape(serializers.ModelSerializer[Practice]):
    ladder = Slug(source="ladder.slug", help_text="The ladder whose clock and limits apply.")
    game = GameName(source="ladder.game")
    options = serializers.DictField(help_text="Of the game.")
    answers = serializers.SerializerMethodField()
    hours = serializers.IntegerField(allow_null=True, help_text="Hours for each answer, if several people play.")
    minutes = serializers.IntegerField(allow_null=True, help_text="For each answer, in the place of hours.")
    waits_for = serializers.ListField(
        child=serializers.IntegerField(), help_text="The seats of people who have to answer now."
    )
    until = serializers.SerializerMethodField(help_text="After this time defaults are played, or the table is closed.")
    match = serializers.IntegerField(source="match_id", allow_null=True, help_text="The match that it continues.")

    class Meta:
        model = Practice
        fields: tuple[str, ...] = (
            *("id", "ladder", "game", "rules", "options", "match", "moment", "status", "reason", "answers"),
            *("hours", "minutes", "waits_for", "until", "created_at", "moved_at"),
        )

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_until(self, practice: Practice) -> Any:
        people = (Practice.Status.GATHERING, Practice.Status.ASKING)
        return practice.until if practice.status in people else None

    def get_answers(self, practice: Practice) -> int:
        """The number of answers so far; send it with your answer as `turn`."""
        return len(practice.script)


class OnePracticeShape(PracticeShape):
    seats = serializers.SerializerMethodField()
    asked = serializers.SerializerMethodField()
    outcome = serializers.SerializerMethodField()
    stderr = serializers.SerializerMethodField()
    faults = serializers.SerializerMethodField()
    your_seat = serializers.SerializerMethodField()
    invitation = serializers.SerializerMethodField(
        help_text="For the host: the link for others to take a seat; null: none."
    )
    absences = serializers.SerializerMethodField()
    shared = serializers.SerializerMethodField(help_text="The link with which anyone can see the game; null: none.")

    class Meta(PracticeShape.Meta):
        fields = (
            *(*PracticeShape.Meta.fields, "seats", "your_seat", "asked", "outcome", "stderr", "faults", "shared"),
            *("invitation", "absences"),
        )

    @property
    def viewer(self) -> User:
        viewer: User = self.context["viewer"]
        return viewer

    @extend_schema_field(PracticeSeatShape(many=True))
    def get_seats(self, practice: Practice) -> Any:
        taken = sitting(practice)
        return [
            {"name": player.name, "kind": _kind(seat, number in taken), "version": seat.get("version")}
            for number, (seat, player) in enumerate(zip(practice.seats, players(practice), strict=True))
        ]

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_your_seat(self, practice: Practice) -> Seat | None:
        return person_seat(practice, self.viewer)

    def get_invitation(self, practice: Practice) -> str | None:
        is_host = practice.invite_key and practice.owner_id == self.viewer.pk
        return reverse("practice-join", args=[practice.invite_key]) if is_host else None

    @extend_schema_field(AbsenceShape(many=True))
    def get_absences(self, practice: Practice) -> Any:
        """Defaults that were played for people, and why."""
        return [{"answers": answers, "seat": seat, "what": what} for answers, seat, what in practice.absences]

    @extend_schema_field(AskedShape(allow_null=True))
    def get_asked(self, practice: Practice) -> Any:
        seat = person_seat(practice, self.viewer)
        asked = None if seat is None else question_at_seat(practice, seat)
        return asked and AskedShape(asked).data

    @extend_schema_field(OutcomeShape(allow_null=True))
    def get_outcome(self, practice: Practice) -> Any:
        """Once it is over."""
        return OutcomeShape(read_replay(bytes(practice.replay)).result).data if practice.replay else None

    def get_shared(self, practice: Practice) -> str | None:
        return reverse("shared-game", args=[practice.share_key]) if practice.share_key else None

    def get_stderr(self, practice: Practice) -> dict[str, str]:
        """The last lines of bots and drafts of yours, by seat."""
        return {seat: str(text) for seat, text in self._evidence(practice).get("stderr", {}).items()}

    def get_faults(self, practice: Practice) -> list[dict[str, Any]]:
        """Evidence of faults of bots and drafts of yours."""
        return list(self._evidence(practice).get("faults", []))

    def _evidence(self, practice: Practice) -> dict[str, Any]:
        return practice.report if sees_evidence(practice, self.viewer) else {}


def _kind(seat: Plain, taken: bool) -> str:
    if INVITED in seat:
        return PERSON if taken else INVITED
    return next(kind for kind in KINDS if kind in seat)
