"""What the site's tests begin from, made by the real verbs."""

from itertools import count

from engine.games import GAMES
from engine.records import to_plain
from tournaments.entering import create_bot
from tournaments.models import Bot, Ladder, User

numbers = count(1)


def a_user(name: str = "", *, staff: bool = False) -> User:
    name = name or f"user{next(numbers)}"
    return User.objects.create_user(name, password=f"the password of {name}", is_staff=staff)


def a_ladder(slug: str = "", *, players: int = 3, **fields: object) -> Ladder:
    game = GAMES["zaibatsu"]
    slug = slug or f"ladder-{next(numbers)}"
    options = to_plain(game.read_options({"players": players}))
    settings = {"slug": slug, "title": slug.title(), "game": game.name, "rules": game.version, "options": options}
    return Ladder.objects.create(**{**settings, **fields})


def a_bot(owner: User | None = None, name: str = "") -> Bot:
    return create_bot(owner=owner or a_user(), game="zaibatsu", name=name or f"bot {next(numbers)}")
