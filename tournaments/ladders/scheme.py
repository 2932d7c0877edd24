"""A course's marking scheme as it was written."""

from tournaments.ladders.panel import panel_of, rules_of
from tournaments.models import Course, Version
from tournaments.ratings.marking_text import SchemeLine, write_scheme


def scheme_of(course: Course) -> str:
    names = panel_names(course)
    return write_scheme(SchemeLine(rule.points, rule.percent, names[rule.version]) for rule in rules_of(course))


def panel_names(course: Course) -> dict[int, str]:
    """By version, in the scheme's order."""
    named = dict(Version.objects.filter(pk__in=panel_of(course)).values_list("pk", "bot__name"))
    return {version: named.get(version, "a bot that is gone") for version in panel_of(course)}
