"""The rules of an event in sentences, for its page: what the settings mean, and the order of tie-breaks by name."""

from functools import reduce

from bots.formats.settings import (
    Criterion,
    Gauntlet,
    Groups,
    KingOfTheHill,
    Knockout,
    League,
    Points,
    RoundRobin,
    Single,
    Spec,
    Swiss,
    advancing,
    fewest_at,
)
from engine.sentences import Sentence

CRITERIA: dict[Criterion, Sentence] = {
    "points": Sentence("Points: the share of the opponents beaten in each set, added up; a tie is half."),
    "performance": Sentence(
        "Performance rating: what the sets of this stage alone say of strength, all of them at once."
    ),
    "direct_encounter": Sentence(
        "Direct encounter: the mean score against those it is level with, if all of them have met."
    ),
    "buchholz": Sentence("Buchholz: the mean points of the opponents it met."),
    "buchholz_cut_1": Sentence("Buchholz cut 1: the same without the lowest of them."),
    "sonneborn_berger": Sentence(
        "Sonneborn-Berger: the points of the opponents, each times the share won from that opponent."
    ),
    "wins": Sentence("Number of wins: games won; a shared first place counts as its share."),
    "margin": Sentence("Margin: by how much its games were won or lost."),
    "crashes": Sentence("Fewer games forfeited."),
}
EVERYWHERE = [
    Sentence("A bye, and a set that was cancelled, count as the mean of one's own sets: they neither help nor hurt."),
    Sentence("A bot that forfeits a game is last in it."),
    Sentence("Bots that withdraw or are disqualified play what has been paired, and no later round."),
    Sentence("What was played stays. Disqualified bots move to the end of the table, and all others move up."),
]

LOT = Sentence("A lot, drawn by a hash of the event's name.")
UNPLAYED = Sentence(
    "In Buchholz and Sonneborn-Berger an opponent that left counts as if its rounds since had been draws, and a round "
    "without a table as one against opponents of one's own score, of half a point a set at most."
)


def rules_in_words(spec: Spec) -> list[Sentence]:
    """Return what competitors and spectators should know, a sentence or two each."""
    return [*_format(spec), *EVERYWHERE]


def _format(spec: Spec) -> list[Sentence]:
    match spec:
        case Groups():
            return _groups(spec)
        case League():
            return _league(spec)
        case _:
            return _single(spec)


def _single(spec: Single) -> list[Sentence]:
    match spec:
        case RoundRobin():
            return [_tables(spec), *_robin(spec), *_points(spec)]
        case Swiss():
            return [_tables(spec), *_swiss(spec), *_points(spec)]
        case Gauntlet():
            return [_tables(spec), *_gauntlet(spec), *_points(spec)]
        case Knockout():
            return [_tables(spec), *_knockout(spec)]
        case KingOfTheHill():
            return [_tables(spec), *_hill(spec)]


def _tables(spec: Single) -> Sentence:
    few = fewest_at(spec)
    fewer = Sentence(", or down to %(few)s where the numbers do not divide", few=few)
    return Sentence(
        "A table seats %(seats)s%(fewer)s. A set is one deal, played as often as there are seats, the seats rotated.",
        seats=spec.seats,
        fewer=fewer if few < spec.seats else "",
    )


def _robin(spec: RoundRobin) -> list[Sentence]:
    often = Sentence("There is 1 round" if spec.rounds == 1 else "There are %(rounds)s rounds", rounds=spec.rounds)
    robin = Sentence(
        "Round robin. %(often)s, drawn so that all meet equally often, as nearly as can be.",
        often=often if spec.rounds else Sentence("There are as many rounds as it takes"),
    )
    apart = Sentence("Bots of one owner or team do not play each other, where that can be avoided.")
    return [robin, apart] if spec.owners_apart else [robin]


def _swiss(spec: Swiss) -> list[Sentence]:
    many = Sentence("as many rounds as leave one undefeated, and two more")
    half, never = "seats the upper half of the seeding against the lower", "Nobody meets twice."
    swiss = Sentence(
        "Swiss: %(rounds)s. The first %(first)s; after it, who has scored alike meets. %(twice)s",
        rounds=_rounds(spec.rounds) if spec.rounds else many,
        first=Sentence("is drawn by lot" if spec.first == "lot" else half),
        twice=Sentence(never if spec.seats == 2 else "Meeting again is avoided where a third of a point does it."),
    )
    apart = Sentence("Bots of one owner are kept apart where that makes nobody meet again.")
    needs = [Sentence("So many rounds need %(bots)s bots at least.", bots=2 * spec.rounds)]
    unplayed = [] if spec.edition == 1 else [UNPLAYED]
    is_bounded = spec.seats == 2 and spec.rounds > 1
    return [swiss, *(needs if is_bounded else []), *([apart] if spec.owners_apart else []), *unplayed]


def _rounds(number: int) -> Sentence:
    return Sentence("1 round" if number == 1 else "%(rounds)s rounds", rounds=number)


def _gauntlet(spec: Gauntlet) -> list[Sentence]:
    many = Sentence("as many rounds as it takes to meet all of it equally often")
    return [
        Sentence(
            "Gauntlet: every challenger meets the same panel of %(panel)s, in %(rounds)s.",
            panel=len(spec.panel),
            rounds=_rounds(spec.rounds) if spec.rounds else many,
        ),
        Sentence("Challengers are ranked among themselves; the panel stands after them and cannot win."),
        Sentence("As all meet the same panel, bots of one owner are not kept apart."),
    ]


def _knockout(spec: Knockout) -> list[Sentence]:
    single = spec.lives == 1
    one, two = "Single elimination: bots that do not advance are out.", "Double elimination: the second loss is out."
    reset = not single and spec.seats == 2
    final = "The last two play on until one has lost twice." if reset else "The first place of the final wins."
    kind = Sentence(
        "%(kind)s %(goes)s %(final)s", kind=Sentence(one if single else two), goes=_goes(spec), final=Sentence(final)
    )
    return [
        kind,
        *_bracket(spec),
        _lengths(spec.sets),
        Sentence("A table is decided by points, then games won, then fewer games forfeited, then margin."),
        Sentence(
            "Where all is level it plays 1 more set; then the better seed goes on."
            if spec.extra == 1
            else "Where all is level it plays up to %(extra)s more sets; then the better seed goes on.",
            extra=spec.extra,
        ),
    ]


def _goes(spec: Knockout) -> Sentence:
    on = advancing(spec)
    many = Sentence("From each table the first %(on)s go on.", on=on)
    return Sentence("From each table the first goes on.") if on == 1 else many


def _bracket(spec: Knockout) -> list[Sentence]:
    third = [Sentence("Those beaten in the semi-finals play for third place.")] if spec.third_place else []
    if spec.bracket == "fixed":
        fixed = Sentence(
            "The bracket is fixed before the first round: places follow from the seeding, so that the best two can meet"
            " in the final alone. Byes go to the best seeds."
        )
        apart = Sentence(
            "In its first round bots of one owner are kept apart, where seeds of one level can change places for that."
        )
        return [fixed, *([apart] if spec.owners_apart else []), *third]
    dealt = Sentence(
        "Tables are dealt from the seeding back and forth, afresh in every round. Byes go to the best seeds."
    )
    apart = Sentence(
        "Bots that have met in this event meet again only where no other table is left within one level of the seeding."
    )
    return [dealt, *([apart] if spec.edition > 1 else []), *third]


def _lengths(sets: tuple[int, ...]) -> Sentence:
    if len(sets) == 1:
        return Sentence("A table plays %(sets)s in every round.", sets=_sets(sets[0]))
    return Sentence(
        "The sets that a table plays grow up to the final: %(growing)s. A round before these plays %(first)s.",
        growing=reduce(_then, sets[1:], str(sets[0])),
        first=_sets(sets[0]),
    )


def _then(few: str, more: int) -> Sentence:
    return Sentence("%(few)s, then %(more)s", few=few, more=more)


def _hill(spec: KingOfTheHill) -> list[Sentence]:
    apart = [Sentence("Bots that share an owner with a bot at the table go later.")] if spec.owners_apart else []
    return [
        Sentence("King of the hill: the winner of the table stays, and the next in line sit down."),
        Sentence("The lowest seeds begin, the best seed comes last."),
        *apart,
        Sentence(
            "A table plays %(sets)s. Where all is level, up to %(extra)s more; then the king stays.",
            sets=_sets(spec.sets),
            extra=spec.extra,
        ),
    ]


def _groups(spec: Groups) -> list[Sentence]:
    return [
        _two_stages(spec),
        Sentence("First stage:"),
        *_single(spec.first),
        Sentence("Second stage:"),
        *_single(spec.then),
    ]


def _two_stages(spec: Groups) -> Sentence:
    if spec.groups == 1:
        return Sentence(
            "Two stages. The first %(qualify)s of the first stage play the second one, which starts from nothing.",
            qualify=spec.qualify,
        )
    apart = Sentence(" Bots of one owner are spread over them, where seeds of one level can change places.")
    return Sentence(
        "%(groups)s groups, equally strong by seeding. The first of each plays the second stage.%(apart)s"
        if spec.qualify == 1
        else "%(groups)s groups, equally strong by seeding. The first %(qualify)s of each play the second stage."
        "%(apart)s",
        groups=spec.groups,
        qualify=spec.qualify,
        apart=apart if spec.first.owners_apart and spec.first.edition > 1 else "",
    )


def _league(spec: League) -> list[Sentence]:
    many = Sentence("%(number)s seasons", number=spec.seasons)
    return [
        Sentence(
            "A league of divisions of about %(size)s, %(seasons)s.",
            size=spec.size,
            seasons=Sentence("1 season") if spec.seasons == 1 else many,
        ),
        Sentence("New bots are placed by rating."),
        Sentence(
            "After a season %(moving)s of each division go up and as many go down.",
            moving=spec.moves or Sentence("a sixth"),
        ),
        Sentence("In a season:"),
        *_single(spec.season),
    ]


def _points(spec: Points) -> list[Sentence]:
    ordered = [*(CRITERIA[criterion] for criterion in spec.rank_by), LOT]
    return [
        Sentence("A table plays %(sets)s in a round.", sets=_sets(spec.sets)),
        Sentence("The table is ordered by:"),
        *(_numbered(number, criterion) for number, criterion in enumerate(ordered, 1)),
    ]


def _numbered(number: int, criterion: Sentence) -> Sentence:
    return Sentence("%(number)s. %(criterion)s", number=number, criterion=criterion)


def _sets(number: int) -> Sentence:
    return Sentence("1 set") if number == 1 else Sentence("%(number)s sets", number=number)
