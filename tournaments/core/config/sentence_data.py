"""Sentences as they are stored beside their English text: a template and what is filled in, to be translated.

Much of it comes from workers, so none of it is trusted: data that did not make the text is ignored.
"""

import json
import re
from typing import Any, Final

from engine.sentences import Sentence, as_data
from tournaments.core.config.plain_text import storable

PLACE: Final = re.compile(r"%(?:%|\((\w+)\)s)")
LONGEST: Final = 80_000  # characters of a sentence
DEEPEST: Final = 20  # how many sentences stand in each other
MOST: Final = 128 << 10  # bytes of the data of one sentence
CUT: Final = "…"  # at the end of a text that was too long for its column


def sentence_of(text: str, data: object, most: int = 0) -> str:
    """Return the text as the sentence that the data says it was made of; the text alone where that is not true.

    The sentence may go on only where the text fills its column of `most` characters.
    """
    try:
        sentence = _read(data)
    except (ValueError, KeyError):
        return text
    is_cut = 0 < most <= len(text) and sentence.startswith(text.removesuffix(CUT))
    return sentence if is_cut or sentence == text else text


def checked_data(text: str, data: object, most: int = 0) -> object:
    """Return the data as it is stored beside the text, without what did not make it; None where nothing did, and
    where it is too much."""
    sentence = sentence_of(text, data, most)
    if not isinstance(sentence, Sentence):
        return None
    checked = as_data(sentence)
    return checked if len(json.dumps(checked)) <= MOST else None


def data_of(text: str) -> object:
    """Return what is stored beside a text of our own; None if it is no sentence."""
    return checked_data(text, as_data(text))


def _read(data: Any, depth: int = 0) -> str:
    """Return the sentence that `as_data` of `engine.sentences` has written, or a text as it is.

    Raises ValueError, KeyError.
    """
    match data:
        case str():
            return storable(data)
        case {"sentence": str(template), "filled": dict(filled)} if depth < DEEPEST:
            return _sentence(storable(template), filled, depth)
    raise ValueError


def _sentence(template: str, filled: dict[str, Any], depth: int) -> Sentence:
    places = [name for name in PLACE.findall(template) if name]
    values = {name: _read(filled[name], depth + 1) for name in dict.fromkeys(places)}
    has_others = bool(places) and "%" in PLACE.sub("", template)
    if not template or has_others or len(template) + sum(len(values[name]) for name in places) > LONGEST:
        raise ValueError
    return Sentence(template, **values)
