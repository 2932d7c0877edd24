"""The door: workers by address and token, which know nothing of the broker (`workers.door_words` says how they talk).

They play for a space, or for nobody: then on those ladders of the site that allow it. The door is served by threads of
its own in every web process, so however many workers ask, and however long they take, no page waits for them.
"""

from django.views.decorators.http import require_http_methods

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.features.worker_door.actions import AdmitWorker, AllowOutsideWorkers, RevokeTokens

page = routes_of("tournaments.features.worker_door.pages")
form = require_http_methods(["GET", "HEAD", "POST"])

WORKER_DOOR = Feature(
    name="worker_door",
    uses=("examinations", "practice"),
    actions=(AdmitWorker, RevokeTokens, AllowOutsideWorkers),
    pages=(page("desk/new-worker/", "new_worker", form, name="desk-new-worker"),),
)
