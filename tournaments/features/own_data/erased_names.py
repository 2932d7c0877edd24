"""The names of an erased person, their replacements, and how they are found in sentences.

A bot may be called "sets", which must not remove that word from every text. So in what the site itself wrote, a name
counts only where it is used as a name: after "bot", before "v3", as a whole value. What people typed, such as an
organiser's reason, loses the name as a word, if few rows have it.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from tournaments.core.accounts.names import alike
from tournaments.models import Bot, Membership, Team, User

BEFORE = "account|owner|bot|version|team|entrant|contents are those of"  # and no word that may be before any other
AFTER = r" v\d| is paired no more| asks you"
LISTED = r"(?:(?<=: )|(?<=, )|(?<= and ))(?P<c>{name})(?=, | and |\.)"
NAMED = ("bot", "team", "owner", "account", "user")  # keys whose whole value may be a name


@dataclass(frozen=True, slots=True)
class ErasedNames:
    """By name, what stands in its place. In typed texts a name that another's bot has too, in its game, is theirs."""

    to: Mapping[str, str]
    shared: frozenset[str] = frozenset()
    _written: re.Pattern[str] = field(init=False)
    _typed: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        any_name = "|".join(re.escape(name) for name in sorted(self.to, key=len, reverse=True))
        alone = rf"(?<!\w)(?:(?P<word>{BEFORE})\s+(?P<a>{any_name})(?!\w)|(?P<b>{any_name})(?={AFTER}))"
        placed = f"{alone}|{LISTED.format(name=any_name)}"
        object.__setattr__(self, "_written", re.compile(placed))
        unshared = sorted(self.to.keys() - self.shared, key=len, reverse=True)
        object.__setattr__(self, "_typed", re.compile("|".join(map(as_word, unshared)) or r"\b\B", re.IGNORECASE))

    def in_written(self, text: str) -> str:
        return self._written.sub(self._placed, text)

    def in_typed(self, text: str) -> str:
        return self._typed.sub(lambda hit: self._meant(hit[0]), text)

    def _meant(self, found_name: str) -> str:
        """Return what replaces a name that was found, in any case of letters, as expressions understand it."""
        names = (new for name, new in self.to.items() if re.fullmatch(re.escape(name), found_name, re.IGNORECASE))
        return next(names, "erased")

    def in_plain(self, value: Any, *, key: str = "", typed: bool = False, keys: Collection[str] = NAMED) -> Any:
        """Return JSON without the names: a value is a name only under a key that says so."""
        match value:
            case str():
                replacement = self.to.get(value) if key in keys and value not in self.shared else None
                return replacement or (self.in_typed(value) if typed else self._written.sub(self._placed, value))
            case dict():
                return {name: self.in_plain(part, key=name, typed=typed, keys=keys) for name, part in value.items()}
            case list():
                return [self.in_plain(part, key=key, typed=typed, keys=keys) for part in value]
        return value

    def _placed(self, hit: re.Match[str]) -> str:
        if hit["word"]:
            text: str = hit[0]
            return text.removesuffix(hit["a"]) + self.to[hit["a"]]
        return self.to[hit["b"] or hit["c"]]


def as_word(name: str) -> str:
    """Return an expression for the name as a word: not every script has spaces between words."""
    return rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)


def names_to_erase(user: User, teams: QuerySet[Team]) -> ErasedNames:
    """Return the names of the account, its bots and the teams that close with it; addresses too."""
    name = free(User.objects.exclude(pk=user.pk), "username", f"erased-{user.pk}")
    texts = [user.username, user.former_name, user.email, user.confirmed_email, user.get_full_name()]
    to = dict.fromkeys([text for text in texts if text], name)
    to |= dict.fromkeys(user.webhooks.values_list("url", flat=True), name)
    for bot in user.bots.all():
        new = neutral_bot_name(bot)
        to = dict.fromkeys([*bot.former_names, bot.name], new) | to
    for team in teams:
        to.setdefault(team.name, f"erased team {team.pk}")
    shared = Bot.objects.exclude(owner=user).filter(name__in=to).values_list("name", flat=True)
    return ErasedNames(to, frozenset(shared))


def neutral_bot_name(bot: Bot) -> str:
    return free(Bot.objects.filter(game=bot.game).exclude(pk=bot.pk), "name", f"erased {bot.pk}")


def free(rows: QuerySet[Any], column: str, name: str) -> str:
    """Return the name, made longer while somebody has it: it may be taken on purpose."""
    while alike(rows, column, name):
        name += "x"
    return name


def closing_with(user: User) -> QuerySet[Team]:
    """Return the teams in which nobody else is a member."""
    members = Membership.objects.exclude(role=Membership.Role.INVITED)
    teams = members.exclude(user=user).values("team")
    return Team.objects.filter(memberships__in=members.filter(user=user)).exclude(pk__in=teams)
