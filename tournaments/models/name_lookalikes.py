"""How a name looks: two that people could confuse are the same to the database, which allows one."""

from django.db.models import CharField, Func


class Look(Func):
    """In any case of letters; with every separator alike, and I, l, 1 and |, O and 0, rn and m."""

    template = (
        "btrim(regexp_replace(replace(lower(translate(%(expressions)s, 'I1|0', 'lllo')), 'rn', 'm'), "
        "'[ _.-]+', ' ', 'g'))"
    )
    arity = 1
    output_field = CharField()
