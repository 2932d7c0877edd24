"""Rows whose name contains all words, then those whose text matches them.

A name is found by any part of it, which no index of PostgreSQL's own helps with: ten thousand names are read in a few
milliseconds. Texts are found by their words' stems, through an index (`tournaments.models.text_index`).
"""

from collections.abc import Iterator
from typing import TypeVar, cast

from django.contrib.postgres.search import SearchQuery
from django.db.models import Case, IntegerField, Model, QuerySet, Value, When
from django.db.models.functions import Length

from tournaments.ledger.search.words import Words
from tournaments.models.text_index import words_in

M = TypeVar("M", bound=Model)


def having(rows: QuerySet[M], column: str, words: Words) -> QuerySet[M]:
    """Return the rows whose column has every word, as a part of it, in any case of letters."""
    for word in words.each:
        rows = rows.filter(**{f"{column}__icontains": word})
    return rows


def ranked_by_words(rows: QuerySet[M], column: str, words: Words) -> QuerySet[M]:
    """Return the rows with all words: named exactly so, then beginning so, then the rest; the shorter first."""
    nearness = Case(
        When(**{f"{column}__iexact": words.text}, then=Value(0)),
        When(**{f"{column}__istartswith": words.text}, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    found = having(rows, column, words).annotate(nearness=nearness, length=Length(column))
    return cast("QuerySet[M]", found.order_by("nearness", "length", column, "pk"))


def telling_of(rows: QuerySet[M], column: str, words: Words) -> QuerySet[M]:
    """Return the rows whose text has the words, in whatever form English has of them, the newest first."""
    wanted = SearchQuery(words.text, config="english", search_type="plain")
    return cast("QuerySet[M]", rows.annotate(says=words_in(column)).filter(says=wanted).order_by("-pk"))


def found_in(rows: QuerySet[M], name: str, text: str, words: Words, most: int) -> Iterator[M]:
    """Yield at most `most` rows, none twice: those found by name, then those found by text."""
    named = list(ranked_by_words(rows, name, words)[:most])
    yield from named
    if text and len(named) < most:
        others = telling_of(rows, text, words).exclude(pk__in=[row.pk for row in named])
        yield from others[: most - len(named)]
