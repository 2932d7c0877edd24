"""The best operation of a conglomerate, found exactly.

Resources come in three levels and flow upwards only, so companies can run together if and only if, for every set of
resources of one level, the symbols that can give one of the set are at least as many as the inputs that ask for one
(Hall's theorem; it settles the split symbols too). There are twelve such sets, and all counts add up: a company is
one whole number of twelve 8-bit fields, its outputs minus its inputs, and "can run" is "no field is negative".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple

from engine.games.zaibatsu.pieces import CARDS, COMPANIES, EITHER
from engine.records import Record

SETS: Final = ("R", "Y", "G", "RY", "YG", "RG", "RYG", "O", "K", "OK", "W", "B")


def fields(symbols: str) -> int:
    """For each of the twelve sets, how many of `symbols` are or can become one of the set."""
    kinds = [set(EITHER.get(symbol, symbol)) for symbol in symbols]
    return sum(sum(not kind.isdisjoint(group) for kind in kinds) << 8 * at for at, group in enumerate(SETS))


SIGNS: Final = sum(0x80 << 8 * at for at in range(len(SETS)))


@dataclass(slots=True, frozen=True)
class Operation(Record):
    """What runs: its score, the companies, and what each running company with split outputs makes, such as "RY"."""

    score: int
    operating: tuple[str, ...]
    splits: dict[str, str]


class Recipe(NamedTuple):
    """Companies with the same inputs, outputs and score are one recipe."""

    score: int
    gives: int
    net: int  # gives minus takes


def _recipe(inputs: str, outputs: str, score: int) -> Recipe:
    return Recipe(score, fields(outputs), fields(outputs) - fields(inputs))


RECIPES: Final = {company.id: _recipe(company.inputs, company.outputs, company.score) for company in COMPANIES}
Count = tuple[Recipe, int]


@lru_cache(maxsize=1 << 16)
def _best(cards: tuple[str, ...]) -> Operation:
    """See `best`; `cards` are sorted."""
    mines = [card for card in cards if card[0] == "M"]
    supply = sum(RECIPES[card].net for card in mines)
    score, chosen = _choose(supply, _counts(cards, "P"), _counts(cards, "FA"))
    left = dict(chosen)
    operating = list(mines)
    for card in cards:
        if left.get(RECIPES[card], 0):
            left[RECIPES[card]] -= 1
            operating.append(card)
    return Operation(3 * len(mines) + score, tuple(sorted(operating)), _splits(operating))


def best(cards: Iterable[str]) -> Operation:
    """The operation of `cards` with the highest score, without regard to their order."""
    return _best(tuple(sorted(cards)))


def _counts(cards: Iterable[str], kinds: str) -> tuple[Count, ...]:
    found: dict[Recipe, int] = {}
    for kind in kinds:
        for card in cards:
            if card[0] == kind:
                found[RECIPES[card]] = found.get(RECIPES[card], 0) + 1
    return tuple(found.items())


class Run(NamedTuple):
    """Some companies run together: their score and what they leave."""

    score: int
    net: int
    counts: tuple[int, ...]


def _choose(supply: int, low: tuple[Count, ...], top: tuple[Count, ...]) -> tuple[int, list[tuple[Recipe, int]]]:
    """The best choice of intermediate (`low`) and higher (`top`) companies that `supply` of basics can feed."""
    lows = _lows(low)
    most = lows[0].score
    promised = supply + sum(recipe.gives * count for recipe, count in low)
    found, chosen = -1, (lows[0], lows[0])
    for upper in _tops(promised, top):
        if upper.score + most <= found:
            break
        net = upper.net - promised + supply + SIGNS
        for lower in lows:
            if upper.score + lower.score <= found:
                break
            if (net + lower.net) & SIGNS == SIGNS:
                found, chosen = upper.score + lower.score, (lower, upper)
                break
    recipes = [recipe for recipe, _ in (*low, *top)]
    return found, list(zip(recipes, chosen[0].counts + chosen[1].counts, strict=True))


@lru_cache(maxsize=1 << 10)
def _lows(low: tuple[Count, ...]) -> list[Run]:
    """Every choice of intermediate companies, the highest score first."""
    runs = [
        Run(
            sum(recipe.score * n for (recipe, _), n in zip(low, counts, strict=True)),
            sum(recipe.net * n for (recipe, _), n in zip(low, counts, strict=True)),
            counts,
        )
        for counts in product(*(range(count + 1) for _, count in low))
    ]
    return sorted(runs, key=lambda run: -run.score)


def _tops(promised: int, top: tuple[Count, ...]) -> list[Run]:
    """Every choice of higher companies that could be fed if all lower ones ran, the highest score first.

    All outputs are promised beforehand; a company that is left idle takes its promise back.
    """
    runs = [Run(0, promised + sum(recipe.gives * count for recipe, count in top), ())]
    for recipe, count in top:
        runs = [more for run in runs for more in _extend(run, recipe, count)]
    return sorted(runs, key=lambda run: -run.score)


def _extend(run: Run, recipe: Recipe, count: int) -> Iterator[Run]:
    takes = recipe.gives - recipe.net
    for n in range(count + 1):
        net = run.net - recipe.gives * (count - n) - takes * n
        if (net + SIGNS) & SIGNS == SIGNS:
            yield Run(run.score + recipe.score * n, net, (*run.counts, n))


def _splits(operating: Iterable[str]) -> dict[str, str]:
    """Settle split outputs company by company, always so that all can still run."""
    net = SIGNS + sum(RECIPES[card].net for card in operating)
    out: dict[str, str] = {}
    for card in sorted(card for card in operating if CARDS[card].flexible):
        net -= RECIPES[card].gives
        out[card] = next(made for made in _made(card) if (net + fields(made)) & SIGNS == SIGNS)
        net += fields(out[card])
    return out


def _made(card: str) -> list[str]:
    outputs = CARDS[card].outputs
    return ["".join(made) for made in combinations_with_replacement(EITHER[outputs[0]], len(outputs))]
