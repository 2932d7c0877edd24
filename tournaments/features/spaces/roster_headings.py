"""The columns of a roster, by their headings as spreadsheets and course systems write them, and by what is in them."""

import re
import unicodedata
from collections.abc import Sequence

MOST_ABOVE = 30  # lines: titles, before the headings
# What a heading says, in small letters without accents and signs. English and German; Moodle in French, Spanish,
# Italian, Portuguese and Dutch; Canvas, Gradescope, Blackboard, Banner, Teams; contacts of Outlook and Google.
COLUMNS = {
    "address": {"email", "mail", "emailaddress", "address", "emailadresse", "mailadresse", "adresse", "courriel"}
    | {"adressedecourriel", "adressemail", "correo", "correoelectronico", "direcciondecorreo", "direccionemail"}
    | {"direcciondecorreoelectronico", "indirizzoemail", "enderecodeemail", "emailadres", "adresseelectronique"},
    "identity": {"name", "fullname", "student", "studentname", "member", "person", "identity", "participant"}
    | {"vollstandigername", "nomcomplet", "etudiant", "nombrecompleto", "estudiante", "alumno", "nomecompleto"}
    | {"naam", "volledigenaam", "displayname", "teilnehmer", "legalname"},
    "first": {"first", "firstname", "givenname", "forename", "vorname", "prenom", "nombre", "nombres", "nome"}
    | {"voornaam", "christianname", "rufname", "nomeproprio", "primeironome", "nombredepila", "nomedibattesimo"},
    "middle": {"middle", "middlename", "middlenames", "middleinitial", "additionalname", "zweitername"}
    | {"zweitervorname", "deuxiemeprenom", "segundonombre", "tussenvoegsel"},
    "last": {"last", "lastname", "surname", "familyname", "nachname", "familienname", "nom", "nomdefamille"}
    | {"nomedefamilia", "ultimonome"}
    | {"apellido", "apellidos", "cognome", "sobrenome", "apelido", "achternaam", "primerapellido"}
    | {"apellidopaterno"},
    "second_last": {"segundoapellido", "apellidomaterno", "secondlastname", "secondsurname"},
    "username": {"username", "account", "login", "benutzername", "konto", "anmeldename", "nomdutilisateur"}
    | {"nombredeusuario", "usuario", "nomeutente"},
}
PARTS = ("first", "middle", "last", "second_last")  # of a name, in its order
FURTHER = re.compile(r"[02-9]|1\d")  # Email 2
ADDRESS = re.compile(r"[^@\s<>(]@[^@\s]")
MAIL = ("mail", "courriel", "correo")  # in a heading that says more: Parent e-mail
# Headings that hold a person's own address where none says e-mail.
LOGINS = (
    *("login", "user", "account", "upn", "principal", "contact", "benutzer", "konto", "anmelde", "kennung", "kontakt"),
    *("identifiant", "utilisateur", "compte", "usuario", "cuenta", "utente", "gebruiker"),
)
SECOND = (
    *("alternat", "second", "other", "backup", "recovery", "home", "privat", "personal", "zweit", "weitere", "andere"),
    *("personnel", "prive", "autre", "otro"),
)
OF_OTHERS = (  # an adviser's address and name are nobody's on the roster
    *("parent", "guardian", "mother", "father", "advisor", "adviser", "teacher", "instructor", "tutor", "supervisor"),
    *("emergency", "counsel", "coach", "manager", "assistant", "spouse", "professor", "eltern", "mutter", "vater"),
    *("erziehung", "berater", "betreuer", "lehrer", "dozent", "notfall", "enseignant", "professeur", "urgence"),
    *("padre", "madre", "profesor", "docente", "encargado"),
)
ALIKE = ("preferred", "phonetic", "yomi", "former", "maiden", "nick")  # names beside the name
# Likewise: Nombre / Apellido(s). No shorter ones: a group has a name too, and a last access is no surname.
NAMES = {
    "identity": ("fullname", "studentname", "nomcomplet", "nombrecompleto", "nomecompleto", "volledigenaam"),
    "first": ("firstname", "givenname", "forename", "vorname", "prenom", "voornaam"),
    "middle": ("middlename", "middleinitial"),
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


def says_mail(word: str) -> bool:
    return any(part in word for part in MAIL)


def part_of_name(word: str) -> str:
    """Return which part of a name a heading says among other things; "" if none."""
    matching = [name for name, parts in NAMES.items() if any(part in word for part in parts)]
    if matching and any(part in word for part in (*OF_OTHERS, *ALIKE)):
        return ""
    return "identity" if {"first", "last"} <= set(matching) else next(iter(matching), "")


def count_known(row: Sequence[str]) -> int:
    """Return how many of the cells are headings that mean something here; those of exactly that name count twice."""
    words = [word_of(cell) for cell in row]
    return sum(2 if word in KNOWN else says_mail(word) or bool(part_of_name(word)) for word in words)


def find_headings(rows: Sequence[Sequence[str]]) -> int | None:
    """Return which row has the headings. Titles may stand above it, and whoever has an address is no heading."""
    counts = [0 if any(ADDRESS.search(cell) for cell in row) else count_known(row) for row in rows[:MOST_ABOVE]]
    most = max(counts, default=0)
    return counts.index(most) if most > 1 else None


def columns_of(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return where each column is. Addresses: under the heading that says e-mail most plainly, and no other."""
    words = [word_of(heading) for heading in headings]
    exact = {name: words.index(word) for name, known in COLUMNS.items() for word in reversed(words) if word in known}
    exact.pop("address", None)
    rest = [(number, word) for number, word in enumerate(words) if word not in KNOWN]
    columns = {name: number for number, word in reversed(rest) if (name := part_of_name(word))} | exact
    filled = {number for row in rows for number, cell in enumerate(row) if "@" in cell}
    ranks = [_plainness(heading, number in filled) for number, heading in enumerate(headings)]
    if columns.get("username") in filled:  # addresses name no account
        columns.pop("username")
    if best := max(ranks):
        columns["address"] = ranks.index(best)
    return _with_names(columns, words)


def _plainness(heading: str, is_filled: bool) -> int:
    """Return how plainly a heading says that the people's own addresses stand below it; 0 if it does not."""
    word = word_of(heading)
    if word in COLUMNS["address"] and says_mail(word):
        return 6 if FURTHER.search(heading) else 7
    if not is_filled or any(part in word for part in OF_OTHERS):
        return 0
    if says_mail(word):
        return 2 if any(part in word for part in SECOND) else 5
    if word in COLUMNS["address"]:
        return 4
    if any(part in word for part in LOGINS) or word.endswith("id"):
        return 3
    return int(not word or word in COLUMNS["identity"])


def _with_names(columns: dict[str, int], words: list[str]) -> dict[str, int]:
    """Name and Vorname, or Name and Surname, are two parts of a name. A nameless first column holds names."""
    identity = columns.get("identity")
    if identity is not None and words[identity] == "name" and ("first" in columns) != ("last" in columns):
        columns["last" if "first" in columns else "first"] = columns.pop("identity")
    if not {"identity", "first", "last"} & columns.keys() and not words[0] and columns.get("address") != 0:
        columns["identity"] = 0
    return columns
