"""The promise to every bot that plays in a ladder: a match of it is over by a time that its page, the ladder's and the
API show. Promises that are broken are counted, and organisers read how many were.
"""

from django.db.models import Max, Sum

from tournaments.core.feature import Card, Feature, Step
from tournaments.features.promises.promised_waits import LOOKS, keep_promises
from tournaments.models import Entry, Ladder


def standings_note(ladder: Ladder) -> Card:
    """Return by when every bot of the ladder plays again, and how many such promises were broken."""
    playing = ladder.entries.filter(status=Entry.Status.PLAYING)
    latest = playing.aggregate(latest=Max("next_by"))
    return Card("promises/_standings_note.html", latest | ladder.entries.aggregate(broken=Sum("broken", default=0)))


PROMISES = Feature(
    name="promises",
    steps=(Step(name="promised waits", run=keep_promises, every=0.0, after_sending=True),),
    lead_changed=LOOKS.forget,
    standings_note=standings_note,
)
