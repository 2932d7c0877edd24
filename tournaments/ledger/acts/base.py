"""An organiser's action: a preview that writes nothing, a reason, and, once it is done, an act in the public log."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import sha256
from typing import ClassVar, cast

from django.db import transaction
from django.utils.translation import gettext_noop

from engine.sentences import Sentence
from tournaments.audit.log import append
from tournaments.core.accounts.spaces import check_runs_space
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.ledger.acts.of_space import space_of_action
from tournaments.ledger.acts.standings_diff import LOGGED, Comparison
from tournaments.ledger.ladders.classic_elo import lock
from tournaments.ledger.ladders.foreseen_fits import keeping_fits
from tournaments.models import Act, Ladder, User

LONGEST_REASON = 2000
FROM_ZERO = {"least": 0}  # metadata of a field: its number may be 0
BY_CLOCK = {"by_clock": True}  # metadata of a field: its time may come without an offset, by the clock of a place
ONE_LINE = {"lines": False}  # metadata of a text's field; without it a text may have several
MARKDOWN = {"help": gettext_noop("Markdown, without pictures.")}
PLAIN_TEXT = {"help": gettext_noop("Plain text.")}
ACTIONS_OF_A_PERSON = declare(
    Budget(
        "actions of one organiser",
        resource="Actions and notices",
        most=240,
        unit="actions",
        holder="organiser",
        where="tournaments.ledger.acts.base.count_act",
        sentence=Sentence("one organiser takes at most %(most)s actions an hour; go on in the next hour"),
        seconds=3600,
        setting="ACTIONS_AN_HOUR",
    )
)
ACTIONS_IN_A_SPACE = declare(
    Budget(
        "actions in one space",
        resource="Actions and notices",
        most=600,
        unit="actions",
        holder="space",
        where="tournaments.ledger.acts.base.count_act",
        sentence=Sentence("in one space at most %(most)s actions an hour are taken; go on in the next hour"),
        seconds=3600,
        setting="SPACE_ACTIONS_AN_HOUR",
    )
)


@dataclass(frozen=True, slots=True)
class Change:
    """Of something that has a name: a status, a setting."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What an action changes, for people before it is done and for the log after: all of it is public."""

    subject: str
    says: Sequence[str]
    changes: list[Change] = field(default_factory=list)
    tables: list[Comparison] = field(default_factory=list)
    more: Mapping[str, object] = field(default_factory=dict)  # for the log alone

    def as_detail(self) -> dict[str, object]:
        lines = LOGGED // max(2, len(self.tables))
        return {
            "says": [str(sentence) for sentence in self.says],
            "changes": [asdict(change) for change in self.changes],
            "tables": [table.as_detail(lines) for table in self.tables],
            **self.more,
        }


@dataclass(frozen=True, slots=True)
class Action(ABC):
    """An organiser action with its arguments, which are its fields, before it runs.

    `do` carries out what `preview` tells, and appends it to the log, in one transaction. Ladders are locked before
    anything else, in order of their ids; the caller must hold no locks on sets or matches.
    """

    kind: ClassVar[str]
    button: ClassVar[str]  # what it says on a button
    about: ClassVar[str]  # what it is for: above its form, in the desk's list, and in the API's document
    asks_why: ClassVar[bool] = True  # not of drafts: the log says nothing about them

    @abstractmethod
    def preview(self) -> Effect:
        """Return what would change. Raises Refused where nothing can be."""

    @abstractmethod
    def carry_out(self, act: Act) -> None:
        """Write it."""

    def ladders(self) -> Iterable[Ladder]:
        """Return the ladders whose ratings or entries it may change."""
        return ()

    def hold(self) -> None:
        """Lock what it is about."""
        for ladder in sorted(self.ladders(), key=lambda ladder: ladder.pk):
            Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
            lock(ladder)

    def acting_space(self) -> int | None:
        """The space whose organisers may do it, too; None: the site's alone."""
        return space_of_action(self)

    def logged_in(self) -> int | None:
        """The space in whose log it is: others are not told what it was about. None: everybody's."""
        return self.acting_space()

    def check_by(self, by: User | str) -> None:
        """Check who acts, before anything of it is shown. Raises Refused: not_organiser, second_factor_needed."""
        check_runs_space(by, self.acting_space())

    def count(self, by: User | str) -> None:
        """Count it against the budgets of the person and the space, before anything is done. Raises
        Refused(over_budget)."""
        count_act(by, self.acting_space())

    @transaction.atomic
    def do(self, *, by: User | str, reason: str) -> Act:
        """`by` is an organiser, or the platform itself. Raises Refused: not_organiser, second_factor_needed, no_reason,
        and what the preview raises."""
        reason = checked_reason(by, reason, self.acting_space())
        self.count(by)
        self.hold()
        with keeping_fits():  # what the preview fits is what is then published
            effect = self.preview()
            subject, detail = effect.subject, effect.as_detail()
            act = append(kind=self.kind, by=by, subject=subject, reason=reason, detail=detail, space=self.logged_in())
            self.carry_out(act)
        return act


@dataclass(frozen=True, slots=True)
class LadderAction(Action):
    """An action that may change the ratings or entries of one ladder."""

    ladder: Ladder

    def ladders(self) -> Iterable[Ladder]:
        return (self.ladder,)


ACTIONS: dict[str, type[Action]] = {}  # of no feature, by kind, in the desk's order: the package fills it in


@cache
def actions() -> dict[str, type[Action]]:
    """Return all actions there are, by kind, in the desk's order."""
    of_features = (cast("type[Action]", action) for feature in features() for action in feature.actions)
    return ACTIONS | {action.kind: action for action in of_features}


def count_act(by: User | str, space: int | None) -> None:
    """Count one action against the budgets of the person and of the space. Raises Refused(over_budget)."""
    if isinstance(by, User):
        spend_budget(ACTIONS_OF_A_PERSON, by.pk)
        if space is not None:
            spend_budget(ACTIONS_IN_A_SPACE, space)


def checked_reason(by: User | str, reason: str, space: int | None) -> str:
    """The reason that is kept. Raises Refused where `by` may not act in the space, or does not say why."""
    check_runs_space(by, space)
    found = reason.strip()
    if not found:
        raise Refused("no_reason", "say why: the reason is public and permanent")
    if len(found) > LONGEST_REASON:
        raise Refused(
            "long_reason",
            "a reason has %(longest_reason)s characters at most; this one has %(found)s",
            longest_reason=LONGEST_REASON,
            found=len(found),
        )
    return found


DIGEST = "the text of SHA-256 %(digest)s"


def digest_sentence(text: str) -> Sentence:
    """Return what the log has in the place of a text that it is not to repeat."""
    return Sentence(DIGEST, digest=sha256(text.encode()).hexdigest())
