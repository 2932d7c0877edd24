"""What the site's tests begin from, made by the real verbs: bots are uploaded and checked, sets paired and recorded.

Matches are played in this process by the engine, every seat answering at random but soundly; what a sandbox adds is
tested with the workers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from django.conf import settings

from bots.contest import sample_files
from engine.core import Seat
from engine.dice import Dice
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Prompt, Reply, Verdict, run_match
from engine.replay import Player, record, write_replay
from tests import checked
from tournaments.features.trials.rules import deal_trials, set_gate
from tournaments.ledger.competitors.uploads import create_bot, upload
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.ladders import classic_elo
from tournaments.ledger.ladders.official_fit import refit
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording import reports as recording
from tournaments.models import Bot, Ladder, Match, MatchSet, Trial, User, Version
from workers.identity import derive
from workers.orders import MatchOrder, Order, Report

SAMPLE = sample_files("zaibatsu")["random"].read_bytes()

numbers = count(1)


def a_user(name: str = "", *, staff: bool = False) -> User:
    name = name or f"user{next(numbers)}"
    return User.objects.create_user(name, password=f"the password of {name}", is_staff=staff)


def a_ladder(slug: str = "", *, players: int = 3, game: str = "zaibatsu", **fields: object) -> Ladder:
    rules = GAMES[game]
    slug = slug or f"ladder-{next(numbers)}"
    options = to_plain(rules.read_options({"players": players}))
    settings = {"slug": slug, "title": slug.title(), "game": game, "rules": rules.version, "options": options}
    return Ladder.objects.create(**{**settings, **fields})


def a_bot(owner: User | None = None, name: str = "") -> Bot:
    return create_bot(owner=owner or a_user(), game="zaibatsu", name=name or f"bot {next(numbers)}")


def a_new_bot() -> Bot:
    """Make a bot of somebody new, with a name that only it has: there is nothing to look at before."""
    return Bot.objects.create(owner=a_user(), game="zaibatsu", name=f"bot {next(numbers)}")


def an_upload(bot: Bot, data: bytes = b"") -> Version:
    """A version in check; no two have the same contents."""
    return upload(bot=bot, by=bot.owner, data=data or new_contents(), filename="bot.py")


def new_contents() -> bytes:
    return SAMPLE + f"NUMBER = {next(numbers)}\n".encode()


def a_version(bot: Bot | None = None, data: bytes = b"") -> Version:
    """An active version: uploaded, and its check played and recorded, if only as a copy of another of this process."""
    if data or not (bot is None or checked.is_new(bot)):
        return a_checked(bot or a_bot(), data)
    if checked.made:
        return checked.copied(bot or a_new_bot(), new_contents())
    version = a_checked(bot or a_bot(), data)
    checked.remember(version.pk)
    return version


def a_checked(bot: Bot, data: bytes = b"") -> Version:
    version = an_upload(bot, data)
    play_set(version.check_set)
    version.refresh_from_db()
    return version


def a_completed_set(
    ladder: Ladder, versions: list[Version], *, faults: Mapping[int, Verdict] | None = None
) -> MatchSet:
    """A set of these versions, played and recorded. `faults`, by version id: how a version fails in every match."""
    played = create_set(ladder=ladder, versions=[version.pk for version in versions])
    play_set(played, faults=faults)
    played.refresh_from_db()
    return played


def a_set_with_dice() -> MatchSet:
    """A short set of Corporate Gigabucks."""
    small = {"players": 2, "bidding": "proxy", "currency": 40, "spaces": 14, "max_rounds": 4}
    options = to_plain(GAMES["gigabucks"].read_options(small))
    return a_completed_set(a_ladder(game="gigabucks", options=options), [a_version(), a_version()])


def a_trial(champion: Version, *, sets: int, gate_test: str = "gain") -> Trial:
    """Make a trial of a new version against one that plays in a ladder, after so many sets."""
    set_gate(bot=champion.bot, gate="auto", gate_test=gate_test, by=champion.bot.owner)
    champion.bot.refresh_from_db()
    candidate = an_upload(champion.bot)
    play_set(candidate.check_set)
    for _ in range(sets):
        deal_trials()
        play_set(candidate.trial.sets.latest("pk"))
    return Trial.objects.select_related("ladder", "candidate__bot", "champion").get(candidate=candidate)


def play_set(played: MatchSet, *, faults: Mapping[int, Verdict] | None = None) -> list[str]:
    """Lease, play and record what waits of a set, and return the outcomes."""
    matches = claim(match_set=played)
    order = order_of_set(played, matches)
    return [recording.record_report(report) for report in reports(order, faults=faults)]


def reports(order: Order, *, faults: Mapping[int, Verdict] | None = None, answers: str = "") -> list[Report]:
    """Return what a worker would report of an order. `answers`: what they are drawn from, if not from the seats."""
    return [_report(order, match, faults or {}, answers) for match in order.matches]


def _report(order: Order, match: MatchOrder, faults: Mapping[int, Verdict], answers: str) -> Report:
    game = GAMES[order.game]
    versions = Match.objects.get(pk=match.match).seats.order_by("number").values_list("version", flat=True)
    failing = {seat: faults[version] for seat, version in enumerate(versions) if version in faults}
    table = AnyAnswers(Dice.of(f"{order.seed} {answers or match.seats}"), failing)
    options = game.read_options(order.options)
    played = run_match(game, options, order.seed, table, strikes=order.strikes)
    competitors = [order.competitors[index] for index in match.seats]
    players = [Player(competitor.name, competitor.version, competitor.bundle) for competitor in competitors]
    return Report(
        match=match.match,
        lease=match.lease,
        worker="tester/1",
        outcome="played",
        replay=write_replay(record(game, options, order.seed, players, played)),
        faults=played.faults,
        cpu_ms=[1.5] * options.players,
        memory_mb=[12.5] * options.players,
        seconds=0.25,
        tier="none",
        secret=match.secret,
    )


def hand_in(plain: object) -> str:
    """Send a report, as plain data, and return the outcome."""
    return recording.receive_report(plain)


def rate() -> int:
    """Take what is complete into the ratings, classic and fitted. Returns how many sets were new."""
    new = classic_elo.rate()
    for ladder in Ladder.objects.filter(ratings__isnull=False).distinct():
        refit(ladder=ladder)
    return new


@dataclass(slots=True)
class AnyAnswers:
    """A table at which every seat draws its answers and none resigns, but for those that fail."""

    dice: Dice
    failing: Mapping[Seat, Verdict]

    def ask(self, prompts: Mapping[Seat, Prompt]) -> Mapping[Seat, Reply]:
        return {seat: self._reply(seat, prompt) for seat, prompt in prompts.items()}

    def dismiss(self, seat: Seat) -> None:
        """Do nothing: nobody has to leave."""

    def _reply(self, seat: Seat, prompt: Prompt) -> Reply:
        if seat in self.failing:
            return Reply(verdict=self.failing[seat], ms=1.0, detail="it failed because the test wants it to")
        answer = to_plain(prompt.question.draw(self.dice))
        # Nobody resigns, so that every match has what its tests look for: one in 600 ended before the first roll.
        return Reply({**answer, "resign": False} if "resign" in answer else answer, 1.0)


def worker_token(name: str) -> str:
    """Return what a worker of the site's own of that name shows to the site."""
    return derive(name, settings.WORKER_TOKEN).token
