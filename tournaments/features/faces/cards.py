"""What pages show of badges, leagues and characters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Min, QuerySet

from bots.characters import characters_of
from engine.sentences import Sentence
from tournaments.core.accounts.spaces import listed_for
from tournaments.core.feature import Card
from tournaments.ledger.ladders.leagues import Strength, league_of, playing_characters
from tournaments.models import Badge, Bot, Entry, Match, User

LATEST = 24  # badges on the page of a person
NAMES = {
    Badge.Kind.FIRST_WIN: Sentence("First win"),
    Badge.Kind.FIRST_UPSET: Sentence("First upset"),
    Badge.Kind.ALL_BEATEN: Sentence("All characters beaten"),
    Badge.Kind.WEEK: Sentence("A week on the ladder"),
}


@dataclass(frozen=True, slots=True)
class ShownBadge:
    """A badge in words, with the emblem of a name, and the first match of the set that earned it."""

    badge: Badge
    text: Sentence
    match: int

    @property
    def face(self) -> str:
        """Return the name of the character that was beaten, or of the bot."""
        bot = self.badge.bot
        return name_of_character(bot.game, self.badge.character) if self.badge.character else bot.name

    @property
    def colours(self) -> str:
        return "" if self.badge.character else self.badge.bot.colours


def badges_of(bots: Iterable[Bot]) -> QuerySet[Badge]:
    """Return the badges of the bots, the latest first, without those of sets that do not count any more."""
    counting = Badge.objects.filter(bot__in=bots, set__rated=True)
    return counting.select_related("bot", "set__ladder").order_by("-earned_at", "-pk")


def shown_badges(badges: Iterable[Badge]) -> list[ShownBadge]:
    rows = list(badges)
    matches = Match.objects.filter(set__in={row.set_id for row in rows}).values_list("set")
    first = dict(matches.annotate(Min("pk")))
    return [ShownBadge(row, name_of_badge(row), first[row.set_id]) for row in rows]


def name_of_badge(badge: Badge) -> Sentence:
    if badge.kind == Badge.Kind.BEATEN:
        return Sentence("Beat %(name)s", name=name_of_character(badge.bot.game, badge.character))
    return NAMES[Badge.Kind(badge.kind)]


def name_of_character(game: str, house: str) -> str:
    character = characters_of(game).get(house)
    return character.name if character else house


def badges_of_person(user: User, viewer: User | AnonymousUser) -> Card | None:
    """Return the latest badges of those bots of the person that are listed for the viewer."""
    shown = shown_badges(badges_of(user.bots.filter(listed_for(viewer)))[:LATEST])
    return Card("faces/_person_card.html", {"badges": shown}) if shown else None


def face_of_bot(bot: Bot, entries: Sequence[Entry]) -> dict[str, object]:
    """Return what the page of a bot shows beside its emblem. Give the entries their leagues."""
    character = characters_of(bot.game).get(bot.house) if bot.house else None
    if not bot.house:
        note_leagues(bot, entries)
    return {"character": character, "badges": shown_badges(badges_of([bot]))}


def note_leagues(bot: Bot, entries: Sequence[Entry]) -> None:
    """Set `league` of each rated entry, by one query."""
    rated = [entry for entry in entries if vars(entry)["ci95"] is not None]
    playing = playing_characters(bot.game, [entry.ladder_id for entry in rated]) if rated else {}
    for entry in rated:
        row = vars(entry)
        row["league"] = league_of(Strength(row["elo"], row["ci95"]), row["sets"], playing.get(entry.ladder_id, []))
