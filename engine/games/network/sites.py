"""Where can be built, as questions tell it: a list, or what stands for one until somebody looks at it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.games.network.pieces import Hex, Kind
from engine.records import Record


@dataclass(slots=True)
class Route(Record):
    """Hexes that are leased on the way; `pays` is what each share of these companies earns, `cost` the sum of it."""

    path: list[Hex]
    cost: int
    pays: dict[str, int]


@dataclass(slots=True)
class Site(Record):
    """A hex on which `company` can build up to `most` chips; `routes`, if any, are the shortest, the cheapest first."""

    company: int
    hex: Hex
    kind: Kind
    most: int
    routes: list[Route]


class Unread(Sequence[Site]):
    """Sites that are worked out when somebody looks at them."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def all(self) -> list[Site]:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.all())

    def __getitem__(self, index: Any) -> Any:
        return self.all()[index]

    def __iter__(self) -> Iterator[Site]:
        return iter(self.all())

    def __eq__(self, other: object) -> bool:
        return self.all() == (other.all() if isinstance(other, Unread) else other)


class OfCompany(Unread):
    """Those of one company; `chips` is how many it can build on each hex, by the hex's number."""

    __slots__ = ("chips",)
    chips: dict[int, int]

    def on(self, hex_: Hex) -> Site | None:
        """Return the one on that hex; the others are not looked at."""
        raise NotImplementedError


class Sites(Unread):
    """Those of several companies."""

    __slots__ = ("by_company",)

    def __init__(self, by_company: Mapping[int, Callable[[], OfCompany]]) -> None:
        self.by_company = by_company

    def all(self) -> list[Site]:
        return [site for find in self.by_company.values() for site in find().all()]

    def __bool__(self) -> bool:
        return bool(self.by_company)  # where there is none, nothing is to be worked out


def companies_of(sites: Sequence[Site]) -> list[int]:
    """Return the companies that can build."""
    return list(sites.by_company) if isinstance(sites, Sites) else sorted({site.company for site in sites})


def sites_for(sites: Sequence[Site], company: int) -> Sequence[Site]:
    """Return the sites of one company."""
    if isinstance(sites, Sites):
        return sites.by_company[company]() if company in sites.by_company else []
    return [site for site in sites if site.company == company]


def site_on(sites: Sequence[Site], hex_: Hex) -> Site | None:
    """Return the site on that hex, of one company's sites; None where it has none there."""
    return sites.on(hex_) if isinstance(sites, OfCompany) else next((site for site in sites if site.hex == hex_), None)


def legal_site(sites: Sequence[Site], hex_: Hex) -> Site:
    """Return the same where a legal answer names it, so that there is one."""
    site = site_on(sites, hex_)
    assert site
    return site
