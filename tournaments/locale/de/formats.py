"""Dates as Germans write them. Numbers and fields are as on the English pages: they go into programs and drawings too,
and a number in a file, in a command or in the API is then the one on the page."""

from django.conf.locale.en_GB.formats import (  # type: ignore[import-untyped]
    DATE_INPUT_FORMATS,
    DATETIME_INPUT_FORMATS,
    DECIMAL_SEPARATOR,
    NUMBER_GROUPING,
    THOUSAND_SEPARATOR,
)

__all__ = (
    "DATETIME_INPUT_FORMATS",
    "DATE_INPUT_FORMATS",
    "DECIMAL_SEPARATOR",
    "NUMBER_GROUPING",
    "THOUSAND_SEPARATOR",
)
