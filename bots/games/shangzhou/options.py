"""The options of Shangzhou-Gold for organisers: what each does, and how `up` sets its ladder."""

from collections.abc import Mapping
from typing import Final

from engine.sentences import Sentence

LADDER: Final[Mapping[str, object]] = {"trading": "off"}  # one owner may hold two seats
MARGIN: Final = 12  # sectors: over the rest a winner has all of it, as in duels; among the rest twice the usual lead
ABOUT: Final[Mapping[str, Sentence]] = {
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
}
