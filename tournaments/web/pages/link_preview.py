"""Link previews: what other sites show for a link to a match or to a moment of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.html import escape

from bots.viewer import commentary
from bots.viewer.stories import Story
from bots.viewer.svg import whole_words
from engine.games import GAMES
from engine.replay import Replay
from tournaments.models import Match
from tournaments.web.pages.replay_viewer import Viewer, viewer_of_replay
from tournaments.web.pages.sentences import say

LONGEST = 300  # letters of a sentence; other sites cut longer ones where they please
EMBED_SIZE = (900, 1100)


@dataclass(frozen=True, slots=True)
class Share:
    title: str
    sentence: str
    page: str  # whole addresses
    image: str
    alt: str  # the image in words
    snippet: str  # that embeds the moment that is shown
    oembed: str  # where the page tells of itself; as it is within this site


def preview_of_link(match: Match, story: Story, viewer: Viewer, query: Mapping[str, str]) -> Share:
    """Return the preview of a moment, and of a link that names none (`query`) that of the decisive one."""
    present = {"at": str(viewer.at), "as": viewer.eyes.key}
    mark = None if names_moment(query) else viewer.decisive
    chosen = present if names_moment(query) else {"as": viewer.eyes.key}
    page, image = (f"{whole_address(name, match)}?{urlencode(chosen)}" for name in ("match", "card"))
    title = f"{story.headline} {say('%(game)s, match %(match)s', game=GAMES[match.set.game].title, match=match.pk)}"
    return Share(
        title=title,
        sentence=whole_words(mark.text if mark else viewer.sentence, LONGEST),
        page=page,
        image=image,
        alt=viewer.film.seen.picture.says if names_moment(query) else title,
        snippet=frame_markup(f"{whole_address('embed', match)}?{urlencode(present)}", *EMBED_SIZE, title),
        oembed=f"{reverse('oembed')}?{urlencode({'url': page})}",
    )


def whole_address(name: str, match: Match) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=[match.pk])}"


def frame_markup(address: str, width: int, height: int, title: str) -> str:
    """Return the frame by which a page of others embeds a match."""
    size = f'width="{width}" height="{height}"'
    return f'<iframe src="{escape(address)}" {size} title="{escape(title)}" allow="fullscreen"></iframe>'


def names_moment(query: Mapping[str, str]) -> bool:
    return "at" in query or "lost" in query


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
