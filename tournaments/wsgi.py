"""What the web server serves."""

import os

from django.core.wsgi import get_wsgi_application

from workers.loading import loading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
with loading():
    application = get_wsgi_application()
