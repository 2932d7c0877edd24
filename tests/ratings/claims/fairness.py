"""Ladders with one planted fault each: which check of `tournaments.ratings.fairness` finds which, and how often."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from bots.sequential_test import NAMED, SequentialTest
from tests.ratings.claims import Row
from tests.tournaments.ratings.world import one_set
from tournaments.ratings.fairness import FOUND, Dealt, FitOf, deals_check, refit_check, statistical_checks
from tournaments.ratings.fit import Fit
from tournaments.ratings.ledger import Game, Ledger, RatedSet, Version
from tournaments.ratings.table import fit_of

BOTS, SETS, SEATS, DEAL, SD = 20, 600, 4, 0.5, 200.0
WORLDS, FAIR = 20, 200
CHECKS = ("deals", "seats", "refit", "foretold", "halves", "times", "gate", "twins")
HELPED, TWIN = 0, 1  # the bot that a fault favours, and the same under another name, which never meets it


@dataclass(frozen=True)
class Ladder:
    """What a site shows of a ladder: its sets, how many it dealt, how it fits and prints them, and its gate."""

    ledger: Ledger
    dealt: int
    links: int = 0  # used without a set
    fitted: FitOf = fit_of
    printed: FitOf = fit_of
    gate: SequentialTest = field(default_factory=lambda: NAMED["gain"])


Elos = dict[int, float]
Strength = Callable[[Elos, int], Mapping[int, float]]  # by the number of the set


def same(elos: Elos, _: int) -> Elos:
    return elos


def played(draw: Random, strength: Strength = same, sets: int = SETS) -> Ladder:
    elos = {bot: 1500 + draw.gauss(0, SD) for bot in range(BOTS)} | {HELPED: 1500.0, TWIN: 1500.0}
    numbers = range(1, sets + 1)
    dealt = [one_set(strength(elos, number), number, _table(draw), draw, DEAL) for number in numbers]
    versions = {bot: Version(f"bot {bot}") for bot in elos}
    return Ladder(Ledger("planted", "zaibatsu", dealt, versions), sets)


def _table(draw: Random) -> list[int]:
    while {HELPED, TWIN} <= {*(table := draw.sample(range(BOTS), SEATS))}:
        pass
    return table


def favoured_in_seats(draw: Random) -> Ladder:
    """The bot sits in the first seat whenever it would sit in the last."""
    ladder = played(draw)
    return replace(ladder, ledger=replace(ladder.ledger, sets=[_seated(one) for one in ladder.ledger.sets]))


def _seated(one: RatedSet) -> RatedSet:
    return RatedSet(one.number, [_swapped(game) if game.versions[-1] == HELPED else game for game in one.games])


def _swapped(game: Game) -> Game:
    order = [SEATS - 1, *range(1, SEATS - 1), 0]
    parts = ([part[seat] for seat in order] for part in (game.versions, game.places, game.forfeits, game.scores))
    return Game(*map(tuple, parts))


def favoured_on_one_machine(draw: Random) -> Ladder:
    """The bot is 250 Elo better in every other set."""
    return played(draw, lambda elos, number: {**elos, HELPED: elos[HELPED] + 250 * (number % 2)})


def favoured_everywhere(draw: Random) -> Ladder:
    return played(draw, lambda elos, _: {**elos, HELPED: elos[HELPED] + 250})


def another_favoured(draw: Random) -> Ladder:
    return played(draw, lambda elos, _: {**elos, 2: elos[2] + 250})


def _lost(draw: Random) -> tuple[Ladder, list[RatedSet]]:
    ladder = played(draw)
    bad = [one for one in ladder.ledger.sets if _went_badly(one)]
    return ladder, [one for one in ladder.ledger.sets if one not in bad]


def _went_badly(one: RatedSet) -> bool:
    places = [game.places[game.versions.index(HELPED)] for game in one.games if HELPED in game.versions]
    return sum(place > SEATS // 2 for place in places) > SEATS // 2


def lost_sets(draw: Random) -> Ladder:
    """Sets that go badly for the bot are dropped."""
    ladder, kept = _lost(draw)
    return replace(ladder, ledger=replace(ladder.ledger, sets=kept))


def renumbered_sets(draw: Random) -> Ladder:
    """They are dropped, and what follows takes their numbers."""
    ladder, kept = _lost(draw)
    sets = [RatedSet(number, one.games) for number, one in enumerate(kept, 1)]
    return Ladder(replace(ladder.ledger, sets=sets), len(kept), ladder.dealt - len(kept))


def _stretched(ledger: Ledger) -> Fit:
    fit = fit_of(ledger)
    return replace(fit, elo={version: fit.zero + 1.3 * (elo - fit.zero) for version, elo in fit.elo.items()})


def wrong_scale(draw: Random) -> Ladder:
    """All ratings lie 1.3 times as far apart as results do, by the rules themselves."""
    return replace(played(draw), fitted=_stretched, printed=_stretched)


def other_table(draw: Random) -> Ladder:
    """The site shows ratings that are not those of its ledger."""
    return replace(played(draw), printed=_helped_in_print)


def _helped_in_print(ledger: Ledger) -> Fit:
    fit = fit_of(ledger)
    return replace(fit, elo={**fit.elo, HELPED: fit.elo[HELPED] + 0.3})


def false_gate(draw: Random) -> Ladder:
    """The gate accepts on a quarter of the evidence."""
    return replace(played(draw), gate=replace(NAMED["gain"], alpha=0.25))


def learning_bots(draw: Random) -> Ladder:
    """Every third bot gains 200 Elo over the season."""
    return played(
        draw, lambda elos, number: {bot: elo + 200 * number / SETS * (bot % 3 == 0) for bot, elo in elos.items()}
    )


FAULTS: dict[str, tuple[Callable[[Random], Ladder], set[str]]] = {  # and the checks that find it
    "a bot favoured in its seats": (favoured_in_seats, {"seats"}),
    "a bot favoured by 250 Elo on one of two machines": (favoured_on_one_machine, {"halves"}),
    "a twin favoured by 250 Elo everywhere": (favoured_everywhere, {"twins"}),
    "another bot favoured by 250 Elo everywhere": (another_favoured, set()),
    "sets lost that went badly for a bot": (lost_sets, {"deals"}),
    "the same, and the others renumbered": (renumbered_sets, {"deals"}),
    "a scale of 1.3 in the rules": (wrong_scale, {"foretold"}),
    "a table that is 0.3 Elo off for a bot": (other_table, {"refit"}),
    "a gate that accepts too early": (false_gate, {"gate"}),
    "bots that learn, by 200 Elo in a season": (learning_bots, {"times"}),
}


def found_in(ladder: Ladder) -> set[str]:
    """Return the checks that find something."""
    numbers = {one.number for one in ladder.ledger.sets}
    missing = sorted(set(range(1, ladder.dealt + 1)) - numbers)
    dealt = Dealt(ladder.dealt, len(numbers), 0, 0, [], missing, ladder.links)
    # The rules are the script's, too: one that is wrong in both is no difference.
    script = ladder.fitted if ladder.fitted is ladder.printed else fit_of
    lines = [[f"{bot} {elo:.1f}" for bot, elo in fit(ladder.ledger).elo.items()] for fit in (ladder.printed, script)]
    checks = [deals_check(dealt), refit_check(len(numbers), *lines)]
    checks += statistical_checks(ladder.ledger, ladder.fitted, ladder.gate, (HELPED, TWIN))
    return {check.name for check in checks if check.state == FOUND}


def claim(seed: int) -> list[Row]:
    """Return how many of the worlds of each fault each check finds."""
    alarms = [found_in(played(Random(f"fair {seed} {world}"))) for world in range(FAIR)]
    rows = [Row("a fair ladder", f"at most 3 of {FAIR}", _counts(alarms), sum(map(bool, alarms)) <= 3)]
    for name, (plant, finders) in FAULTS.items():
        found = [found_in(plant(Random(f"{name} {seed} {world}"))) for world in range(WORLDS)]
        claimed = "".join(f"{finder}, 9 of 10" for finder in finders) or "none"
        rows.append(Row(name, claimed, _counts(found), sum(finders <= one for one in found) >= 0.9 * WORLDS))
    return rows


def _counts(found: list[set[str]]) -> str:
    counts = {name: sum(name in one for one in found) for name in CHECKS}
    return ", ".join(f"{name} {count} of {len(found)}" for name, count in counts.items() if count) or "none"
