"""The value by which a ladder measures luck: named before the season, in the public log with its hash."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from engine.games import GAMES
from engine.luck import luck_in
from engine.luck_value import LuckError, LuckValue, read_value
from engine.records import to_plain
from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Change, Effect, LadderAction
from tournaments.models import Act, LadderLuck, MatchLuck, ShadowFit


@dataclass(frozen=True, slots=True)
class NameLuckValue(LadderAction):
    kind, button = "name_luck_value", "Choose the value for luck"
    about = (
        "Luck is computed by a value, and shadow ratings without it are shown; it affects no rating. `value`: "
        "the name of one that comes with the game, or all of it as JSON with its hash; without one, luck is no "
        "longer shown."
    )
    value: str | None = None

    def preview(self) -> Effect:
        before, after = LadderLuck.objects.filter(ladder=self.ladder).first(), self._named()
        if (before.hash if before else None) == (after.hash if after else None):
            raise Refused("nothing_changes", "%(ladder)s already uses that value for luck, or none", ladder=self.ladder)
        change = Change("value of luck", _shown(read_value(before.value) if before else None), _shown(after))
        return Effect(f"ladder {self.ladder.slug}", list(self._says(after)), [change], more={"value": to_plain(after)})

    def _says(self, value: LuckValue | None) -> Iterator[str]:
        if not value:
            yield Sentence("Luck is no longer shown, nor is the shadow beside the ratings. Ratings stay as they are.")
            return
        yield (
            Sentence(
                "Luck is computed by the value %(name)s, %(hash)s, also for sets that are over, and shadow ratings "
                "without it are shown. It affects no rating, rank or pairing.",
                name=value.name,
                hash=value.hash,
            )
        )
        if 2 in self.ladder.sizes:
            yield (
                Sentence(
                    "Tables here may have two players. There, between unequal bots, the values shipped with Boardroom "
                    "add more chance than they take out."
                )
            )

    def _named(self) -> LuckValue | None:
        try:
            value = _value_of(self.ladder.game, (self.value or "").strip())
            if value:
                luck_in(GAMES[self.ladder.game], value)
        except LuckError as error:
            raise Refused(error.code, error.detail) from None
        return value

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        value = self._named()
        LadderLuck.objects.filter(ladder=self.ladder).delete()
        ShadowFit.objects.filter(ladder=self.ladder).delete()
        MatchLuck.objects.filter(match__set__ladder=self.ladder).exclude(trouble="").delete()
        if value:
            LadderLuck.objects.create(ladder=self.ladder, value=to_plain(value), hash=value.hash)


def _value_of(game: str, text: str) -> LuckValue | None:
    """Return the value that is named or written out. Raises LuckError, and Refused(unknown_luck_value)."""
    if not text:
        return None
    if text.startswith("{"):
        try:
            return read_value(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise Refused("not_a_luck_value", "the value is not one JSON object: %(error)s", error=error) from None
    luck = GAMES[game].luck if game in GAMES else None
    shipped = {value.name: value for value in luck.values} if luck else {}
    if text not in shipped:
        choices = (
            Sentence("there are %(named)s", named=", ".join(shipped))
            if shipped
            else Sentence("none comes with %(title)s", title=GAMES[game].title)
        )
        raise Refused(
            "unknown_luck_value", "there is no value of luck %(text)s; %(known)s", text=f"{text:.80}", known=choices
        )
    return shipped[text]


def _shown(value: LuckValue | None) -> str:
    return f"{value.name}, {value.hash}" if value else "none"
