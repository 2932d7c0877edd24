"""The settings of a ladder: time control, limits, strikes, pace, and how results count."""

import re
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError

from engine.sentences import Sentence
from tournaments.core.config.plain_text import storable
from tournaments.core.config.space_budgets import SAID
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Change, Effect, LadderAction
from tournaments.ledger.acts.standings_diff import compare_standings
from tournaments.ledger.dispatch.open_lines import forget_needs
from tournaments.ledger.ladders.fitted_constants import forget_constants, with_constants
from tournaments.ledger.ladders.official_fit import settle_ratings
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.ladders.table_options import check_ladder
from tournaments.models import Act, Ladder, Match, MatchSet, Version
from tournaments.models.ladders import RANGES

PLAYED_BY = (*RANGES,)
PAIRED_BY = ("owners_apart", "few_owners", "sets_wanted", "pace_seconds", "table_sizes", "by_lot")
RATED_BY = ("margin", "prior_sd", "fit_prior", "anchor")
FITTED = ("fit_prior", "scale", "fitted_after")  # what follows from those
SETTINGS = (
    "title",
    "description",
    *PLAYED_BY,
    "strikes",
    *PAIRED_BY,
    *RATED_BY,
    "version_pause",
    "upload_mb",
    "live_delay",
    "data_licence",
)


class BadSetting(Refused):
    """`fields`: what is wrong with each, by its name."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        message = " ".join(f"{name}: {sentence}" for name, sentences in fields.items() for sentence in sentences)
        super().__init__("bad_setting", message)
        self.fields = fields


@dataclass(frozen=True, slots=True)
class ChangeSettings(LadderAction):
    kind, button = "change_settings", "Change settings"
    about = (
        "Time control, limits, strikes, pace and more. `settings`: the new values, by name; an anchor is a "
        "version's id, or null for none."
    )
    settings: Mapping[str, Any]

    def preview(self) -> Effect:
        before = Ladder.objects.get(pk=self.ladder.pk)
        after = self._changed(before)
        names = [name for name in SETTINGS if _value(before, name) != _value(after, name)]
        if not names:
            raise Refused("nothing_changes", "%(before)s has these settings already", before=before)
        if "strikes" in names and _open(before):
            raise Refused(
                "sets_under_way",
                "each replay holds its number of strikes, so strikes change only while no set is under way: pause the "
                "ladder, and wait until its sets are over",
            )
        changes = [Change(name, _shown(before, name), _shown(after, name)) for name in names]
        rated = {*names} & {*RATED_BY}
        tables = (
            [compare_standings(before, ledger_of(before), with_constants(after, ledger_of(after)))] if rated else []
        )
        return Effect(f"ladder {before.slug}", _says(before, names), changes, tables)

    def _changed(self, ladder: Ladder) -> Ladder:
        return with_settings(ladder, self.settings)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        before = Ladder.objects.get(pk=self.ladder.pk)
        after = self._changed(before)
        after.save(update_fields=list({*self.settings, *FITTED}))
        forget_needs(ladder=after)
        if any(_value(before, name) != _value(after, name) for name in RATED_BY):
            settle_ratings(ladder=after)


BOUNDS = re.compile(r"(?P<name>\w+) is (?P<value>.*); it must be a whole number from (?P<low>\d+) to (?P<high>\d+)\.")


def with_settings(ladder: Ladder, settings: Mapping[str, Any], known: Collection[str] = SETTINGS) -> Ladder:
    """The ladder as it would be. Raises Refused: unknown_setting, bad_setting."""
    after = copy(ladder)
    for name, value in settings.items():
        if name not in known:
            raise Refused(
                "unknown_setting",
                "a ladder has no setting %(name)s; its settings are %(known)s",
                name=f"{name:.40}",
                known=", ".join(known),
            )
        setattr(after, name, _anchor(value) if name == "anchor" else _clean(name, value))
    forget_constants(ladder, after, chosen="fit_prior" in settings)
    try:
        check_ladder(after)
    except ValidationError as error:
        raise BadSetting({name: list(map(_told, errors)) for name, errors in error.error_dict.items()}) from None
    if after.space_id:
        _check_maxima(ladder, after)
    return after


def _check_maxima(before: Ladder, after: Ladder) -> None:
    """Refuse new values above the maxima; old ones are lowered when a match is ordered. Raises BadSetting."""
    new = {name: getattr(after, name) for name in PLAYED_BY if getattr(after, name) != getattr(before, name)}
    if above := {name: most for name, most in after.lowered.items() if name in new}:
        raise BadSetting({name: [Sentence(SAID, most=f"{most:,}")] for name, most in above.items()})


def _told(error: ValidationError) -> str:
    """Return the error's words; the bounds of a number, which the model says in English, as a sentence of ours."""
    if isinstance(error.message, Sentence):
        return error.message
    said: str = error.messages[0]
    if found := BOUNDS.fullmatch(said):
        return Sentence(
            "%(name)s is %(value)s; it must be a whole number from %(low)s to %(high)s.", **found.groupdict()
        )
    return said


def _clean(name: str, value: object) -> object:
    if isinstance(value, float):
        raise BadSetting({name: [Sentence("%(value)s is not a whole number.", value=value)]})
    return storable(value) if isinstance(value, str) else value


def _anchor(value: object) -> Version | None:
    if value in (None, ""):
        return None
    number = int(str(value)) if str(value).isdecimal() and len(str(value)) < 19 else 0
    found = Version.objects.select_related("bot").filter(pk=number).first()
    if found is None:
        said = Sentence("There is no version %(version)s; an anchor is a version's id.", version=f"{value!r:.40}")
        raise BadSetting({"anchor": [said]})
    return found


def _value(ladder: Ladder, name: str) -> Any:
    return ladder.anchor_id if name == "anchor" else getattr(ladder, name)


def _shown(ladder: Ladder, name: str) -> str:
    return str(getattr(ladder, name))


def _open(ladder: Ladder) -> int:
    return ladder.sets.filter(status=MatchSet.Status.OPEN).count()


def _says(ladder: Ladder, names: list[str]) -> list[Sentence]:
    says = []
    if {*names} & {*PLAYED_BY}:
        out = Match.objects.filter(set__ladder=ladder, status=Match.Status.LEASED).count()
        says.append(
            Sentence(
                "Whatever is sent to a worker from now on is played under the new settings. 1 match has been sent "
                "already and is played under the old ones, so the matches of one set may differ."
                if out == 1
                else "Whatever is sent to a worker from now on is played under the new settings. %(out)s matches have "
                "been sent already and are played under the old ones, so the matches of one set may differ.",
                out=out,
            )
        )
    if {*names} & {*PAIRED_BY}:
        says.append(Sentence("Pairing goes by the new settings from the next set on."))
    if "upload_mb" in names:
        says.append(Sentence("Uploads from now on are held to it; what plays already stays."))
    if "live_delay" in names:
        says.append(Sentence("Spectators who tune in from now on see running matches with this delay."))
    if "data_licence" in names:
        says.append(Sentence("Dumps from now on are under the new licence; what was given away before stays so."))
    if {*names} & {*RATED_BY}:
        says.append(Sentence("All ratings are computed again, from the first set on."))
    return says
