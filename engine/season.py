"""The deals of a season's file: every seed against its commitment, its link and the announced chain; every replay that
is in the file played again.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.dice import commitment
from engine.records import Record, from_plain, show
from engine.replay import Replay, ReplayError, read_replay, verify
from engine.season_file import Season, SeasonError
from engine.season_fingerprint import fingerprint
from engine.seeds import Proof, ProofError, check_deal, check_numbers


@dataclass(slots=True)
class PlayedSeat(Record):
    """Who sat there, and how that seat fared."""

    version: int
    score: int | None
    place: int | None
    forfeited: bool


@dataclass(slots=True)
class PlayedMatch(Record):
    """`digest`: of its replay; "" for one that was not played, or whose replay is gone."""

    match: int
    status: str
    digest: str
    seats: list[PlayedSeat]


@dataclass(slots=True)
class Deal(Record):
    """A set, with what its seed is made of. `proof`: None while its link would tell deals still played."""

    set: int
    number: int | None
    kind: str
    round: int | None
    pairing: str
    game: str
    rules: int
    options: dict[str, object]
    status: str
    rated: bool
    seed: str
    commitment: str
    bundles: list[str]
    proof: Proof | None
    matches: list[PlayedMatch]

    @property
    def name(self) -> str:
        return f"set {self.set}" + (f" (number {self.number} of the ladder)" if self.number else "")


def deals_of(season: Season) -> Iterator[Deal]:
    for name in season.names("sets"):
        yield from season.rows(name, _deal)


def _deal(plain: object) -> Deal:
    deal: Deal = from_plain(Deal, plain, "set")
    return deal


@dataclass(slots=True)
class Checked:
    """What was found so far. `links`: by anchor."""

    season: Season
    deals: int = 0
    proven: int = 0
    replays: int = 0
    links: dict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))

    def look(self, deal: Deal) -> None:
        if commitment(deal.seed) != deal.commitment:
            reason = f"the commitment {show(deal.commitment, 80)} is not the SHA-256 of the seed {show(deal.seed, 80)}"
            raise SeasonError("other_commitment", f"{deal.name}: {reason}")
        self.deals += 1
        if deal.proof:
            self._prove(deal, deal.proof)
        for match in deal.matches:
            if f"replays/{match.match}.json.gz" in self.season.head["members"]:
                self._play(deal, match)

    def _prove(self, deal: Deal, proof: Proof) -> None:
        try:
            check_numbers(proof)
            check_deal(proof, deal.seed, deal.bundles)
        except ProofError as error:
            raise SeasonError(error.code, f"{deal.name}: {error.detail}") from None
        other = self.links[proof.anchor].setdefault(proof.number, deal.name)
        if other != deal.name:
            raise SeasonError("link_twice", f"{deal.name} and {other} are dealt from the same link, {proof.number}")
        self.proven += 1

    def _play(self, deal: Deal, match: PlayedMatch) -> None:
        try:
            replay = read_replay(self.season.read(f"replays/{match.match}.json.gz"))
            if wrong := _of_another(deal, match, replay):
                raise SeasonError("other_replay", f"match {match.match} of {deal.name}: {wrong}")
            verify(replay)
        except ReplayError as error:
            raise SeasonError(error.code, f"match {match.match} of {deal.name}: {error.detail}") from None
        self.replays += 1

    def end(self) -> None:
        """Check that every chain was announced, and that of a ladder no deal was left out."""
        announced = set(self.season.rows("log.jsonl", lambda act: act["detail"].get("anchor")))
        for anchor, links in self.links.items():
            if anchor not in announced:
                raise SeasonError("not_announced", f"log.jsonl announces no chain with the anchor {anchor}")
            if self.season.head["kind"] == "ladder":
                self._all_links(anchor, links)

    def _all_links(self, anchor: str, links: dict[int, str]) -> None:
        elsewhere = self.season.head.get("other_links", {}).get(anchor, [])
        missing = {*range(1, max(links) + 1)} - {*links} - {*elsewhere}
        if missing:
            raise SeasonError(
                "missing_deal", f"link {min(missing)} of the chain {anchor} is of no deal here: one was left out"
            )


def _of_another(deal: Deal, match: PlayedMatch, replay: Replay) -> str:
    """The first thing in the replay that is not of this match, in a sentence; "" where all is."""
    result, seats = replay.result, match.seats
    bundles = sorted(player.bundle for player in replay.players)
    pairs = (
        ("digest", match.digest, replay.digest),
        ("seed", deal.seed, replay.seed),
        ("game", deal.game, replay.game),
        ("rules", deal.rules, replay.rules),
        ("options", deal.options, replay.options),
        ("bundles", sorted(deal.bundles), bundles),
        ("places", [seat.place for seat in seats], list(result.places)),
        ("scores", [seat.score for seat in seats], list(result.scores)),
        ("forfeits", [seat.forfeited for seat in seats], [bool(forfeited) for forfeited in result.forfeits]),
    )
    wrong = next(((name, expected, played) for name, expected, played in pairs if expected != played), None)
    return f"its {wrong[0]} is {show(wrong[1], 100)}, and the replay has {show(wrong[2], 100)}" if wrong else ""


def check_season(season: Season) -> list[str]:
    """Return sentences, one for each thing that holds. Raises SeasonError with the first that does not."""
    checked = Checked(season)
    for deal in deals_of(season):
        checked.look(deal)
    checked.end()
    waiting = checked.deals - checked.proven
    replays = f"{checked.replays} replays play again to their results"
    return [
        f"holds: {checked.deals} commitments are those of their seeds",
        f"holds: {checked.proven} seeds are made of their links, beacons and bundles, each link once",
        *(f"says: chain {anchor}, links up to {max(links)}" for anchor, links in sorted(checked.links.items())),
        *([f"says: of {waiting} deals there is no proof"] if waiting else []),
        f"holds: {replays}" if checked.replays else "says: no replays are in the file; matches have their digests",
        f"says: the season is {season.print}",
        f"says: its fingerprint, which an entry of the site's log has, is {fingerprint(season)}",
    ]
