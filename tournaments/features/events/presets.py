"""The formats that an event can be drafted in, each with the initial values of its form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bots.formats.settings import Gauntlet, Groups, KingOfTheHill, Knockout, League, RoundRobin, Spec, Swiss
from engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Preset:
    title: Sentence
    about: Sentence
    spec: Spec


PRESETS: Final[Mapping[str, Preset]] = {
    "swiss": Preset(
        Sentence("Swiss"),
        Sentence("A few rounds between bots with similar scores. Good for many bots in little time."),
        Swiss(),
    ),
    "round_robin": Preset(
        Sentence("Round robin"), Sentence("Everyone meets everyone. The fairest format, and the longest."), RoundRobin()
    ),
    "knockout": Preset(
        Sentence("Knock-out"),
        Sentence("A bot that does not advance is out. Short and dramatic."),
        Knockout(sets=(1, 2)),
    ),
    "fixed_knockout": Preset(
        Sentence("Knock-out in a fixed bracket"),
        Sentence("The bracket is known from the first round, and can be printed. There is a match for third place."),
        Knockout(sets=(1, 2), bracket="fixed", third_place=True),
    ),
    "double_knockout": Preset(
        Sentence("Double elimination"), Sentence("The second loss is the last."), Knockout(lives=2)
    ),
    "groups_knockout": Preset(
        Sentence("Groups, then a knock-out"),
        Sentence("Parallel groups; the best of each advance and start from zero."),
        Groups(4, 2, RoundRobin(), Knockout()),
    ),
    "swiss_final": Preset(
        Sentence("Swiss, then a final"),
        Sentence("The best few of a Swiss play each other."),
        Groups(1, 4, Swiss(), RoundRobin(rounds=2)),
    ),
    "swiss_knockout": Preset(
        Sentence("Swiss, then a knock-out"),
        Sentence("The best few of a Swiss play a knock-out."),
        Groups(1, 4, Swiss(), Knockout()),
    ),
    "league": Preset(
        Sentence("League"),
        Sentence("Divisions by strength; after each season some go up, some down."),
        League(RoundRobin()),
    ),
    "league_swiss": Preset(
        Sentence("League of Swiss"), Sentence("The same, with a Swiss in each division."), League(Swiss())
    ),
    "gauntlet": Preset(Sentence("Gauntlet"), Sentence("Every challenger meets the same panel of bots."), Gauntlet(())),
    "king_of_the_hill": Preset(
        Sentence("King of the hill"), Sentence("The winner stays; the next in line sit down."), KingOfTheHill()
    ),
}

ABOUT: Final[Mapping[str, Sentence]] = {
    "seats": Sentence("At a table: any number that the game allows."),
    "fewest": Sentence(
        "The smallest table allowed when the field does not fill the tables; 0: as small as the game allows, so "
        "that nobody sits idle; equal to the seats: only full tables."
    ),
    "rounds": Sentence("0: the number that the format recommends."),
    "sets": Sentence("Sets that a table plays in a round."),
    "rank_by": Sentence(
        "What orders the table, one after another, with commas between: points, performance, direct_encounter, "
        "buchholz, buchholz_cut_1, sonneborn_berger, wins, margin, crashes."
    ),
    "first": Sentence("How the first round is drawn."),
    "owners_apart": Sentence("Bots of one owner are kept apart where possible."),
    "lives": Sentence("1: single elimination; 2: double."),
    "advance": Sentence("How many of each table advance; 0: half of the seats."),
    "extra": Sentence("Sets at most, one after another, for a table that is undecided."),
    "bracket": Sentence(
        "Reseeded: tables are drawn again every round. Fixed: places are known from the first round, "
        "in single elimination."
    ),
    "third_place": Sentence(
        "A match between the losers of the semi-finals, in single elimination with two at a table."
    ),
    "panel": Sentence(
        "The ids of the panel’s bots, with commas between: a bot’s page has it in its address. They register too."
    ),
    "groups": Sentence("Parallel groups; 1 makes an event of two stages."),
    "qualify": Sentence("How many of each group advance."),
    "size": Sentence("About how many bots in a division."),
    "seasons": Sentence("Seasons, one after another."),
    "moves": Sentence("Promoted and relegated at every border; 0: a sixth of a division."),
}
HALF: Final = Sentence(
    "At most half as many as bots take part, at tables of two; 0: the number that the format recommends."
)
GROWING: Final = Sentence(
    "Sets that a table plays, with commas between: the last number is the final’s, the first that of all early rounds."
)


def help_by_field(paths: Mapping[str, object], spec: Spec) -> dict[str, str]:
    """Return the help text of each field, by path."""
    texts = {path: ABOUT.get(path.rpartition(".")[2], "") for path in paths}
    stages = ((f"format.{name}", getattr(spec, name, None)) for name in ("first", "then", "season"))
    for prefix, stage in (("format", spec), *stages):
        if isinstance(stage, Knockout):
            texts[f"{prefix}.sets"] = GROWING
        if isinstance(stage, Swiss):
            texts[f"{prefix}.rounds"] = HALF
    return texts
