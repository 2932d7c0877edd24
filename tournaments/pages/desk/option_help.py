"""What each game option does, in one sentence, for the form of a new ladder."""

import re
from collections.abc import Mapping
from typing import Final

from engine.game import AnyGame
from engine.records import RecordError, canonical, to_plain
from tournaments.pages.desk.dataclass_form import fields_of

USUAL: Final = {"": "none", "True": "yes", "False": "no"}
FIRST: Final = 'Who begins: "random", or a seat, counted from 0.'
ABOUT: Final[Mapping[str, Mapping[str, str]]] = {
    "zaibatsu": {
        "first": FIRST,
        "unsold": "A pile that nobody bought is discarded, or stays for the next auction.",
        "piles": "Whether the piles lie face up or face down.",
    },
    "kaiju": {
        "start_player": FIRST,
        "companies": 'Whose company each seat leads: "random", or their ids by seat, with commas between.',
        "special_case": "A player without a building that earns money may start over.",
        "city_majority": "A majority counts only in one's own city, or in any city in play.",
        "kaiju_backwards": "A marker that goes back over the line attacks, or stops there.",
        "reshuffle": "The rest of the deck is dealt first, or shuffled with the other cards.",
        "max_turns": "After this many turns the match ends: a safety net.",
    },
    "network": {
        "map": "Auto is small for up to three players; maps are generated for every set.",
        "first": FIRST,
        "bank_buys_unsold": "The bank pays the share's value into the treasury if nobody bids on a player's share.",
        "max_turns": "After this many turns the match ends: a safety net.",
    },
    "shangzhou": {
        "home_layout": "Whether homes are random, or chosen in turn.",
        "base_income": "Clout for everyone in each turn.",
        "clout_goal": "At this much Clout the player who has most wins.",
        "sector_goal": "Exclusive control of this many sectors wins.",
        "critical_rule": "All four Critical Nodes win: alone on each, or the only one present on all.",
        "oversight_tie": "Who becomes Overseer when bids are tied: by the priority list, or at random.",
        "overseer_power": "Whether the Overseer sets the whole order, or only the first player.",
        "trading": "Whether players trade, only give, or neither; off where one owner may hold two seats.",
        "trade_windows": 'In a turn: "auto" is one where trading is full and more than two play.',
        "talk": "Whether players may speak, and who hears it.",
        "restricted_cover": "Agents where a Restricted template is put stay, or are removed.",
        "max_turns": "After this many turns the match ends: a safety net.",
        "max_bids": "For each player in a phase: a safety net.",
        "max_expansions": "For each player in a phase: a safety net.",
    },
    "gigabucks": {
        "currency": "What everyone starts with; less makes a faster game.",
        "spaces": "Spaces of the ring; fewer make a faster game.",
        "dice": "The sides of each die, with commas between.",
        "seating": "How the order of seats is decided.",
        "flexible_rounds": "Placements before the first roll.",
        "next_player": "Who gets the next turn.",
        "bidding": "In turn, all at once, or each with a limit that bids for it: the last is quickest.",
        "one_round": "Kinds of auction in which everyone bids once, with commas between: charter, reactivation, "
        "diversification, voluntary, involuntary, seat.",
        **{f"bid_step.{kind}": "Bids in this kind of auction are multiples of it." for kind in (
            "charter", "reactivation", "diversification", "voluntary", "involuntary", "seat",
        )},
        "diversify_on": "Whose corporations a player may diversify on.",
        "voluntary_sales": "Whether a player may sell corporations voluntarily.",
        "voluntary_retry": "If nobody met the minimum, it is offered again for less.",
        "royalty": "How royalties are computed: by the chain, simply, or as a product.",
        "royalty_unit": "Money for each point of royalty; 2 with a currency of 600 makes a finer grain.",
        "resigner_keeps_funds": "A player who resigns keeps the money; only the corporations become idle.",
        "talk": "Whether players may send each other typed messages.",
        "max_rounds": "After this many rounds the match ends: a safety net.",
        "max_decisions": "After this many decisions the match ends: a safety net.",
    },
}  # fmt: skip


def about(game: AnyGame) -> dict[str, str]:
    """By path: what it does, its bounds in the game's own words, and its default."""
    usual = game.read_options({})
    described = {f"options.{name}": sentence for name, sentence in ABOUT.get(game.name, {}).items()}
    found = {"options.players": "How many sit at a table.", **described}
    for path, field in fields_of(usual, "options", {}).items():
        bounds = bounds_of(game, path)
        found[path] = f"{found.get(path, '')} {bounds}Default: {USUAL.get(str(field.initial), field.initial)}."
    return found


def bounds_of(game: AnyGame, path: str) -> str:
    """Of a number, as the game refuses what lies far below."""
    plain = to_plain(game.read_options({}))
    *outer, name = path.split(".")[1:]
    at = plain
    for step in outer:
        at = at[step]
    if type(at[name]) is not int:
        return ""
    at[name] = -(2**40)
    try:
        game.read_options(plain)
    except RecordError as error:
        bounds = re.search(r" must be (.+), not ", str(error))
        return f"{bounds[1][:1].upper()}{bounds[1][1:]}. " if bounds else ""
    return ""


def differing(game: AnyGame, options: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Name, default and choice, of what is not as the game has it by itself."""
    usual = to_plain(game.read_options({}))
    return [(n, canonical(usual[n]), canonical(value)) for n, value in options.items() if value != usual[n]]
