"""The best operation of a conglomerate, found exactly.

Resources come in three levels and flow upwards only. So companies can run together if and only if, for every set of
resources of one level, the symbols that can give one of the set are at least as many as the inputs that ask for one
(Hall's theorem; it settles the split symbols too). There are twelve such sets, and the counts add up: a company is
one whole number of twelve 8-bit fields, its outputs minus its inputs, and "can run" is "no field is negative".
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from engine.games.zaibatsu.pieces import COMPANIES, EITHER, SCORES, Company
from engine.records import Record

SETS: Final = ("R", "Y", "G", "RY", "YG", "RG", "RYG", "O", "K", "OK", "W", "B")
LOW, MID, HIGH = (SCORES[kind] for kind in "PAF")
ALL_BASICS: Final = 8 * SETS.index("RYG")
ALL_MIDDLE: Final = 8 * SETS.index("OK")
# 128 is added to each field, so that none borrows from the next and its top bit says "not negative".
SIGNS: Final = sum(0x80 << 8 * field for field in range(len(SETS)))
BUT_MIDDLE: Final = sum(0x80 << 8 * field for field, group in enumerate(SETS) if group not in ("O", "K", "OK"))


@dataclass(slots=True, frozen=True)
class Operation(Record):
    """What runs: its score, the companies, and what each running company with split outputs makes, such as "RY"."""

    score: int
    operating: tuple[str, ...]
    splits: dict[str, str]


def best(cards: Iterable[str]) -> Operation:
    """Return the operation of `cards`, in any order, with the highest score. It is shared: do not change it."""
    return _best(tuple(sorted(cards)))


def field_counts(symbols: str) -> int:
    """Return the number of `symbols` that are or can become one of the set, for each of the twelve sets."""
    kinds = [set(EITHER.get(symbol, symbol)) for symbol in symbols]
    return sum(sum(not kind.isdisjoint(group) for kind in kinds) << 8 * field for field, group in enumerate(SETS))


# What each company adds when it runs. Companies of one kind with the same sum have the same recipe.
NET: Final = {company.id: field_counts(company.outputs) - field_counts(company.inputs) for company in COMPANIES}


def _ways(company: Company) -> list[tuple[str, int]]:
    """The results that the split outputs of `company` can have, and what it adds then."""
    made = combinations_with_replacement(EITHER[company.outputs[0]], len(company.outputs))
    return [("".join(symbols), field_counts("".join(symbols)) - field_counts(company.inputs)) for symbols in made]


WAYS: Final = {company.id: _ways(company) for company in COMPANIES if company.flexible}


class Choice(NamedTuple):
    """Some companies of one kind: what they add together, and how many run of each recipe held."""

    net: int
    counts: tuple[int, ...]


Held = tuple[tuple[int, int], ...]  # recipe, how many of it
NOTHING: Final = Choice(0, ())


@lru_cache(maxsize=1 << 13)
def _best(cards: tuple[str, ...]) -> Operation:
    mines, *held = (_held(cards, kind) for kind in "MPAF")
    chosen = _choose(SIGNS + sum(recipe * count for recipe, count in mines), *map(_choices, held))
    running = dict(mines)
    for kind, choice in zip(held, chosen, strict=True):
        running |= {recipe: n for (recipe, _), n in zip(kind, choice.counts, strict=True)}
    operating = tuple(_take(running, cards))
    return Operation(sum(SCORES[card[0]] for card in operating), operating, _splits(operating))


def _held(cards: Iterable[str], kind: str) -> Held:
    return tuple(Counter(NET[card] for card in cards if card[0] == kind).items())


def _take(running: dict[int, int], cards: Iterable[str]) -> Iterator[str]:
    """The first cards of each recipe, as many as run."""
    for card in cards:
        if running[NET[card]] > 0:
            running[NET[card]] -= 1
            yield card


@lru_cache(maxsize=1 << 8)
def _choices(held: Held) -> list[list[Choice]]:
    """The choices of companies of one kind, by how many run."""
    choices = [NOTHING]
    for recipe, count in held:
        choices = [Choice(net + recipe * n, (*ns, n)) for net, ns in choices for n in range(count + 1)]
    by_number: list[list[Choice]] = [[] for _ in range(1 + sum(count for _, count in held))]
    for choice in choices:
        by_number[sum(choice.counts)].append(choice)
    return by_number


class Plan(NamedTuple):
    """Some manufacturers, and how many advanced processors run beside them."""

    bound: int  # no more can be scored by it
    score: int  # without the intermediate processors, of which there may be `most`
    most: int
    advanced: int
    makers: Choice


Kind = list[list[Choice]]  # as `_choices` gives it


def _choose(supply: int, low: Kind, mid: Kind, high: Kind) -> tuple[Choice, Choice, Choice]:
    """The best intermediate, advanced and manufacturing companies that `supply` can feed."""
    highest, chosen = -1, (NOTHING, NOTHING, NOTHING)
    for plan in sorted(_plans(supply, low, mid, high), reverse=True):
        if plan.bound <= highest:
            break
        for advanced in mid[plan.advanced]:
            net = supply + plan.makers.net + advanced.net
            if net & BUT_MIDDLE != BUT_MIDDLE:
                continue
            numbers = range(plan.most, max(-1, (highest - plan.score) // LOW), -1)
            if fed := _feed(net, low, numbers):
                highest, chosen = plan.score + LOW * sum(fed.counts), (fed, advanced, plan.makers)
    return chosen


def _plans(supply: int, low: Kind, mid: Kind, high: Kind) -> Iterator[Plan]:
    """Plans that could be fed: a processor takes two basics, an advanced one the output of an intermediate one too."""
    for made, makers in ((made, makers) for made, group in enumerate(high) for makers in group):
        net = supply + makers.net
        pairs, owed = ((net >> ALL_BASICS & 0xFF) - 128) // 2, 128 - (net >> ALL_MIDDLE & 0xFF)
        for advanced in range(min(len(mid) - 1, pairs) + 1):
            most = min(len(low) - 1, pairs - advanced)
            if most >= advanced + owed:
                score = HIGH * made + MID * advanced
                yield Plan(score + LOW * most, score, most, advanced, makers)


def _feed(net: int, low: Kind, numbers: Iterable[int]) -> Choice | None:
    """The first choice of intermediates, among those that run in such `numbers`, with which all can run."""
    for number in numbers:
        for choice in low[number]:
            if (net + choice.net) & SIGNS == SIGNS:
                return choice
    return None


def _splits(operating: Iterable[str]) -> dict[str, str]:
    """Settle split outputs company by company, always so that all can still run."""
    net = SIGNS + sum(NET[card] for card in operating)
    out: dict[str, str] = {}
    for card in operating:
        if card in WAYS:
            net -= NET[card]
            out[card], added = next(made for made in WAYS[card] if (net + made[1]) & SIGNS == SIGNS)
            net += added
    return out
