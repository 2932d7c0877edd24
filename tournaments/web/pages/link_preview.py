"""Link previews: what other sites show for a link to a match or to a moment of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from bots.viewer import commentary
from bots.viewer.svg import whole_words
from engine.games import GAMES
from engine.replay import Replay
from tournaments.models import Match
from tournaments.web.pages.replay_viewer import Viewer, viewer_of_replay
from tournaments.web.pages.sentences import say

LONGEST = 300  # letters of a sentence; other sites cut longer ones where they please


@dataclass(frozen=True, slots=True)
class Share:
    title: str
    sentence: str
    page: str  # whole addresses
    image: str
    frame: str
    oembed: str  # where the page tells of itself; as it is within this site


def preview_of_link(match: Match, replay: Replay, viewer: Viewer, query: Mapping[str, str]) -> Share:
    """Return the preview of a moment, and of a link that names none (`query`) that of the decisive one."""
    named = names_moment(query)
    told = "" if named else decisive_words(viewer)
    chosen = {"at": viewer.at, "as": viewer.eyes.key} if named else {"as": viewer.eyes.key}
    page, image, frame = (
        f"{settings.SITE_URL}{reverse(name, args=[match.pk])}?{urlencode(chosen)}"
        for name in ("match", "card", "embed")
    )
    oembed = f"{reverse('oembed')}?{urlencode({'url': page})}"
    sentence = whole_words(told or viewer.sentence, LONGEST)
    return Share(title_of_preview(match, replay), sentence, page, image, frame, oembed)


def names_moment(query: Mapping[str, str]) -> bool:
    return "at" in query or "lost" in query


def decisive_words(viewer: Viewer) -> str:
    return viewer.decisive.text if viewer.decisive else ""


def pictured_moment(number: int, replay: Replay, query: Mapping[str, str]) -> tuple[Viewer, str]:
    """Return the moment that the picture of a link shows, and what is said of it. Raises ReplayError."""
    viewer = viewer_of_replay(number, replay, query)
    if names_moment(query):
        return viewer, viewer.sentence
    mark = viewer.decisive
    at = str(mark.at if mark else len(replay.answers))
    shown = viewer_of_replay(number, replay, {**query, "at": at})
    return shown, mark.text if mark else shown.sentence


def title_of_preview(match: Match, replay: Replay) -> str:
    """Return who has won, and the scores, the best place first."""
    rows = sorted(zip(replay.result.places, replay.players, replay.result.scores, strict=True), key=lambda row: row[0])
    results = ", ".join(f"{player.name} {score}" for _, player, score in rows)
    line = say("%(game)s, match %(match)s: %(results)s", game=GAMES[replay.game].title, match=match.pk, results=results)
    return f"{winner_in_words(replay)} {line}"


def winner_in_words(replay: Replay) -> str:
    return commentary.ending(replay, commentary.names_of(replay))[-1].text
