"""The full-text index of what people write about themselves, their bots and their teams."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector


def words_in(column: str) -> SearchVector:
    """Must be the index's own expression, or PostgreSQL does not use it."""
    return SearchVector(column, config="english")


def text_index(column: str, name: str) -> GinIndex:
    return GinIndex(words_in(column), name=name)
