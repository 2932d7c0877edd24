"""Creating a ladder: its game, the game's options, and all settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from bots.rated_options import rated_margin, rated_options
from engine.games import GAMES
from engine.records import RecordError, to_plain
from engine.sentences import Sentence
from tournaments.core.accounts.spaces import check_space_address
from tournaments.core.config.plain_text import storable
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Action, Change, Effect
from tournaments.ledger.acts.ladder_settings import SETTINGS, BadSetting, with_settings
from tournaments.models import Act, Ladder, Space

FIRST = ("description", "division", *SETTINGS[2:])  # what can be chosen when it is made


@dataclass(frozen=True, slots=True)
class CreateLadder(Action):
    kind, button = "create_ladder", "Create the ladder"
    about = (
        "A new ladder is created, and is open at once. `options`: of the game, by name; `settings`: those of "
        "`change_settings`, and the `division`. What is not named is as by default. "
        "In a space its organisers may, and its address begins with the space's and a hyphen."
    )
    slug: str
    title: str
    game: str
    options: Mapping[str, Any] | None = None
    settings: Mapping[str, Any] | None = None
    space: Space | None = None

    def hold(self) -> None:
        if self.space:
            Space.objects.select_for_update(no_key=True).get(pk=self.space.pk)

    def preview(self) -> Effect:
        ladder = self.ladder()
        says = Sentence(
            "A ladder of %(game_title)s, %(title)s, at /ladders/%(slug)s/. Bots may enter at once.",
            game_title=ladder.game_title,
            title=repr(ladder.title),
            slug=ladder.slug,
        )
        usual = Ladder()
        changes = [
            Change(name, str(getattr(usual, name)), str(getattr(ladder, name))) for name in _chosen(ladder, usual)
        ]
        more = {"game": ladder.game, "rules": ladder.rules, "options": ladder.options}
        return Effect(f"ladder {ladder.slug}", [says], changes, more=more)

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        self.ladder().save(force_insert=True)

    def ladder(self) -> Ladder:
        """Return the ladder as it would be.
        Raises Refused: slug_taken, bad_slug, unknown_game, space_closed, too_many_ladders, unknown_setting,
        bad_setting."""
        if self.game not in GAMES:
            raise Refused(
                "unknown_game",
                "there is no game %(game)s; there are %(games)s",
                game=f"{self.game:.40}",
                games=", ".join(GAMES),
            )
        self._check_space()
        if Ladder.objects.filter(slug=storable(self.slug)).exists():
            raise Refused("slug_taken", "there is a ladder at %(slug)s already; choose another address", slug=self.slug)
        rules, options = GAMES[self.game].version, self._options()
        new = Ladder(slug=storable(self.slug), title=storable(self.title), game=self.game, rules=rules, options=options)
        new.space, new.margin = self.space, rated_margin(self.game)
        return with_settings(new, self.settings or {}, FIRST)

    def _check_space(self) -> None:
        space = self.space and Space.objects.get(pk=self.space.pk)
        if space is None:
            return
        if space.closed_at:
            raise Refused("space_closed", "%(space)s is closed", space=space)
        check_space_address(space, self.slug)
        if space.ladders.count() >= settings.LADDERS_A_SPACE:
            raise Refused(
                "too_many_ladders",
                "%(space)s has %(ladders_a_space)s ladders, the most a space may have",
                space=space,
                ladders_a_space=settings.LADDERS_A_SPACE,
            )

    def _options(self) -> object:
        try:
            return to_plain(GAMES[self.game].read_options({**rated_options(self.game), **(self.options or {})}))
        except RecordError as error:
            raise BadSetting({"options": [Sentence("%(error)s.", error=error.reason)]}) from None


def _chosen(ladder: Ladder, usual: Ladder) -> list[str]:
    return [name for name in FIRST[1:] if getattr(ladder, name) != getattr(usual, name)]
