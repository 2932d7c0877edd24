"""Our addresses, as providers know them."""

from django.conf import settings
from django.urls import reverse

from tournaments.core.config.sign_on import Provider


def here(name: str, ours: Provider) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=[ours.key])}"
