"""The tables of docs/games/kaiju.md are the cards."""

import re

from engine.games.kaiju.pieces import BUILDINGS, COMPANIES, KAIJU, PRODUCTS, SPECIALS, START_CARDS, Product
from engine.games.kaiju.specials import CHOSEN, PLAIN
from tests.games.test_pages import page

SUITS = {"C": "Construction", "I": "Industrial", "T": "Technology"}
TIMINGS = {"Y": "Your Turn", "R": "Rival's Turn"}


def rows(kind: str) -> list[list[str]]:
    """The rows of those cards, cell by cell."""
    return [line.strip("| ").split(" | ") for line in re.findall(rf"^\| {kind}\d+ \|.*$", page("kaiju"), re.MULTILINE)]


def test_the_tables_list_every_company_building_and_kaiju_as_it_is() -> None:
    """K2.1, K2.3, K2.4"""
    assert rows("C") == [list(company) for company in COMPANIES]
    assert rows("[HB]") == [[str(cell) for cell in building] for building in (*START_CARDS, *BUILDINGS)]
    assert [row[:2] for row in rows("K")] == [list(kaiju) for kaiju in KAIJU]


def test_the_text_of_a_special_action_is_what_its_function_says() -> None:
    """K1.15, K2.2"""
    texts = {name: rule.__doc__ or "" for name, rule in [*PLAIN.items(), *CHOSEN.items()]}
    for row, special in zip(rows("S"), SPECIALS, strict=True):
        assert row[:4] == [special.id, special.name, special.suit, str(special.cost)]
        assert texts[special.id].lower() == f"{special.id}: {row[4]}".lower()


def text(product: Product) -> str:
    """Return what a New Product brings, in words."""
    match product.kind:
        case "suit":
            return f"1 for each {SUITS[product.of]} Building"
        case "paying":
            return f"2 for each {TIMINGS[product.of[1]]} {SUITS[product.of[0]]} Building"
        case "city":
            return f"1.5 for each Building in {product.of}, rounded down in all"
        case "set":
            return "3 for each set of one Building of each suit"
        case "cities":
            return "1 for each different city"
        case "dear":
            return "2 for each Building that costs 7¥ or more"
        case "fixed":
            return "2, whatever is built"


def test_the_text_of_a_new_product_is_what_it_counts() -> None:
    """K1.36, K6.5"""
    assert rows("N") == [[product.id, product.name, text(product), str(product.most)] for product in PRODUCTS]
