"""What people say of themselves, their bots and their teams, as PostgreSQL looks for words in it."""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector


def words_in(column: str) -> SearchVector:
    """Must be the index's own expression, or PostgreSQL does not use it."""
    return SearchVector(column, config="english")


def text_index(column: str, name: str) -> GinIndex:
    return GinIndex(words_in(column), name=name)
