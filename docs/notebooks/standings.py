"""The standings of a ladder out of its dump: the formulas of docs/ratings.md, with the standard library alone.

    curl -O $SITE/docs/files/notebooks/standings.py
    python3 standings.py $SITE/data/main/

Nothing of Boardroom is imported. Matrices are whole here, so it is for some hundred versions; for thousands there is
`python3 -m tournaments.ratings` in a checkout, which gives the same digits.
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Any
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

Q = log(10) / 400  # natural units in one Elo
UNIT = 10_080  # of weights and credits: with it all of them are whole numbers
LATEST = 20_000  # sets that tell how much luck is in sets
CI95 = NormalDist().inv_cdf(0.975)
Vector = list[float]
Matrix = list[Vector]
Credits = dict[tuple[int, int], tuple[float, float]]  # of each pair: the weight of its games, what the first took


def lines_of(data: str) -> list[dict[str, Any]]:
    """The ledger, held to the hash in the manifest."""
    manifest, packed = (fetched(f"{data.rstrip('/')}/{name}") for name in ("manifest.json", "ledger.jsonl.gz"))
    text = gzip.decompress(packed)
    if sha256(text).hexdigest() != json.loads(manifest)["ledger_sha256"]:
        sys.exit("The ledger is not that of the manifest: a dump was made just now. Try again.")
    return [json.loads(line) for line in text.splitlines()]


def fetched(address: str) -> bytes:
    here = urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")  # which no proxy reaches
    opener = build_opener(*[ProxyHandler({})] * here)
    with opener.open(address) as answer:
        found: bytes = answer.read()
    return found


class Standings:
    """The formulas of the page, in its order; `v`, `m`, `g`, `phi` and so on are its letters."""

    def __init__(self, lines: Sequence[dict[str, Any]]) -> None:
        self.head = lines[0]
        versions = {line["version"]: dict(line) for line in lines if "version" in line}
        sets = sorted((line for line in lines if "set" in line), key=lambda one: one["set"])
        self.shown_by = former_players(versions, sets, self.head.get("fresh"))
        self.q = Q / (self.head.get("scale", 1000) / 1000)
        self.link = (100 * self.q) ** -2  # between a version and its forerunner
        self.versions = [one for _, one in sorted(versions.items())]
        self.at = {one["version"]: row for row, one in enumerate(self.versions)}
        self.size = len(self.versions)
        self.sets = [self.credits_of(one["games"]) for one in sets]
        self.older = [None if (old := one["forerunner"]) is None else self.at[old] for one in self.versions]
        self.links = [(new, old) for new, old in enumerate(self.older) if old is not None]
        prior = (self.head.get("prior_sd", 350) * self.q) ** -2
        self.prior = [prior if old is None else 0.0 for old in self.older]
        self.x = self.square()
        for played in self.sets:
            for (i, j), (weight, taken) in played.items():
                self.x[i][j] += taken
                self.x[j][i] += weight - taken
        self.groups = self.connected()

    def square(self) -> Matrix:
        return [[0.0] * self.size for _ in range(self.size)]

    def credits_of(self, games: Sequence[dict[str, Any]]) -> Credits:
        whole = 3 * UNIT // (len(games[0]["versions"]) + 1)
        return {
            (self.at[a], self.at[b]): (
                len(games) * whole / UNIT,
                sum(taken(game, a, b, whole, self.head["margin"]) for game in games) / UNIT,
            )
            for a, b in combinations(sorted(games[0]["versions"]), 2)
        }

    def connected(self) -> list[list[int]]:
        """The groups: versions that games or links connect."""
        near = defaultdict[int, set[int]](set)
        for i, j in [*self.links, *(pair for played in self.sets for pair in played)]:
            near[i].add(j)
            near[j].add(i)
        left, found = set(range(self.size)), []
        while left:
            group, fresh = set[int](), {min(left)}
            while fresh:
                group |= fresh
                fresh = {j for i in fresh for j in near[i]} - group
            left -= group
            found.append(sorted(group))
        return found

    def rate(self) -> None:
        """The maximum of the likelihood, by Newton's method."""
        self.t, longest = [0.0] * self.size, 1.0
        while longest > 1e-10:
            inverse = self.bend()
            step = times(inverse, self.uphill())
            longest = max(map(abs, step), default=0.0)
            self.t = [t + s / max(1.0, longest) for t, s in zip(self.t, step, strict=True)]
        self.g = self.variances(1.0, 0.0)
        self.disperse()
        variances, pull = self.variances(self.phi, self.clash2), self.pull(self.bend())
        self.sd = [sqrt(variance + b * b) / self.q for variance, b in zip(variances, pull, strict=True)]
        self.chance_sd = [sqrt(variance) / self.q for variance in variances]
        if self.head["ledger"] < 3:  # of rules 2
            self.chance_sd = self.sd
        apart = [
            one["anchor"] - t / self.q
            for one, t in zip(self.versions, self.t, strict=True)
            if one["anchor"] is not None
        ]
        self.elo = [(sum(apart) / len(apart) if apart else 1500.0) + t / self.q for t in self.t]
        for version, former in self.shown_by.items():
            row, of = self.at[version], self.at[former]
            for numbers in (self.elo, self.sd, self.chance_sd):
                numbers[row] = numbers[of]
        self.elo = [max(elo, one.get("floor", elo)) for one, elo in zip(self.versions, self.elo, strict=True)]

    def bend(self) -> Matrix:
        """v and m where the ratings stand, and the inverse of H."""
        odds = [exp(t) for t in self.t]
        self.v = [
            [(x + self.x[j][i]) * odds[i] * odds[j] / (odds[i] + odds[j]) ** 2 for j, x in enumerate(row)]
            for i, row in enumerate(self.x)
        ]
        self.m = [sum(row) for row in self.v]
        curvature = [[-pull for pull in row] for row in self.v]
        for i in range(self.size):
            curvature[i][i] = self.m[i] + self.prior[i]
        return inverted(self.linked(curvature))

    def linked(self, matrix: Matrix) -> Matrix:
        for new, old in self.links:
            for i, j in ((new, old), (old, new)):
                matrix[i][i] += self.link
                matrix[i][j] -= self.link
        return matrix

    def uphill(self) -> Vector:
        """What each took over what was expected, less the pull of prior and links."""
        p = [[1 / (1 + exp(theirs - mine)) for theirs in self.t] for mine in self.t]
        found = [
            sum(x - (x + self.x[j][i]) * p[i][j] for j, x in enumerate(row)) - self.prior[i] * self.t[i]
            for i, row in enumerate(self.x)
        ]
        for new, old in self.links:
            found[new] -= self.link * (self.t[new] - self.t[old])
            found[old] += self.link * (self.t[new] - self.t[old])
        return found

    def variances(self, phi: float, clash2: float) -> Vector:
        """Quasi-variances; what passes along the links is what inverting their matrix does."""
        known = self.prior.copy()
        for group in self.groups:
            self.tell([i for i in group if self.m[i]], phi, clash2, known)
        matrix = self.square()
        for i, precision in enumerate(known):
            matrix[i][i] = precision
        inverse = inverted(self.linked(matrix))
        return [inverse[i][i] for i in range(self.size)]

    def tell(self, here: Sequence[int], phi: float, clash2: float, known: Vector) -> None:
        """P of those in a group that played."""
        count = len(here)
        k = sum(self.m[i] for i in here) / (count * (count - 1)) if here else 0.0
        kin = [sum(i in pair for pair in self.links) for i in range(self.size)]
        d = {i: self.m[i] + k + phi * (self.prior[i] + self.link * kin[i]) for i in here}
        for i in here:
            s = sum((k - self.v[i][j]) ** 2 / d[j] for j in here if j != i) / d[i]
            f = max(0.0, sum((v / self.m[i]) ** 2 for v in self.v[i]) - 1 / (count - 1))
            prior = phi * self.prior[i]
            own = (self.m[i] + k + prior) / (1 + s) / phi
            known[i] = 1 / (1 / own + clash2 * f * (self.m[i] / (self.m[i] + prior)) ** 2)

    def disperse(self) -> None:
        """phi and clash, by the latest sets."""
        squares = information = fitting = over = known = 0.0
        met = defaultdict[tuple[int, int], list[tuple[float, float]]](list)
        for played in self.sets[-LATEST:]:
            r, v, apart = (defaultdict[int, float](float) for _ in range(3))
            for pair, surprise, told in self.surprises(played):
                met[pair].append((surprise, told))
                for i, sign in zip(pair, (1, -1), strict=True):
                    r[i] += sign * surprise
                    v[i] += told
                    apart[i] += told**2
            squares += sum(missed**2 for missed in r.values())
            information += sum(v.values())
            fitting += sum(self.g[i] * (v[i] ** 2 + apart[i]) for i in v)
        self.phi = (squares + 20) / (max(0.0, information - fitting) + 20)
        for (i, j), found in met.items():
            of_r, of_v = map(crossed, zip(*found, strict=True))
            known += of_v
            over += of_r + self.phi * of_v * (self.g[i] + self.g[j])
        self.clash2 = max(0.0, over - self.phi * sqrt(2 * known)) / (known + 20)

    def surprises(self, played: Credits) -> Iterator[tuple[tuple[int, int], float, float]]:
        for (i, j), (weight, taken) in played.items():
            p = 1 / (1 + exp(self.t[j] - self.t[i]))
            yield (i, j), taken - weight * p, weight * p * (1 - p)

    def pull(self, inverse: Matrix) -> Vector:
        """How far the prior draws, from the mean of each one's group."""
        b = times(inverse, [prior * t for prior, t in zip(self.prior, self.t, strict=True)])
        for group in self.groups:
            mean = sum(b[i] for i in group) / len(group)
            for i in group:
                b[i] -= mean
        return b

    def lines(self) -> Iterator[tuple[int | None, str, float, float]]:
        """Rank, version, Elo and ± of all that are listed, the best first; alike in what is shown is alike in rank."""
        order = sorted(range(self.size), key=lambda i: (-self.elo[i], self.sd[i], self.versions[i]["version"]))
        counted, first = 0, dict[float, int]()
        for i in order:
            one, elo, half = self.versions[i], round(self.elo[i], 1), round(CI95 * self.sd[i], 1)
            sure = round(CI95 * self.chance_sd[i], 1) <= 100
            if not one["listed"]:
                continue
            place, is_ranked = first.setdefault(elo, counted + 1), one.get("ranked", True)
            counted += is_ranked
            yield place if is_ranked and sure else None, f"{one['bot']} v{one['number']}", elo, half


def former_players(versions: dict[int, Any], sets: list[dict[str, Any]], fresh: int | None) -> dict[int, int]:
    """Put former players of versions that play again into versions and sets; return who is shown by which of them."""
    families, shown_by = defaultdict[int, list[int]](list), dict[int, int]()
    for version in versions:
        first = version
        while (old := versions[first]["forerunner"]) is not None:
            first = old
        families[first].append(version)
    for family in (one for one in families.values() if fresh is not None and len(one) > 1):
        now = [version for version in family if versions[version]["listed"] and versions[version]["anchor"] is None]
        numbers = {
            version: [one["set"] for one in sets if version in one["games"][0]["versions"]] for version in family
        }
        others = [number for version in family if version not in now for number in numbers[version]]
        if len(now) != 1 or min(numbers[now[0]], default=0) >= (last := max(others, default=0)) or not numbers[now[0]]:
            continue
        former = -(last * 2**40 + now[0])
        versions[former] = {**versions[now[0]], "version": former, "listed": False, "forerunner": None}
        for version in family:
            versions[version]["forerunner"] = former
        counts = sum(number > last for number in numbers[now[0]]) >= (fresh or 0)
        shown_by |= {version: former for version in family if version != now[0] or not counts}
        for position, one in enumerate(sets):
            table = one["games"][0]["versions"]
            if one["set"] <= last and sum(version in family for version in table) == 1:
                sets[position] = {**one, "games": [renamed(game, family, former) for game in one["games"]]}
    return shown_by


def renamed(game: dict[str, Any], family: Sequence[int], former: int) -> dict[str, Any]:
    return {**game, "versions": [former if version in family else version for version in game["versions"]]}


def taken(game: dict[str, Any], a: int, b: int, whole: int, margin: int) -> int:
    """What version `a` takes from `b` in one game."""
    one, other = game["versions"].index(a), game["versions"].index(b)
    places, forfeits, scores = game["places"], game["forfeits"], game["scores"]
    ahead = (places[one] < places[other]) - (places[one] > places[other])
    if not margin or forfeits[one] or forfeits[other]:
        return int(whole // 2 * (1 + ahead))
    lead = scores[one] - scores[other]
    by_score = whole // 4 * min(abs(lead), margin) // margin
    return int(whole // 2 + whole // 4 * ahead + (by_score if lead > 0 else -by_score))


def crossed(values: Sequence[float]) -> float:
    """The sum of the products of every two different ones, in both orders."""
    return sum(values) ** 2 - sum(value**2 for value in values)


def times(matrix: Matrix, vector: Sequence[float]) -> Vector:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def inverted(matrix: Matrix) -> Matrix:
    """Of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i and (factor := rows[j][i]):
                rows[j] = [value - factor * pivot for value, pivot in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]


if __name__ == "__main__":
    standings = Standings(lines_of(sys.argv[1]))
    standings.rate()
    for rank, name, elo, half in standings.lines():
        print(f"{rank or '-':>4} {elo:8.1f} ± {half:<6.1f} {name}")
