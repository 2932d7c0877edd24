"""What each game option does, in one sentence, for the form of a new ladder."""

import re
from collections.abc import Mapping
from typing import Final

from django import forms

from engine.game import AnyGame
from engine.records import RecordError, canonical, to_plain
from engine.sentences import Sentence
from tournaments.web.pages.desk.dataclass_form import fields_of, label_of_choice

USUAL: Final = {"": Sentence("nothing"), "True": Sentence("on"), "False": Sentence("off")}
FIRST: Final = Sentence('Who begins: "random", or a seat, counted from 0.')
ABOUT: Final[Mapping[str, Mapping[str, Sentence]]] = {
    "zaibatsu": {
        "first": FIRST,
        "unsold": Sentence("A pile that nobody bought is discarded, or stays for the next auction."),
        "piles": Sentence("Whether the piles lie face up or face down."),
    },
    "kaiju": {
        "start_player": FIRST,
        "companies": Sentence('Whose company each seat leads: "random", or their ids by seat, with commas between.'),
        "special_case": Sentence("A player without a building that earns money may start over."),
        "city_majority": Sentence("A majority counts only in one's own city, or in any city in play."),
        "kaiju_backwards": Sentence("A marker that goes back over the line attacks, or stops there."),
        "reshuffle": Sentence("The rest of the deck is dealt first, or shuffled with the other cards."),
        "max_turns": Sentence("After this many turns the match ends: a safety net."),
    },
    "network": {
        "map": Sentence("Auto is small for up to three players; maps are generated for every set."),
        "first": FIRST,
        "bank_buys_unsold": Sentence(
            "The bank pays the share's value into the treasury if nobody bids on a player's share."
        ),
        "max_turns": Sentence("After this many turns the match ends: a safety net."),
    },
    "shangzhou": {
        "home_layout": Sentence("Whether homes are random, or chosen in turn."),
        "base_income": Sentence("Clout for everyone in each turn."),
        "clout_goal": Sentence("At this much Clout the player who has most wins."),
        "sector_goal": Sentence("Exclusive control of this many sectors wins."),
        "critical_rule": Sentence("All four Critical Nodes win: alone on each, or the only one present on all."),
        "oversight_tie": Sentence("Who becomes Overseer when bids are tied: by the priority list, or at random."),
        "overseer_power": Sentence("Whether the Overseer sets the whole order, or only the first player."),
        "trading": Sentence("Whether players trade, only give, or neither; off where one owner may hold two seats."),
        "trade_windows": Sentence('In a turn: "auto" is one where trading is full and more than two play.'),
        "talk": Sentence("Whether players may speak, and who hears it."),
        "restricted_cover": Sentence("Agents where a Restricted template is put stay, or are removed."),
        "max_turns": Sentence("After this many turns the match ends: a safety net."),
        "max_bids": Sentence("For each player in a phase: a safety net."),
        "max_expansions": Sentence("For each player in a phase: a safety net."),
    },
    "gigabucks": {
        "currency": Sentence("What everyone starts with; less makes a faster game."),
        "spaces": Sentence("Spaces of the ring; fewer make a faster game."),
        "dice": Sentence("The sides of each die, with commas between."),
        "seating": Sentence("How the order of seats is decided."),
        "flexible_rounds": Sentence("Placements before the first roll."),
        "next_player": Sentence("Who gets the next turn."),
        "bidding": Sentence("In turn, all at once, or each with a limit that bids for it: the last is quickest."),
        "one_round": Sentence(
            "Kinds of auction in which everyone bids once, with commas between: charter, reactivation, "
            "diversification, voluntary, involuntary, seat."
        ),
        **{f"bid_step.{kind}": Sentence("Bids in this kind of auction are multiples of it.") for kind in (
            "charter", "reactivation", "diversification", "voluntary", "involuntary", "seat",
        )},
        "diversify_on": Sentence("Whose corporations a player may diversify on."),
        "voluntary_sales": Sentence("Whether a player may sell corporations voluntarily."),
        "voluntary_retry": Sentence("If nobody met the minimum, it is offered again for less."),
        "royalty": Sentence("How royalties are computed: by the chain, simply, or as a product."),
        "royalty_unit": Sentence("Money for each point of royalty; 2 with a currency of 600 makes a finer grain."),
        "resigner_keeps_funds": Sentence("A player who resigns keeps the money; only the corporations become idle."),
        "talk": Sentence("Whether players may send each other typed messages."),
        "max_rounds": Sentence("After this many rounds the match ends: a safety net."),
        "max_decisions": Sentence("After this many decisions the match ends: a safety net."),
    },
}  # fmt: skip


def about(game: AnyGame) -> dict[str, str]:
    """By path: what it does, its bounds as the game has them, and its default."""
    described = {f"options.{name}": sentence for name, sentence in ABOUT.get(game.name, {}).items()}
    described["options.players"] = Sentence("How many sit at a table.")
    fields = fields_of(game.read_options({}), "options", {})
    return {
        path: Sentence(
            "%(about)s %(bounds)sDefault: %(usual)s.",
            about=described.get(path, ""),
            bounds=bounds_of(game, path),
            usual=_usual(field),
        )
        for path, field in fields.items()
    }


def _usual(field: forms.Field) -> str:
    """As the field shows it."""
    usual = str(field.initial)
    return label_of_choice(usual) if isinstance(field, forms.ChoiceField) else USUAL.get(usual, usual)


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
        return _bounds_in(str(error))
    return ""


def _bounds_in(refusal: str) -> str:
    if found := re.search(r" must be one of (.+), not ", refusal):
        return Sentence("One of %(these)s. ", these=found[1])
    found = re.search(r" must be (\d+) to (\d+), not ", refusal)
    return Sentence("%(least)s to %(most)s. ", least=found[1], most=found[2]) if found else ""


def differing(game: AnyGame, options: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Name, default and choice, of what is not as the game has it by itself."""
    usual = to_plain(game.read_options({}))
    return [(n, canonical(usual[n]), canonical(value)) for n, value in options.items() if value != usual[n]]
