"""Names and titles of the games, for the tables. `tournaments.apps` fills them in from the engine."""

TITLES: dict[str, str] = {}  # by name


def games() -> list[tuple[str, str]]:
    """The choice of games; a function, so that a new game needs no migration."""
    return list(TITLES.items())


def title_of_game(game: str) -> str:
    return TITLES[game]
