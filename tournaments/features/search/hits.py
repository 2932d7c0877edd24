"""Search results by kind: a title, a line about it, and its address on the site."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from django.urls import reverse

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import Viewer, listed_for, people_known_to
from tournaments.core.accounts.visibility import events_listed_for, sets_listed_for
from tournaments.ledger.search.ranked import found_in
from tournaments.ledger.search.words import Words
from tournaments.models import Bot, Event, Ladder, Match, Team, User

MOST = 8  # of a kind


@dataclass(frozen=True, slots=True)
class Hit:
    kind: str  # of KINDS
    key: str  # an id, a slug or a person's name, as the API calls it
    title: str
    about: str
    address: str  # within the site


def bot_hits(viewer: Viewer, words: Words, most: int) -> Iterator[Hit]:
    for bot in found_in(Bot.objects.filter(listed_for(viewer)).select_related("owner"), "name", "about", words, most):
        about = Sentence("%(game)s, by %(owner)s", game=bot.get_game_display(), owner=bot.owner)
        yield Hit("bot", str(bot.pk), bot.name, _and(about, bot.about), reverse("bot", args=[bot.pk]))


def person_hits(viewer: Viewer, words: Words, most: int) -> Iterator[Hit]:
    for person in found_in(User.objects.filter(people_known_to(viewer)), "username", "about", words, most):
        name = person.username
        yield Hit("person", name, name, _and("", person.about), reverse("person", args=[name]))


def team_hits(viewer: Viewer, words: Words, most: int) -> Iterator[Hit]:  # noqa: ARG001 - all are public
    for team in found_in(Team.objects.all(), "name", "about", words, most):
        yield Hit("team", str(team.pk), team.name, _and("", team.about), reverse("team", args=[team.pk]))


def ladder_hits(viewer: Viewer, words: Words, most: int) -> Iterator[Hit]:
    for ladder in found_in(Ladder.objects.filter(listed_for(viewer)), "title", "description", words, most):
        about = _and(
            Sentence("%(game)s, %(seats)s players", game=ladder.game_title, seats=ladder.seats), ladder.description
        )
        yield Hit("ladder", ladder.slug, ladder.title, about, reverse("ladder", args=[ladder.slug]))


def event_hits(viewer: Viewer, words: Words, most: int) -> Iterator[Hit]:
    seen = Event.objects.filter(events_listed_for(viewer)).select_related("ladder")
    for event in found_in(seen, "title", "description", words, most):
        status = Sentence(str(event.get_status_display()))
        about = _and(Sentence("%(status)s, %(game)s", status=status, game=event.ladder.game_title), event.description)
        yield Hit("event", event.slug, event.title, about, reverse("event", args=[event.slug]))


def match_hits(viewer: Viewer, words: Words, most: int) -> Iterator[Hit]:  # noqa: ARG001 - there is one of a number
    """Yield the match of that number."""
    seen = Match.objects.filter(sets_listed_for(viewer), set__checks=None, pk=words.number or 0)
    for match in seen.select_related("set__ladder", "set__event").prefetch_related("seats__version__bot"):
        trial = match.set.trial_id  # whose seats differ by their versions alone
        names = ", ".join(str(seat.version) if trial else seat.version.bot.name for seat in match.seats.all())
        where = Sentence("Trial, not rated") if trial else match.set.event or match.set.ladder
        title = Sentence("Match %(match)s", match=match.pk)
        about = Sentence("%(where)s: %(names)s", where=where, names=names)
        yield Hit("match", str(match.pk), title, about, reverse("match", args=[match.pk]))


KINDS: dict[str, Callable[[Viewer, Words, int], Iterator[Hit]]] = {
    "match": match_hits,
    "bot": bot_hits,
    "person": person_hits,
    "team": team_hits,
    "ladder": ladder_hits,
    "event": event_hits,
}


def search(viewer: Viewer, words: Words, most: int = MOST) -> dict[str, list[Hit]]:
    """Return hits by kind, the nearest first, without kinds that have none."""
    if not words:
        return {}
    hits_by_kind = {kind: list(islice(find(viewer, words, most), most)) for kind, find in KINDS.items()}
    return {kind: hits for kind, hits in hits_by_kind.items() if hits}


def _and(first: str, text: str) -> str:
    """Return a line, with the beginning of a text."""
    line = " ".join(text.split())
    short = f"{line[:117]}..." if len(line) > 120 else line
    return Sentence("%(first)s. %(rest)s", first=first, rest=short) if first and short else first or short
