"""Rosters as spreadsheets, course systems and people write them: nobody on them is dropped in silence."""

import codecs
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.errors import Refused
from tournaments.features.spaces.address_lists import is_address
from tournaments.features.spaces.roster_files import decoded_roster, is_guessed
from tournaments.features.spaces.roster_text import ABOVE, EMPTY, LONGER, MISSING, SEVERAL, columns_read, roster_lines

ADA, BEN, CLEO = "ada@example.org", "ben@example.org", "cleo@example.org"
BOTH = [(ADA, "Ada"), (BEN, "Ben")]
SURNAMES_FIRST = [(ADA, "Lovelace, Ada"), (BEN, "Smith, Ben")]
CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section\n,,,,Manual Posting\n    Points Possible,,,,\n"


def people(text: str) -> list[tuple[str, str]]:
    return [(line.address, line.identity) for line in roster_lines(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ADA}; {BEN}; {CLEO}", [(ADA, ""), (BEN, ""), (CLEO, "")]),
        (f"{ADA} {BEN}\t{CLEO}", [(ADA, ""), (BEN, ""), (CLEO, "")]),
        (f"{ADA}；{BEN}，cleo＠example.org", [(ADA, ""), (BEN, ""), (CLEO, "")]),
        (f"To: {ADA}, {BEN} and {CLEO}.", [(ADA, ""), (BEN, ""), (CLEO, "")]),
        (f"Ada <{ADA}>, Ben <mailto:{BEN}>", BOTH),
        (f'"Lovelace, Ada" <{ADA}>, Ben <{BEN}>', [(ADA, "Lovelace, Ada"), (BEN, "Ben")]),
        (f"Lovelace, Ada <{ADA}>; Smith, Ben <{BEN}>", SURNAMES_FIRST),
        (f"Lovelace, Ada <{ADA}>, Smith, Ben <{BEN}>", SURNAMES_FIRST),
        (f"'{ADA}' ; <{BEN}>", [(ADA, ""), (BEN, "")]),
        (f"mailto:{ADA},{BEN}?cc={CLEO}", [(ADA, ""), (BEN, ""), (CLEO, "")]),
        (f"mailto:{ADA}?subject=Hello&BCC={BEN},{CLEO}&body=x", [(ADA, ""), (BEN, ""), (CLEO, "")]),
        (f'<a href="mailto:{ADA}">Ada</a>\n<A class=x HREF=mailto:{BEN}>Ben</A>', BOTH),
        (f'<a href="mailto:{ADA}?subject=Hello">Ada</a>; [Ben](mailto:{BEN})', BOTH),
        (f'name,email\n[Ada](mailto:{ADA}),[Ada](mailto:{ADA})\nBen,"<a href=""mailto:{BEN}"">mail</a>"', BOTH),
        (f"[{ADA}](mailto:{ADA})\nmailto:{BEN}?subject=Hello", [(ADA, ""), (BEN, "")]),
        (f"1. {ADA} (Ada)\n• Ben {BEN}", BOTH),
        (f"{ADA}，Ada\n{BEN}，Ben".replace("@", "＠"), BOTH),
        (f"{ADA}，Ada\n{BEN}，Ben".replace("ada@", "ada＠"), BOTH),
        (f"email,name\n{ADA},Ada\n{BEN},Ben".replace("@", "＠"), BOTH),
        (f"Ada {ADA}\n{BEN};Ben (B)", [(ADA, "Ada"), (BEN, "Ben (B)")]),
        (f"Ada, {ADA}, Ben, {BEN}", BOTH),
        (f"{ADA}; Ada; {BEN}; Ben", BOTH),
        (f"{ADA}\u00a0;\u00a0Ada\nBEN@Example.ORG\u200b;\u2003Ben", BOTH),
        (f"1,Ada,{ADA}\n2,Ben,{BEN}", BOTH),
        (f"{ADA}\nBen;{BEN}\n", [(ADA, ""), (BEN, "Ben")]),
        (f'Ben <{BEN}>; "Lovelace, Ada" <{ADA}>, {CLEO}', [(BEN, "Ben"), (ADA, "Lovelace, Ada"), (CLEO, "")]),
        (f'"Lovelace, Ada" <{ADA}>, "Smith, Ben" <{BEN}>; {CLEO}', [*SURNAMES_FIRST, (CLEO, "")]),
        (f'Lovelace, Ada <{ADA}>; "Smith, Ben" <{BEN}>', SURNAMES_FIRST),
    ],
)
def test_a_list_of_addresses_is_read_as_people_write_it(text: str, expected: list[tuple[str, str]]) -> None:
    assert people(text) == expected


@pytest.mark.parametrize(
    "table",
    [
        "sep=;\r\nName;Email\r\nAda;{}\r\nBen;{}\r\n",
        '"sep=,"\nemail,name\n{},Ada\n{},Ben\n',
        "SEP=\t\r\nEmail\tName\r\n{}\tAda\r\n{}\tBen",
        "sep=|\nemail|name\n{}|Ada\n{}|Ben",
        "Biology 1;;\nSpring;;\n\nE-Mail;Name;\n{};Ada\n{};Ben\n",
        "Mail merge\nName,E-mail\nAda,{}\nBen,{}",
        "Name;Adresse;E-Mail;Parent e-mail\nAda;Road 1;{};\nBen;Road 2;{};none",
        "Prénom,Groupes,Adresse de courriel\nAda,,{}\nBen,,{}",
        "Nombre,Número de ID,Dirección de correo\nAda,7,{}\nBen,8,{}",
        "Nombre completo;Correo electrónico\nAda;{}\nBen;{}",
        "Nombre / Apellido(s),Dirección de correo electrónico\nAda,{}\nBen,{}",
        "NOMBRE / APELLIDO(S);Grupos;DIRECCION DE CORREO ELECTRONICO\nAda;A;{}\nBen;B;{}",
        "Prénom / Nom de famille;Groupe;Courriel de l’élève\nAda;A;{}\nBen;B;{}",
        "Student’s full name (as printed);Student’s e-mail (private)\nAda;{}\nBen;{}",
        "Dirección de correo electrónico;Nombre\n{};Ada\n{};Ben",
        ',"Dirección de correo","Quiz"\nAda,{},1\nBen,{},2',
        "Name,SID,Email,Role\nAda,1,{},Student\nBen,2,{},Student",
        CANVAS + "Ada,1,,{},A\nBen,2,,{},A",
        "Username;Displayname\n{};Ada\n{};Ben",
    ],
)
def test_a_table_is_read_under_the_headings_of_many_systems(table: str) -> None:
    for line_end in ("\r\n", "\n", "\r", "\u2028"):
        assert people(table.replace("\r\n", "\n").format(ADA, BEN).replace("\n", line_end)) == BOTH


@pytest.mark.parametrize(
    "headings",
    [
        "First Name,Last Name,SID,Email",
        "Prénom,Nom de famille,Numéro,Adresse de courriel",
        "Nombre,Apellido(s),Número de ID,Dirección de correo",
        "Vorname,Name,Nr.,E-Mail",
        "Name,Surname,No,Primary Email",
    ],
)
def test_first_and_last_names_are_joined(headings: str) -> None:
    assert people(f"{headings}\nAda,Lovelace,1,{ADA}") == [(ADA, "Ada Lovelace")]


@pytest.mark.parametrize(
    ("text", "number", "shown", "problem"),
    [
        (f"{ADA}; ben at example; {CLEO}", 1, "ben at example", MISSING),
        (f"{ADA}\n\nBen\n{CLEO}", 3, "Ben", MISSING),
        (f"email;name\n{ADA};Ada\n;Ben", 3, "Ben", EMPTY),
        (f"email;name;class\n{ADA};Ada;\n;;3b", 3, "3b", EMPTY),
        (f"email,name\n{ADA},Lovelace, Ada\n{BEN},Ben", 2, f"{ADA}; Lovelace; Ada", LONGER),
        (f"name,email,parent email\nLovelace, Ada,,{BEN}", 2, f"Lovelace; Ada; {BEN}", LONGER),
        (f"email;name\n{ADA},{BEN};Ada", 2, "Ada", SEVERAL),
        (f"Asked: {BEN};\nemail;name\n{ADA};Ada", 1, f"Asked: {BEN}", ABOVE),
        (f"Contact;Class\n{ADA};3b", 1, "Contact; Class", MISSING),
    ],
)
def test_who_cannot_be_added_is_shown_with_the_reason(text: str, number: int, shown: str, problem: str) -> None:
    (line,) = [line for line in roster_lines(text) if line.problem]
    assert (line.number, line.identity, line.problem) == (number, shown, problem)


@pytest.mark.parametrize("cell", ["b en@example.org", "ben@example.org x", "ben b@example.org"])
def test_an_address_in_two_parts_is_nobody_elses(cell: str) -> None:
    assert people(f"email,name\n{cell},Ben") == [(cell, "Ben")]


@pytest.mark.parametrize(
    "text",
    [
        f"email\nx {'@' * 120_000} y",
        f'"{"," * 120_000}" {ADA}',
        "<a href=mailto:x " * 60_000 + "[](mailto:" * 60_000 + "?cc=" * 60_000 + ADA,
        f'"Lovelace, Ada" <{ADA}>; {"@" * 120_000}',
    ],
    ids=["parts", "quotes", "links", "addresses"],
)
def test_nothing_that_is_no_roster_takes_long_to_refuse(text: str) -> None:
    """A pattern that tries each part with each other would take hours, and hold up everybody."""
    with suppress(Refused):
        roster_lines(text)


def test_cells_beyond_the_headings_hide_nobody() -> None:
    assert people(f"email\n{ADA}, {BEN}\n{CLEO}") == [(ADA, ""), (BEN, ""), (CLEO, "")]
    assert people(f"name,email\nLovelace, Ada,{ADA}") == [(ADA, "Lovelace Ada")]


def test_an_account_stands_third_and_an_address_names_none() -> None:
    assert roster_lines(f"{ADA}, Ada, ada1")[0].username == "ada1"
    assert roster_lines(f"email,name,login\n{ADA},Ada,{ADA}")[0].username == ""
    assert roster_lines(f"OrgDefinedId,Username,Last Name,First Name,Email\n#1,#ada,L,Ada,{ADA}")[0].username == "ada"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Student,ID,SIS Login ID\nAda,1,ada", "“Student”, “ID”, “SIS Login ID”"),
        ("Kontakt;Klasse\nada;3b", "“Kontakt”, “Klasse”"),
        (";".join(f"c{n}" for n in range(12)), "“c9”, …"),
        (f"Student;Parent email;Advisor\nAda;{BEN};{CLEO}", "“Student”, “Parent email”, “Advisor”"),
        (f'"Ada,{ADA}\nBen,{BEN}\n', "a quotation mark in line 1 is never closed"),
        ("a," * 60_000 + ADA, "60,001 cells without headings"),
        ("email;name\n", "there is nobody in it"),
    ],
)
def test_what_is_no_roster_is_refused_with_what_was_seen(text: str, sentence: str) -> None:
    with pytest.raises(Refused, match=re.escape(sentence)):
        roster_lines(text)


@pytest.mark.parametrize(
    ("mark", "coding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (b"", "utf-8"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
        (b"", "cp1252"),
    ],
)
def test_a_file_is_read_in_its_coding(mark: bytes, coding: str) -> None:
    assert decoded_roster(mark + "name\r\nÉmile\rZoë".encode(coding)) == "name\nÉmile\nZoë"


def test_a_file_of_an_old_mac_is_read_in_its_letters() -> None:
    assert decoded_roster("Email;Name\rx@uni.de;Jürgen".encode("mac-roman")) == "Email;Name\nx@uni.de;Jürgen"


@pytest.mark.parametrize("name", ["José", "Jürgen", "Märta", "François", "Noël Hélène"])
def test_an_old_mac_s_letters_are_known_by_themselves(name: str) -> None:
    assert decoded_roster(f"Email;Name\nx@uni.de;{name}\n".encode("mac-roman")).endswith(f"{name}\n")
    assert decoded_roster(f"Email;Name\nx@uni.de;{name}\n".encode("cp1252")).endswith(f"{name}\n")


@pytest.mark.parametrize(
    ("name", "coding"),
    [
        *((name, "cp1250") for name in ("Łukasz", "Paweł Nowak", "Rożek", "Dąbrowski", "Świątek")),
        *(("Иван", "cp1251"), ("Γιώργος", "cp1253"), ("ישראל", "cp1255"), ("Иван", "koi8-r")),
    ],
)
def test_letters_of_other_parts_of_the_world_are_refused_with_the_way_to_save_them(name: str, coding: str) -> None:
    with pytest.raises(Refused, match="neither in UTF-8 nor Western European ones; save it as “CSV UTF-8”"):
        decoded_roster(f"Email;Name\nx@uni.pl;{name}\n".encode(coding))
    assert decoded_roster(f"Email;Name\nx@uni.pl;{name}\n".encode()).endswith(f"{name}\n")


@pytest.mark.parametrize("name", ["Søren Ægir", "Þórður", "Mª Carmen", "¿Qué?", "Strauß", "Ñuñez", "créée", "5 m²"])
def test_western_letters_are_not_taken_for_others(name: str) -> None:
    assert decoded_roster(f"Email;Name\nx@uni.de;{name}\n".encode("cp1252")).endswith(f"{name}\n")


def test_what_is_read_by_a_guess_is_known() -> None:
    assert [is_guessed(data) for data in (b"Ada", "Zoë".encode(), "Zoë".encode("utf-16"))] == [False] * 3
    assert [is_guessed(f"{name}\n".encode("cp1250")) for name in ("Jiří", "Růžička", "Dvořák")] == [True] * 3


@pytest.mark.parametrize(
    ("headings", "cells", "name", "other"),
    [
        ("Forename,Surname,Email", "Ada,Lovelace", "Ada Lovelace", []),
        ("Given Name(s),Family Name,Email", "Ada,Lovelace", "Ada Lovelace", []),
        ("Prénom(s),Nom,Adresse de courriel", "Ada,Lovelace", "Ada Lovelace", []),
        ("First name,Middle Name,Last name,Email", "Ada,King,Lovelace", "Ada King Lovelace", []),
        ("FIRST_NAME,MIDDLE_NAME,LAST_NAME,EMAIL_ADDR", "Ada,King,Lovelace", "Ada King Lovelace", []),
        ("Last Name,First Name,Email Address", "Lovelace,Ada", "Ada Lovelace", []),
        ("Nombre,Primer apellido,Segundo apellido,Correo", "Ada,Lovelace,King", "Ada Lovelace King", []),
        ("Name,Vorname(n),E-Mail-Adresse", "Lovelace,Ada", "Ada Lovelace", []),
        ("Nome próprio,Apelido,Endereço de e-mail", "Ada,Lovelace", "Ada Lovelace", []),
        ("Primeiro nome,Último nome,E-mail", "Ada,Lovelace", "Ada Lovelace", []),
        ("First name / Surname,Email address", "Ada Lovelace", "Ada Lovelace", []),
        ("Name,Preferred first name,Email", "Ada Lovelace,Addie", "Ada Lovelace", ["Preferred first name"]),
        ("Surname,Parent First Name,First,Email", "Lovelace,Anne,Ada", "Ada Lovelace", ["Parent First Name"]),
        (
            "First Name,Last Name,Given Yomi,Surname Yomi,Email",
            "Ada,Lovelace,x,y",
            "Ada Lovelace",
            ["Given Yomi", "Surname Yomi"],
        ),
    ],
)
def test_no_part_of_a_name_is_lost(headings: str, cells: str, name: str, other: list[str]) -> None:
    text = f"{headings}\n{cells},{ADA}"
    assert people(text) == [(ADA, name)]
    assert columns_read(text)[1] == other


@pytest.mark.parametrize(
    ("headings", "column"),
    [
        ("Name,Parent e-mail,Student e-mail", 2),
        ("Name,School e-mail,Home e-mail", 1),
        ("Name,Private E-Mail,Uni E-Mail", 2),
        ("Name,Courriel de l’école,Courriel privé", 1),
        ("Name,Email,Alternate email", 1),
        ("Name,Alternate email,E-mail of school", 2),
        ("Name,Email 2,Email", 2),
        ("Name,Email,Login", 1),
        ("Name,Login,Email", 2),
        ("Name,Login,Parent email", 1),
        ("Name,Advisor Email,Email Address", 2),
        ("Name,Contact,Email", 2),
        ("Name,Address,E-mail of school", 2),
        ("Name,E-mail of school,SIS Login ID", 1),
        ("Full Name,Participant ID (UPN),Email", 2),
        ("Name,E-mail 1 - Value,E-mail 2 - Value", 1),
        ("Name,E-mail Address,E-mail 2 Address", 1),
    ],
)
def test_one_column_gives_the_addresses_and_others_are_named(headings: str, column: int) -> None:
    rows = ["Ada,a@x.org,b@x.org", "Ben,c@x.org,", "Cid,,d@x.org"]
    cells = [row.split(",") for row in rows]
    lines = roster_lines("\n".join([headings, *rows]))
    assert [line.address for line in lines] == [row[column] for row in cells]
    assert [line.problem for line in lines] == ["" if row[column] else EMPTY for row in cells]
    named = headings.split(",")
    assert columns_read("\n".join([headings, *rows])) == ([named[0], named[column]], [named[3 - column]])


def test_a_list_without_headings_has_no_columns() -> None:
    assert columns_read(f"{ADA}\n{BEN}") == ([], [])


@pytest.mark.parametrize(
    "odd",
    [
        '"ann lee"@x.org',
        '"ann, lee"@x.org',
        '"""ann lee""@x.org"',
        "'ann lee'@x.org",
        "ann\\ lee@x.org",
        "<ann lee@x.org>",
        "https://x.org/~ann@x.org",
        "https://x.org/(ann@x.org)",
        "https://x.org/share?to=ann@x.org",
        "x.org/~ann@x.org",
        "x.org?user=ann@x.org",
        "[Ann](https://x.org/~ann@x.org)",
        "git@github.com:ann/repo",
        "xmpp:ann@x.org",
        "user=ann@x.org",
        "@ann@x.org",
        "ann@x.org/ben@x.org",
        "ann @x.org",
    ],
)
@pytest.mark.parametrize("roster", ["{}", "Ann;{};", f"{ADA}\n{{}} Ann", "email;name\n{};Ann", f"{{}} Ben {BEN}"])
def test_an_address_is_taken_only_where_it_stands_by_itself(odd: str, roster: str) -> None:
    lines = roster_lines(roster.format(odd))
    assert {line.address for line in lines if not line.problem and is_address(line.address)} <= {ADA, BEN}
    assert not all(is_address(line.address) for line in lines)


@pytest.mark.parametrize(
    "spelled",
    [
        ADA,
        f"<{ADA}>",
        f"Ada <{ADA}>",
        f"Ada<{ADA}>",
        f"mailto:{ADA}",
        f"mailto:{ADA}?subject=Hello,%20all",
        f"({ADA})",
        f"To:{ADA}",
        f"E-Mail: {ADA}.",
        f"'{ADA}'",
    ],
)
def test_an_address_is_known_as_people_write_it(spelled: str) -> None:
    assert ADA in [line.address for line in roster_lines(spelled)]


@pytest.mark.parametrize(
    ("text", "name", "addresses"),
    [
        ("Ada L;ada@uni.example;ada@home.example", "Ada L", "ada@uni.example, ada@home.example"),
        ("Ada L,ada@uni.example,ada@home.example", "Ada L", "ada@uni.example, ada@home.example"),
        ("Ada L\tada@uni.example\tada@home.example", "Ada L", "ada@uni.example, ada@home.example"),
        ("ada@uni.example;ada@home.example;Ada L", "Ada L", "ada@uni.example, ada@home.example"),
        ("Ada;L;4711;ada@uni.example;ada@home.example", "Ada L 4711", "ada@uni.example, ada@home.example"),
    ],
)
def test_two_addresses_for_one_name_without_headings_are_reported(text: str, name: str, addresses: str) -> None:
    line, after = roster_lines(f"{text}\nbob@uni.example\n")
    assert (line.identity, line.address, line.problem) == (name, addresses, "Several e-mail addresses: keep one")
    assert (after.address, after.problem) == ("bob@uni.example", "")


@pytest.mark.parametrize(
    "text",
    [
        "ada@uni.example;bob@uni.example",
        "Ada;ada@uni.example;Bob;bob@uni.example",
        "Ada <ada@uni.example>, Bob <bob@uni.example>",
        "ada@uni.example;Ada;bob@uni.example;Bob",
    ],
)
def test_as_many_names_as_addresses_or_none_are_people(text: str) -> None:
    assert [(line.address, line.problem) for line in roster_lines(text)] == [
        ("ada@uni.example", ""),
        ("bob@uni.example", ""),
    ]


def test_one_address_twice_is_one_person() -> None:
    (line,) = roster_lines("Ada;ada@uni.example;ADA@uni.example")
    assert (line.identity, line.address, line.problem) == ("Ada", "ada@uni.example", "")


def test_a_spreadsheet_itself_is_refused() -> None:
    with pytest.raises(Refused, match="save it as CSV"):
        decoded_roster(b"PK\x03\x04...")


ADDRESSES = st.lists(
    st.from_regex(r"[a-z]{1,8}[0-9]{1,4}@[a-z]{2,8}\.org", fullmatch=True), min_size=1, max_size=9, unique=True
)


@given(
    ADDRESSES,
    st.sampled_from(["\n", "\r", "\r\n", ",", "; ", "\t", " ", " ,\n", ";\r\n"]),
    st.sampled_from(["{}", "<{}>", "X <{}>", "'{}'"]),
)
def test_everybody_is_read_whatever_stands_between(addresses: list[str], between: str, spelled: str) -> None:
    text = between.join(map(spelled.format, addresses))
    assert [line.address for line in roster_lines(text)] == addresses


@given(st.text(alphabet="@\"'<>()[],;:\t\n\r =.ax\u2028", max_size=80))
def test_nothing_typed_breaks_it_and_every_address_is_shown(text: str) -> None:
    try:
        lines = roster_lines(text)
    except Refused:
        return
    assert all(len(line.address) <= 300 for line in lines)
