"""The formats that an event can be drafted in, each with the initial values of its form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bots.formats.settings import Gauntlet, Groups, KingOfTheHill, Knockout, League, RoundRobin, Spec, Swiss


@dataclass(frozen=True, slots=True)
class Preset:
    title: str
    about: str
    spec: Spec


PRESETS: Final[Mapping[str, Preset]] = {
    "swiss": Preset(
        "Swiss", "A few rounds between bots with similar scores. Good for many bots in little time.", Swiss()
    ),
    "round_robin": Preset("Round robin", "Everyone meets everyone. The fairest format, and the longest.", RoundRobin()),
    "knockout": Preset("Knock-out", "A bot that does not advance is out. Short and dramatic.", Knockout(sets=(1, 2))),
    "fixed_knockout": Preset(
        "Knock-out in a fixed bracket",
        "The bracket is known from the first round, and can be printed. There is a match for third place.",
        Knockout(sets=(1, 2), bracket="fixed", third_place=True),
    ),
    "double_knockout": Preset("Double elimination", "The second loss is the last.", Knockout(lives=2)),
    "groups_knockout": Preset(
        "Groups, then a knock-out",
        "Parallel groups; the best of each advance and start from zero.",
        Groups(4, 2, RoundRobin(), Knockout()),
    ),
    "swiss_final": Preset(
        "Swiss, then a final", "The best few of a Swiss play each other.", Groups(1, 4, Swiss(), RoundRobin(rounds=2))
    ),
    "swiss_knockout": Preset(
        "Swiss, then a knock-out", "The best few of a Swiss play a knock-out.", Groups(1, 4, Swiss(), Knockout())
    ),
    "league": Preset("League", "Divisions by strength; after each season some go up, some down.", League(RoundRobin())),
    "league_swiss": Preset("League of Swiss", "The same, with a Swiss in each division.", League(Swiss())),
    "gauntlet": Preset("Gauntlet", "Every challenger meets the same panel of bots.", Gauntlet(())),
    "king_of_the_hill": Preset("King of the hill", "The winner stays; the next in line sit down.", KingOfTheHill()),
}

ABOUT: Final[Mapping[str, str]] = {
    "seats": "At a table: any number that the game allows.",
    "fewest": "The smallest table allowed when the field does not fill the tables; 0: as small as the game allows, so "
    "that nobody sits idle; equal to the seats: only full tables.",
    "rounds": "0: the number that the format recommends.",
    "sets": "Sets that a table plays in a round.",
    "rank_by": "What orders the table, one after another, with commas between: points, performance, direct_encounter, "
    "buchholz, buchholz_cut_1, sonneborn_berger, wins, margin, crashes.",
    "first": "How the first round is drawn.",
    "owners_apart": "Bots of one owner are kept apart where possible.",
    "lives": "1: single elimination; 2: double.",
    "advance": "How many of each table advance; 0: half of the seats.",
    "extra": "Sets at most, one after another, for a table that is undecided.",
    "bracket": "Reseeded: tables are drawn again every round. Fixed: places are known from the first round, "
    "in single elimination.",
    "third_place": "A match between the losers of the semi-finals, in single elimination with two at a table.",
    "panel": "The ids of the panel’s bots, with commas between: a bot’s page has it in its address. They register too.",
    "groups": "Parallel groups; 1 makes an event of two stages.",
    "qualify": "How many of each group advance.",
    "size": "About how many bots in a division.",
    "seasons": "Seasons, one after another.",
    "moves": "Promoted and relegated at every border; 0: a sixth of a division.",
}
GROWING: Final = (
    "Sets that a table plays, with commas between: the last number is the final’s, the first that of all early rounds."
)


def about_of(paths: Mapping[str, object], spec: Spec) -> dict[str, str]:
    """By path."""
    found = {path: ABOUT.get(path.rpartition(".")[2], "") for path in paths}
    for prefix, stage in (("format", spec), ("format.then", getattr(spec, "then", None))):
        if isinstance(stage, Knockout):
            found[f"{prefix}.sets"] = GROWING
    return found
