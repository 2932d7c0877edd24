"""How a name looks: two that people could confuse are the same to the database, which allows one.

In any case of letters; with every separator alike, and I, l, 1 and |, O and 0, rn and m. A whole name in another script
may look like a Latin one (сосо, ΝΙΚΟ), so letters that look like Latin ones are these; so are those of one script that
look like each other, digits of any script, and vowel signs that may be left out. The tables are of letters in use, not
of all that Unicode calls confusable. Indexes are made of them: a change here takes a migration that makes these anew.
"""

from typing import Final

from django.db.models import CharField, Func

# What looks like a letter, as a capital: it may have no such look when it is small.
CAPITALS: Final = {
    "A": "ΑА",
    "B": "ΒВ",
    "C": "С",
    "E": "ΕЕ",
    "H": "ΗН",
    "J": "Ј",
    "K": "ΚК",
    "M": "ΜМ",
    "N": "Ν",
    "P": "ΡР",
    "Q": "Ԛ",
    "S": "ЅՏ",
    "T": "ΤТ",
    "U": "Ս",
    "W": "Ԝ",
    "X": "ΧХ",
    "Y": "ΥУҮ",
    "Z": "Ζ",
    "3": "З",
    "l": "I1|ΙІӀԼ",
    "o": "0ΟОՕ",
}
SMALL: Final[dict[str, str]] = {
    "a": "αа",
    "b": "βвь",
    "c": "с",
    "d": "ԁ",
    "e": "εе",
    "g": "ց",
    "h": "нһհ",
    "i": "ıιі",
    "j": "ȷјյ",
    "k": "ĸκк",
    "l": "ӏןו",
    "n": "ηոռ",
    "o": "οσςоօס",
    "p": "ρр",
    "q": "ԛզգ",
    "r": "г",
    "s": "ѕ",
    "t": "τт",
    "u": "υս",
    "v": "ν",
    "w": "ωԝա",
    "x": "χх",
    "y": "γуү",
    "z": "ζ",
    "m": "μм",
    "3": "з",
    "6": "б",
    "ك": "ک",
    "ي": "یى",
    "ه": "ہەھ",
    "へ": "ヘ",
    "り": "リ",
    "一": "ー",
    "口": "ロ",
    "力": "カ",
    "工": "エ",
    "夕": "タ",
    "二": "ニ",
    "八": "ハ",
    "卜": "ト",
}
ZEROS: Final = (  # of the scripts that have digits of their own, which are as 0 to 9, and these as o, l, 2 and so on
    *(0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50, 0x0ED0),
    *(0x0F20, 0x1040, 0x17E0),
)
for _value, _like in enumerate("ol23456789"):
    SMALL[_like] = SMALL.get(_like, "") + "".join(chr(zero + _value) for zero in ZEROS)
UNWRITTEN: Final = "".join(map(chr, (*range(0x064B, 0x0653), 0x0670, *range(0x05B0, 0x05BE), 0x05BF, 0x05C1, 0x05C2)))


def lookalikes_sql(expression: str, like: dict[str, str], left_out: str = "") -> str:
    """Return SQL that writes each letter as the one that it looks like."""
    letters, looks = "".join(like.values()), "".join(look * len(each) for look, each in like.items())
    return f"translate({expression}, '{letters}{left_out}', '{looks}')"


class Look(Func):
    """Marks stand apart from their letters (NFKD), so that a letter looks like another with the same mark too."""

    template = (
        "btrim(regexp_replace(replace("
        + lookalikes_sql(f"lower({lookalikes_sql('normalize(%(expressions)s, NFKD)', CAPITALS)})", SMALL, UNWRITTEN)
        + ", 'rn', 'm'), '[ _.-]+', ' ', 'g'))"
    )
    arity = 1
    output_field = CharField()
