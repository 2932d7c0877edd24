"""Sentences from our code, in the language of the page: they are stored, and sent to programs, in English.

Only what is constant is found: choices' words, labels, verdicts. What people wrote must not go through here: a bot's
name may be one of our words.
"""

import re
from datetime import datetime
from typing import Final

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import get_language, gettext

from bots.viewer.language import decimal
from engine.sentences import Sentence
from tournaments.ledger.acts.base import DIGEST
from tournaments.models import Notice
from tournaments.web.pages.desk.dataclass_form import label_of_setting
from tournaments.web.pages.sentences import in_page_language
from tournaments.web.pages.stored_sentences import found_again

TYPED = {  # settings, and what stands in them by its name
    *("description", "name", "rules", "scheme", "slug", "text", "title"),
    *("anchor", "ladder", "previous"),
}

DATIVE: Final = re.compile(r"(Tage|Monate|Jahre)\b")

register = template.Library()


@register.filter
def said(text: str) -> str:
    """Return what our code said in a `Sentence`; what people wrote stays as it is."""
    return in_page_language(text)


def is_english() -> bool:
    return (get_language() or "en").startswith("en")


@register.filter
def stored(text: object) -> SafeString:
    """A sentence of ours that was stored in English. Where no translation is found, it is marked as English."""
    kept = str(text or "")
    if not kept or is_english():
        return conditional_escape(kept)
    found = found_again(kept) or (text if isinstance(text, Sentence) else None)
    return conditional_escape(in_page_language(found)) if found else format_html('<span lang="en">{}</span>', kept)


@register.filter
def kept_value(text: object, name: str) -> str:
    """Return a setting's value before or after an act: a word or sentence of ours, a number, a name, or typed text."""
    kept = str(text)
    found = None if is_english() else found_again(kept)
    if name in TYPED and (found is None or found.sentence != DIGEST):
        return kept
    return in_page_language(found) if found else gettext(kept) if kept else ""


@register.filter
def setting(name: str) -> str:
    """Return a setting's name as its field is called; one that has none is called as programs call it."""
    known = None if is_english() else found_again(label_of_setting(name), 1)
    return in_page_language(known) if known else name


@register.filter
def notice_kind(kind: str) -> str:
    return gettext(Notice.Kind(kind).label) if kind in Notice.Kind.values else kind


@register.filter
def translated(text: object) -> str:
    """The same where there is no translation."""
    if isinstance(text, Sentence):
        return in_page_language(text)
    return gettext(text if isinstance(text, str) else str(text)) if text else ""


register.filter("decimal", decimal)  # in what is told of matches


@register.filter
def elapsed(moment: datetime | None) -> str:
    """Return how long ago it was, nothing where there is no time; in German in the dative, as it stands after "vor"."""
    return DATIVE.sub(r"\1n", timesince(moment)) if moment else ""
