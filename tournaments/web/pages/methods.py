"""Which methods a page answers."""

from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from tournaments.core.config.routes import View

seen, listened = require_safe, require_GET
form = require_http_methods(["GET", "HEAD", "POST"])
sent = require_POST


def begun_elsewhere(view: View) -> View:
    """Another site leads somebody here, by a link or by a form."""
    exempt: View = csrf_exempt(form(view))
    return exempt


def sent_from_elsewhere(view: View) -> View:
    """A provider's page sends it, with a signature of the provider in the place of our token."""
    exempt: View = csrf_exempt(require_POST(view))
    return exempt
