"""Names that people choose, in any script: for themselves, bots and teams. No two of a kind may look alike."""

from itertools import groupby, pairwise
from typing import Any, Final
from unicodedata import category, digit, east_asian_width, name, normalize

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Lower

from engine.sentences import Sentence
from tournaments.core.accounts.scripts import is_letter, is_mark, may_stand_together, scripts_of
from tournaments.core.errors import Refused
from tournaments.models.name_lookalikes import Look

SHORTEST, LONGEST = 3, 40  # of a bot's or a team's; a sign that is as wide as two letters counts as two for the first
LONGEST_PERSON: Final = 30
MARKS: Final = 4  # that one letter may carry
STROKES = "Il"  # easily overlooked before another letter


OF_WHAT = {"bot": Sentence("a bot's name"), "team": Sentence("a team's name")}


def normalized_name(text: str) -> str:
    """Return a name as it is kept: one spelling of what looks the same (NFKC)."""
    return normalize("NFKC", text)


def check_name(what: str, proposed: str) -> None:
    """Check the name of a bot or a team, as `normalized_name` writes it. Raises Refused: bad_name, mixed_scripts."""
    words = Sentence(
        "%(shortest)s to %(longest)s letters of one script and digits, single - _ . or spaces between",
        shortest=SHORTEST,
        longest=LONGEST,
    )
    parts = [sign if sign in " _.-" else "" for sign in proposed]
    pairs = zip(["-", *parts], [*parts, "-"], strict=True)
    length = sum(2 if east_asian_width(sign) in "WF" else category(sign) != "Mn" for sign in proposed)
    if length < SHORTEST or len(proposed) > LONGEST or any(before and after for before, after in pairs):
        raise Refused(
            "bad_name",
            "%(wanted)s is not allowed as %(what)s: %(words)s",
            wanted=f"{proposed:.60}",
            what=OF_WHAT[what],
            words=words,
        )
    check_signs(OF_WHAT[what], proposed, " _.-")


def check_person_name(proposed: str) -> None:
    """Check the name of a person, as `check_name`, but without spaces."""
    if not proposed or len(proposed) > LONGEST_PERSON or not is_letter(proposed[0]):
        raise Refused(
            "bad_name",
            "a person's name has 1 to %(most)s letters of one script, digits and _ . -; a letter or digit is first",
            most=LONGEST_PERSON,
        )
    check_signs(Sentence("a person's name"), proposed, "_.-")


def check_signs(what: Sentence, proposed: str, between: str) -> None:
    """Raises Refused: bad_name, mixed_scripts."""
    odd = [sign for sign in proposed if sign not in between and not is_letter(sign) and not is_mark(sign)]
    if odd:
        raise Refused(
            "bad_name",
            "%(odd)s is not allowed in %(what)s; use letters, accents and digits",
            odd=name_of_sign(odd[0]),
            what=what,
        )
    if not is_letter(proposed[0]) or has_loose_marks(proposed, between):
        raise Refused(
            "bad_name",
            "in %(what)s a letter has at most %(marks)s accents, all different, and no accent stands alone",
            what=what,
            marks=MARKS,
        )
    if not may_stand_together(scripts := scripts_of(proposed)):
        listing = " and ".join(sorted(script.capitalize() for script in scripts))
        raise Refused(
            "mixed_scripts",
            "%(what)s must be in one script: %(told)s together have letters that look alike",
            what=what,
            told=listing,
        )
    zeros = {ord(sign) - digit(sign) for sign in proposed if category(sign) == "Nd"}
    if len(zeros) > 1:
        raise Refused("mixed_scripts", "the digits in %(what)s must be of one script", what=what)


def has_loose_marks(proposed: str, between: str) -> bool:
    """Return whether a letter has too many marks or one twice, or a mark has no letter."""
    if any(is_mark(after) and before in between for before, after in pairwise(proposed)):
        return True
    runs = ["".join(run) for marks, run in groupby(proposed, is_mark) if marks]
    return any(len(run) > MARKS or len(set(run)) < len(run) for run in runs)


def name_of_sign(sign: str) -> str:
    """Return a sign with its name in Unicode, for many such signs are not seen."""
    code = f"U+{ord(sign):04X} {name(sign, '').lower()}".strip()
    return f"“{sign}” ({code})" if category(sign)[0] in "LNPS" else code


def alike(rows: QuerySet[Any], column: str, name: str) -> str | None:
    """Return the name among `rows` that people would mistake for this one, if there is one."""
    named = rows.annotate(low=Lower(column), look=Look(column))
    lookalike = Q(low=Lower(Value(name))) | Q(look=Look(Value(name))) | Q(**{f"{column}__in": _overlooked(name)})
    taken: str | None = named.filter(lookalike).values_list(column, flat=True).first()
    return taken


def taken(what: Sentence, other: str, name: str) -> Sentence:
    """Why `name` is refused, in a sentence."""
    if other.casefold() == name.casefold():
        return Sentence("there is %(what)s named %(other)s already; choose another name", what=what, other=other)
    look_alike = "%(name)s is too easily taken for %(what)s named %(other)s; choose another name"
    return Sentence(look_alike, what=what, other=other, name=name)


def _overlooked(name: str) -> list[str]:
    """The name with one more stroke in front, or with one less."""
    shorter = [name[1:]] if name[:1] in STROKES and name[1:2].isalpha() else []
    return [*(f"{stroke}{name}" for stroke in STROKES), *shorter]
