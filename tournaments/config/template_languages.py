"""Templates are compiled once for each language, with sentences as plain text (`templatetags.translations`)."""

from django.template import Origin
from django.template.loaders import cached
from django.utils.translation import get_language


class PerLanguage(cached.Loader):
    def cache_key(self, template_name: str, skip: list[Origin] | None = None) -> str:
        return f"{get_language()} {super().cache_key(template_name, skip)}"
