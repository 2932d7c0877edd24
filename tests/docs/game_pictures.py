"""The examples that the rule pages of games begin with. `python3 -m tests.docs.game_pictures` draws their pictures as
boards are drawn, and needs a browser."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bots.viewer import film_page
from bots.viewer.boards import NOBODY, board_of
from engine.auctions import OnceAround
from engine.games.gigabucks import Due
from engine.games.zaibatsu import Pile
from engine.games.zaibatsu.pieces import COMPANIES
from tests.games import gigabucks_tables, kaiju_tables, network_tables, shangzhou_tables, zaibatsu_tables

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures"
NAMES: Final = ["Ann", "Ben", "Cleo", "Dan"]
STYLES: Final = ("tokens.css", "site.css", "boards.css")
EXAMPLES: Final[dict[str, Any]] = {
    "network": network_tables.table(
        built={(1, 0): (0, 1), (2, 0): (0, 1), (0, -1): (1, 1)},
        cash=[10, 14, 9],
        treasury=[13, 6, 10],
        unauctioned=[3, 3, 4],
        owned=network_tables.shares(3, p0=(1, 1, 0), p1=(0, 1, 0), p2=(1, 0, 1)),
    ),
    "zaibatsu": zaibatsu_tables.table(
        round=2,
        phase=3,
        cash=[9, 11, 10],
        owned=[["M07", "M10", "P03"], ["M05", "P06"], ["M01", "P01"]],
        piles=[Pile(called=True), Pile(["A04", "M04"], called=True), Pile(["F05", "M19"]), Pile(["P08", "A09"])],
        deck=[company.id for company in COMPANIES[-24:]],
        to_call=[2, 0],
        auction=OnceAround(2, 1, [0, 1], 6, 2),
    ),
    "kaiju": kaiju_tables.carmen_and_david().at,
    "shangzhou": shangzhou_tables.table(
        phase="bid",
        lots=shangzhou_tables.lots("PUUU"),
        clout=[4, 4, 4],
        agents={9: (2, 0, 0), 10: (3, 4, 0), 11: (0, 1, 0), 14: (0, 2, 0), 49: (0, 0, 1)},
    ),
    "gigabucks": gigabucks_tables.seed_board(
        owner=0, cash=[120, 300, 80, 210], tokens=[5, 28, 7, 13], current=1, due=Due(0, 15), to_do=["offer", "end"]
    ),
}


def board(game: str) -> str:
    position = EXAMPLES[game]
    picture = board_of(game).draw(position, NAMES[: position.options.players], NOBODY)
    style = "\n".join(map(film_page.read_asset, STYLES))
    wide = picture.svg().partition('<svg class="picture slim"')[0]
    return f'<!doctype html><meta charset="utf-8"><style>{style}</style><body style="margin: 0">{wide}'


def main() -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as browsers, TemporaryDirectory() as folder:
        page = browsers.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]).new_page(
            viewport={"width": 1000, "height": 552}
        )
        for game in EXAMPLES:
            file = Path(folder) / f"{game}.html"
            file.write_text(board(game), "utf-8")
            page.goto(file.as_uri())
            page.screenshot(path=FOLDER / f"{game}.png")


if __name__ == "__main__":
    main()
