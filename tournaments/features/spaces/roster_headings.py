"""The columns of a roster, by their headings as spreadsheets and course systems write them, and by what is in them."""

import re
import unicodedata
from collections.abc import Sequence

MOST_ABOVE = 30  # lines: titles, before the headings
# What a heading says, in small letters without accents and signs. English and German; Moodle in French, Spanish,
# Italian, Portuguese and Dutch; Canvas, Gradescope, Blackboard.
COLUMNS = {
    "address": {"email", "mail", "emailaddress", "address", "emailadresse", "mailadresse", "adresse", "courriel"}
    | {"adressedecourriel", "adressemail", "correo", "correoelectronico", "direcciondecorreo", "direccionemail"}
    | {"direcciondecorreoelectronico", "indirizzoemail", "enderecodeemail", "emailadres"},
    "identity": {"name", "fullname", "student", "studentname", "member", "person", "identity", "participant"}
    | {"vollstandigername", "nomcomplet", "etudiant", "nombrecompleto", "estudiante", "alumno", "nomecompleto"}
    | {"nomecompleto", "naam", "volledigenaam", "displayname", "teilnehmer"},
    "first": {"first", "firstname", "givenname", "vorname", "prenom", "nombre", "nombres", "nome", "voornaam"},
    "last": {"last", "lastname", "surname", "familyname", "nachname", "familienname", "nom", "nomdefamille"}
    | {"apellido", "apellidos", "cognome", "sobrenome", "apelido", "achternaam"},
    "username": {"username", "account", "login", "benutzername", "konto", "anmeldename", "nomdutilisateur"}
    | {"nombredeusuario", "usuario", "nomeutente"},
}
ADDRESS = re.compile(r"[^@\s<>(]@[^@\s]")
MAIL = ("mail", "courriel", "correo")  # in a heading that says more: Parent e-mail
# Likewise: Nombre / Apellido(s). No shorter ones: a group has a name too, and a last access is no surname.
NAMES = {
    "identity": ("fullname", "studentname", "nomcomplet", "nombrecompleto", "nomecompleto", "volledigenaam"),
    "first": ("firstname", "givenname", "vorname", "prenom", "voornaam"),
    "last": (
        *("lastname", "surname", "familyname", "nachname", "familienname", "nomdefamille"),
        *("apellido", "cognome", "sobrenome", "apelido", "achternaam"),
    ),
}
KNOWN = frozenset().union(*COLUMNS.values())


def word_of(heading: str) -> str:
    """Return a heading's small letters, without accents, signs and digits."""
    spelled = unicodedata.normalize("NFD", heading.lower())
    return "".join(sign for sign in spelled if sign.isalpha())


def is_address(word: str) -> bool:
    return word in COLUMNS["address"] or any(part in word for part in MAIL)


def part_of_name(word: str) -> str:
    """Return which part of a name a heading says among other things; "" if none."""
    return next((name for name, parts in NAMES.items() if any(part in word for part in parts)), "")


def count_known(row: Sequence[str]) -> int:
    """Return how many of the cells are headings that mean something here; those of exactly that name count twice."""
    words = [word_of(cell) for cell in row]
    return sum(2 if word in KNOWN else is_address(word) or bool(part_of_name(word)) for word in words)


def find_headings(rows: Sequence[Sequence[str]]) -> int | None:
    """Return which row has the headings. Titles may stand above it, and whoever has an address is no heading."""
    counts = [0 if any(ADDRESS.search(cell) for cell in row) else count_known(row) for row in rows[:MOST_ABOVE]]
    most = max(counts, default=0)
    return counts.index(most) if most > 1 else None


def columns_of(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return where each column is. Addresses: where some are, best under their own heading."""
    words = [word_of(heading) for heading in headings]
    columns = {name: words.index(word) for name, known in COLUMNS.items() for word in reversed(words) if word in known}
    columns.pop("address", None)
    if not {"identity", "first", "last"} & columns.keys():
        columns |= {name: number for number, word in reversed([*enumerate(words)]) if (name := part_of_name(word))}
    ranks = [(number, is_address(word) + (word in COLUMNS["address"])) for number, word in enumerate(words)]
    filled = {number: sum("@" in row[number] for row in rows if number < len(row)) for number, _ in ranks}
    best, rank = max(ranks, key=lambda column: (filled[column[0]] > 0, column[1], filled[column[0]]))
    if rank or filled[best]:
        columns["address"] = best
    return _with_names(columns, words)


def other_addresses(headings: Sequence[str], best: int) -> list[int]:
    """Return the columns besides the best that are headed as addresses: Email 2, Parent e-mail."""
    return [number for number, heading in enumerate(headings) if number != best and is_address(word_of(heading))]


def _with_names(columns: dict[str, int], words: list[str]) -> dict[str, int]:
    """Name and Vorname, or Name and Surname, are two parts of a name. A nameless first column holds names."""
    identity = columns.get("identity")
    if identity is not None and words[identity] == "name" and ("first" in columns) != ("last" in columns):
        columns["last" if "first" in columns else "first"] = columns.pop("identity")
    if not {"identity", "first", "last"} & columns.keys() and not words[0] and columns.get("address") != 0:
        columns["identity"] = 0
    return columns
