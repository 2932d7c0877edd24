"""The games by name, each imported when it is first asked for: a bot of one game does not pay for the others."""

import importlib
from collections.abc import Iterator, Mapping, MutableMapping

from engine.game import AnyGame


class Shelf(MutableMapping[str, AnyGame]):
    """Like a dictionary. `unloaded`: by name the package of a game, which holds it under that name in capitals."""

    def __init__(self, unloaded: Mapping[str, str]) -> None:
        self._games: dict[str, AnyGame | str] = dict(unloaded)

    def __getitem__(self, name: str) -> AnyGame:
        stored = self._games[name]
        if isinstance(stored, str):
            game: AnyGame = getattr(importlib.import_module(stored), name.upper())
            self._games[name] = stored = game
        return stored

    def __setitem__(self, name: str, game: AnyGame) -> None:
        self._games[name] = game

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def __contains__(self, name: object) -> bool:
        return name in self._games

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)
