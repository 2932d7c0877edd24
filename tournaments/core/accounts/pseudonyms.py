"""Random names for people in a space where nobody sees who is who; they are derived from nothing.

Such a name is the only one stored for a person: in the account, in their bots' names and in every replay, so pages have
nothing to hide. Who it is, the roster says to the space's organisers.
"""

from itertools import count
from secrets import choice, randbelow

from tournaments.core.accounts.names import alike
from tournaments.core.accounts.spaces import runs
from tournaments.models import Bot, Space, User

COLOURS = (
    "amber ash azure beige black blue bronze brown copper coral cream crimson cyan ebony golden green "
    "grey indigo ivory jade khaki lilac lime maroon mauve ochre olive orange pearl pink plum purple red "
    "rose ruby rust sand scarlet silver slate teal tan umber violet white yellow"
)
ANIMALS = (
    "badger beaver bison buzzard camel condor crane crow deer dingo dolphin donkey eagle egret falcon "
    "ferret finch fox gecko gibbon goose grouse hare hawk heron horse ibex ibis iguana jackal jay kestrel "
    "kite koala lark lemur lion llama lynx magpie marten mole moose newt ocelot okapi orca osprey otter "
    "owl panda parrot pelican plover puffin puma quail raven robin salmon seal sparrow stork swan swift "
    "tapir tern tiger toad trout viper walrus weasel wombat yak zebra"
)


def drawn_name() -> str:
    """Draw a name for a person that nobody has, nor one like it."""
    drawn = (f"{choice(COLOURS.split())}-{choice(ANIMALS.split())}-{10 + randbelow(990)}" for _ in count())
    return next(name for name in drawn if alike(User.objects.all(), "username", name) is None)


def name_of_bot(owner: User, game: str, space: Space | None, proposed: str) -> str:
    """Return the bot's name: in a space of pseudonyms its owner's, except for bots of its organisers."""
    if space is None or not space.pseudonyms or runs(owner, space.pk):
        return proposed
    base = owner.username.replace("-", " ").title()
    names = (base if number == 1 else f"{base} {number}" for number in count(1))
    bots = Bot.objects.filter(game=game, space=space)
    return next(name for name in names if alike(bots, "name", name) is None)
