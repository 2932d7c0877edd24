"""E-mail addresses as people paste them: several on a line, `Ada <ada@example.org>`, `mailto:`, in quotes."""

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

LINE_END = re.compile("\r\n?|[\n\v\f\x85\u2028\u2029]")
AROUND = re.compile(r'[\s,;<>()\[\]{}"|]+')  # stands in no address, but beside one
WORD = re.compile(r'<[^<>]*>|\w{1,20}://[^\s<>"]+|(?:\\\s|[^\s,;<>()\[\]{}"|])+')  # no part of a URL is a word
SPACED = re.compile(r"(?:<[^<>]*>|\\\s|\S)+")
LABEL = re.compile(r"^(?:(?:mailto|e-?mail|mail|to|b?cc|an|à|para):)+", re.IGNORECASE)
LOCAL_PART = re.compile(r"=?\w(?:[\w.!#$%&'*+^`~-]*[\w+~-])?", re.ASCII)  # less than is allowed: no "/", no "a=b"
QUOTED_LOCAL_PART = re.compile(r'(?<![^\s,;<:(])"(?=[^"\n]{0,64}\w)([^"\n]{1,64})"(?=@\w)')
LEFT_OVER = re.compile(  # of a cell without its address
    r"[<(\[]\s*(?:mailto:)?\s*[>)\]]|mailto:|^\s*(?:[0-9]+[.)]\s|(?:to|b?cc|an|à|para)\s*:)", re.IGNORECASE
)
# As pages and letters link to an address: <a href="mailto:ada@example.org">Ada</a>, [Ada](mailto:ada@example.org).
HTML_LINK = re.compile(
    r"""<a\s[^<>]{0,200}?href=["']{0,2}mailto:([^"'<>\s]{1,300})["']{0,2}[^<>]{0,200}>([^<>]{0,200})</a>""",
    re.IGNORECASE,
)
MARKDOWN_LINK = re.compile(r"\[([^\[\]\n]{0,200})\]\(mailto:([^()\s]{1,300})\)", re.IGNORECASE)
MAILTO = re.compile(r"mailto:(?:&amp;|[^\s<>\"'();|])+", re.IGNORECASE)
DELIMITER = re.compile(r"[,;|\t]")
PARAMETER = re.compile(r"[?&](?:amp;)?")  # of a link
JOINERS = {"and", "und", "et", "y", "&", "+"}
MARKS = str.maketrans({"；": ";", "，": ",", "、": ",", "＠": "@"})  # as Chinese and Japanese keyboards write them
NAME_EDGES = " ,;:|-–—•·*\"'"


class Piece(NamedTuple):
    """A person, or a text without an address."""

    name: str
    address: str = ""
    account: str = ""


def unified_line_ends(text: str) -> str:
    return LINE_END.sub("\n", text)


def is_address(text: str) -> bool:
    """Return whether it is an address as people have one. What else a standard allows is rather part of something."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return len(text) <= 254 and bool(LOCAL_PART.fullmatch(text.rpartition("@")[0]))


def plain_links(text: str) -> str:
    """Return the text with links to addresses as letters write them, Ada <mailto:ada@example.org>, and all receivers;
    and with quoted addresses, "ada lovelace"@example.org, as what cannot be taken for another address."""
    text = MAILTO.sub(_receivers, text)
    text = MARKDOWN_LINK.sub(r"\1 <mailto:\2>", HTML_LINK.sub(r"\2 <mailto:\1>", text))
    return QUOTED_LOCAL_PART.sub(lambda quoted: f"“{DELIMITER.sub(' ', quoted[1])}”", text)


def _receivers(link: re.Match[str]) -> str:
    """Return a link without its subject and text; what stands behind a comma is kept, for it may be somebody."""
    receivers, *parameters = PARAMETER.split(link[0])
    for parameter in parameters:
        name, is_set, value = parameter.partition("=")
        is_receiver = name.lower() in ("to", "cc", "bcc")
        receivers += f",{value}" if is_receiver else "".join(value.partition(",")[1:]) if is_set else f"&{parameter}"
    return receivers


def addresses_in(text: str) -> list[str]:
    """Return the words that have an @ in them, in small letters, each once: addresses, and what is none."""
    words = (part for word in WORD.findall(text) if "@" in word for part in _words_of(word))
    return list(dict.fromkeys(filter(None, words)))


def _words_of(word: str) -> list[str]:
    """Return the word without what stands around it; of <ada lovelace@example.org> no part is taken alone."""
    parts = re.split("[,;]", word[1:-1]) if word.startswith("<") else [word]
    return [LABEL.sub("", part.strip(" '.:")).strip("'.:").lower() for part in parts if "@" in part]


def pieces_of(cell: str) -> Iterator[Piece]:
    """Yield the people and other texts of a cell in their order, split only where several people stand in it."""
    cell = cell.translate(MARKS)
    mark = next((mark for mark in ";," if mark in cell), "")
    if len(addresses_in(cell)) < 2:
        yield _piece(cell)
    elif mark:
        parts = next(csv.reader([cell], delimiter=mark, skipinitialspace=True))
        yield from chain.from_iterable(pieces_of(part) for part in parts if part.strip())
    else:
        yield from _pieces_between_spaces(cell)


def listed_addresses(text: str) -> list[str]:
    """Return the addresses and domains of a list, and whatever else stands in it, so that it can be refused. Only
    `Ada <ada@example.org>` has a name."""
    parts = re.split(r"[\n;,]", unified_line_ends(text).translate(MARKS))
    words = (word for part in parts for word in ([part] if "<" in part else part.split()))
    return [address for word in words for address in (addresses_in(word) or [word.strip().lower()])]


def _piece(text: str) -> Piece:
    address = next(iter(addresses_in(text)), "")
    for word in AROUND.split(text):
        text = text.replace(word, "") if "@" in word else text
    if not address:
        return Piece(text.strip(NAME_EDGES))
    name = " ".join(LEFT_OVER.sub(" ", text).split()).strip(NAME_EDGES)
    if not any(map(str.isalpha, name)):  # the number of a list
        return Piece("", address)
    return Piece(name[1:-1] if name.startswith("(") and name.endswith(")") else name, address)


def _pieces_between_spaces(text: str) -> Iterator[Piece]:
    name: list[str] = []
    for word in SPACED.findall(text):
        if "@" not in word:
            name += [] if word.lower() in JOINERS else [word]
            continue
        yield from [Piece(" ".join(name))] if name else []
        yield _piece(word)
        name = []
    yield from [Piece(" ".join(name))] if name else []


def people_in(cells: Iterable[str], delimiter: str) -> list[Piece]:
    """Return the people of a line without headings. What is no name of one of them stays a text of its own."""
    pieces = list(chain.from_iterable(pieces_of(cell) for cell in cells if cell))
    people, gaps = [piece for piece in pieces if piece.address], _gaps(pieces)
    named = any(person.name for person in people)
    if len(people) == 1 and not named:
        return [_documented(people[0].address, *gaps)]
    if _is_even(gaps[:-1]) and not gaps[-1] and (delimiter == "," or not named):  # Lovelace, Ada <ada@example.org>
        return [
            who._replace(name=", ".join(filter(None, [*gap, who.name])))
            for who, gap in zip(people, gaps[:-1], strict=True)
        ]
    if _is_even(gaps[1:]) and not gaps[0] and not named:
        return [who._replace(name=", ".join(gap)) for who, gap in zip(people, gaps[1:], strict=True)]
    return pieces


def _documented(address: str, before: list[str], behind: list[str]) -> Piece:
    """Return the person of a line with one address: address, name, account; or names before the address."""
    names = [text for text in before if any(map(str.isalpha, text))]
    account = "" if before else next(iter(behind[1:]), "")
    return Piece(" ".join(names) or next(iter(behind), ""), address, account)


def _gaps(pieces: list[Piece]) -> list[list[str]]:
    """Return the texts before each person, and those behind the last."""
    gaps: list[list[str]] = [[]]
    for piece in pieces:
        if piece.address:
            gaps.append([])
        else:
            gaps[-1].append(piece.name)
    return gaps


def _is_even(gaps: list[list[str]]) -> bool:
    """Whether as many texts, and at least one, belong to each person."""
    return len({len(gap) for gap in gaps}) == 1 and bool(gaps[0])
