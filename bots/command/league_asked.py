"""The arguments of a league at home, whatever its format."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bots.contest import Contestant, find_contestant
from engine.game import AnyGame


@dataclass(frozen=True, slots=True)
class Asked:
    """`bots` as they were named, `rules` as options of the game were written, `path` of the journal."""

    game: AnyGame
    bots: Sequence[str]
    seed: str
    rules: Sequence[str]
    path: Path | None
    cores: int
    as_json: bool

    def contestants(self, store: str) -> list[Contestant]:
        return [find_contestant(self.game.name, bot, Path(store)) for bot in self.bots]

    def head(self, options: object, league: object, contestants: Sequence[Contestant]) -> dict[str, object]:
        """Return the head of the journal and of the document: all that decides who plays what."""
        head = {"game": self.game.name, "rules": self.game.version, "options": options, "seed": self.seed}
        return {**head, "league": league, "bots": [[bot.name, bot.bundle] for bot in contestants]}
