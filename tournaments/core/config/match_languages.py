"""Matches are told in the languages of the pages: the sentences of `bots.viewer`, translated by Django's own files."""

from functools import cache, lru_cache

from django.utils.translation import trans_real

from bots.viewer.language import ENGLISH, Language

POINTS = {"de": ","}  # before decimals in what is told of matches; pages keep a point, for drawings and programs
KEPT = 8192  # sentences, which are our own, and so no more than are in the file


@cache
def match_language(code: str) -> Language:
    """That of the site's languages; by its own cache a sentence costs what an English one does."""
    if code == ENGLISH.name:
        return ENGLISH
    translation = trans_real.translation(code)
    return Language(code, lru_cache(KEPT)(translation.gettext), translation.ngettext, POINTS.get(code, "."))
