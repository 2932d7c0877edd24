"""Link previews: what other sites show for a link to a moment."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from engine.games import GAMES
from engine.replay import Replay
from tournaments.models import Match
from tournaments.web.pages.replay_viewer import Viewer
from tournaments.web.pages.sentences import say


@dataclass(frozen=True, slots=True)
class Share:
    title: str
    sentence: str
    page: str  # whole addresses
    image: str
    frame: str
    oembed: str  # where the page tells of itself; as it is within this site


def preview_of_link(match: Match, replay: Replay, viewer: Viewer) -> Share:
    query = urlencode({"at": viewer.at, "as": viewer.eyes.key})
    page, image, frame = (
        f"{settings.SITE_URL}{reverse(name, args=[match.pk])}?{query}" for name in ("match", "card", "embed")
    )
    oembed = f"{reverse('oembed')}?{urlencode({'url': page})}"
    return Share(title_of_preview(match, replay), viewer.sentence, page, image, frame, oembed)


def title_of_preview(match: Match, replay: Replay) -> str:
    scores = zip(replay.players, replay.result.scores, strict=True)
    results = ", ".join(f"{player.name} {score}" for player, score in scores)
    sentence = "%(game)s, match %(match)s: %(results)s"
    return say(sentence, game=GAMES[replay.game].title, match=match.pk, results=results)
