"""The rules of an event in sentences, for its page: what the settings mean, and the order of tie-breaks by name."""

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

CRITERIA: dict[Criterion, str] = {
    "points": "Points: the share of the opponents beaten in each set, added up; a tie is half.",
    "performance": "Performance rating: what the sets of this stage alone say of strength, all of them at once.",
    "direct_encounter": "Direct encounter: the mean score against those it is level with, if all of them have met.",
    "buchholz": "Buchholz: the mean points of the opponents it met.",
    "buchholz_cut_1": "Buchholz cut 1: the same without the lowest of them.",
    "sonneborn_berger": "Sonneborn-Berger: the points of the opponents, each times the share won from that opponent.",
    "wins": "Number of wins: games won; a shared first place counts as its share.",
    "margin": "Margin: by how much its games were won or lost.",
    "crashes": "Fewer games forfeited.",
}
EVERYWHERE = [
    "A bye, and a set that was cancelled, count as the mean of one's own sets: they neither help nor hurt.",
    "Who forfeits a game is last in it.",
    "Who withdraws or is disqualified plays what has been paired, and no round after it.",
    "What was played stays. Who is disqualified stands at the end of the table, and all others move up.",
]

UNPLAYED = (
    "In Buchholz and Sonneborn-Berger an opponent that left counts as if its rounds since had been draws, and a round "
    "without a table as one against opponents of one's own score, of half a point a set at most."
)


def rules_in_words(spec: Spec) -> list[str]:
    """What competitors and spectators should know, a sentence or two each."""
    return [*_format(spec), *EVERYWHERE]


def _format(spec: Spec) -> list[str]:
    match spec:
        case Groups():
            return _groups(spec)
        case League():
            return _league(spec)
        case _:
            return _single(spec)


def _single(spec: Single) -> list[str]:
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


def _tables(spec: Single) -> str:
    few = fewest_at(spec)
    fewer = f", or down to {few} where the numbers do not divide" if few < spec.seats else ""
    return (
        f"A table seats {spec.seats}{fewer}. A set is one deal, played as often as there are seats, the seats rotated."
    )


def _robin(spec: RoundRobin) -> list[str]:
    often = f"There are {spec.rounds} rounds" if spec.rounds else "There are as many rounds as it takes"
    apart = (
        ["Bots of one owner or team do not play each other, where that can be avoided."] if spec.owners_apart else []
    )
    return [f"Round robin. {often}, drawn so that all meet equally often, as nearly as can be.", *apart]


def _swiss(spec: Swiss) -> list[str]:
    rounds = f"{spec.rounds} rounds" if spec.rounds else "as many rounds as leave one undefeated, and two more"
    first = "is drawn by lot" if spec.first == "lot" else "seats the upper half of the seeding against the lower"
    twice = "Nobody meets twice." if spec.seats == 2 else "Meeting again is avoided where a third of a point does it."
    apart = ["Bots of one owner are kept apart where that makes nobody meet again."] if spec.owners_apart else []
    unplayed = [] if spec.edition == 1 else [UNPLAYED]
    return [f"Swiss: {rounds}. The first {first}; after it, who has scored alike meets. {twice}", *apart, *unplayed]


def _gauntlet(spec: Gauntlet) -> list[str]:
    rounds = f"{spec.rounds} rounds" if spec.rounds else "as many rounds as it takes to meet all of it equally often"
    return [
        f"Gauntlet: every challenger meets the same panel of {len(spec.panel)}, in {rounds}.",
        "Challengers are ranked among themselves; the panel stands after them and cannot win.",
        "As all meet the same panel, bots of one owner are not kept apart.",
    ]


def _knockout(spec: Knockout) -> list[str]:
    single = spec.lives == 1
    kind = "Single elimination: who does not go on is out." if single else "Double elimination: the second loss is out."
    on = advancing(spec)
    goes = "the first goes" if on == 1 else f"the first {on} go"
    reset = not single and spec.seats == 2
    final = "The last two play on until one has lost twice." if reset else "The first place of the final wins."
    return [
        f"{kind} From each table {goes} on. {final}",
        *_bracket(spec),
        _lengths(spec.sets),
        "A table is decided by points, then games won, then fewer games forfeited, then margin.",
        f"Where all is level it plays up to {spec.extra} more sets; then the better seed goes on.",
    ]


def _bracket(spec: Knockout) -> list[str]:
    third = ["Those beaten in the semi-finals play for third place."] if spec.third_place else []
    if spec.bracket == "fixed":
        fixed = (
            "The bracket is fixed before the first round: places follow from the seeding, so that the best two can meet"
        )
        apart = (
            "In its first round bots of one owner are kept apart, where seeds of one level can change places for that."
        )
        return [
            f"{fixed} in the final alone. Byes go to the best seeds.",
            *([apart] if spec.owners_apart else []),
            *third,
        ]
    dealt = "Tables are dealt from the seeding back and forth, afresh in every round. Byes go to the best seeds."
    apart = "Who has met in this event meets again only where no other table is left within one level of the seeding."
    return [dealt, *([apart] if spec.edition > 1 else []), *third]


def _lengths(sets: tuple[int, ...]) -> str:
    if len(sets) == 1:
        return f"A table plays {_sets(sets[0])} in every round."
    growing = ", then ".join(map(str, sets))
    return f"The sets that a table plays grow up to the final: {growing}. A round before these plays {_sets(sets[0])}."


def _hill(spec: KingOfTheHill) -> list[str]:
    apart = ["Who shares an owner with somebody at the table goes later."] if spec.owners_apart else []
    return [
        "King of the hill: who wins the table stays, and the next in line sit down.",
        "The lowest seeds begin, the best seed comes last.",
        *apart,
        f"A table plays {_sets(spec.sets)}. Where all is level, up to {spec.extra} more; then the king stays.",
    ]


def _groups(spec: Groups) -> list[str]:
    if spec.groups == 1:
        start = (
            f"Two stages. The first {spec.qualify} of the first stage play the second one, which starts from nothing."
        )
    else:
        start = (
            f"{spec.groups} groups, equally strong by seeding. The first {spec.qualify} of each play the second stage."
        )
        apart = spec.first.owners_apart and spec.first.edition > 1
        start += " Bots of one owner are spread over them, where seeds of one level can change places." if apart else ""
    return [start, "First stage:", *_single(spec.first), "Second stage:", *_single(spec.then)]


def _league(spec: League) -> list[str]:
    moving = str(spec.moves) if spec.moves else "a sixth"
    return [
        f"A league of divisions of about {spec.size}, {_number(spec.seasons, 'season')}.",
        "Who enters is placed by rating.",
        f"After a season {moving} of each division go up and as many go down.",
        "In a season:",
        *_single(spec.season),
    ]


def _points(spec: Points) -> list[str]:
    sets = f"A table plays {_sets(spec.sets)} in a round."
    ordered = [f"{number}. {CRITERIA[criterion]}" for number, criterion in enumerate(spec.rank_by, 1)]
    return [
        sets,
        "The table is ordered by:",
        *ordered,
        f"{len(ordered) + 1}. A lot, drawn by a hash of the event's name.",
    ]


def _sets(number: int) -> str:
    return _number(number, "set")


def _number(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
