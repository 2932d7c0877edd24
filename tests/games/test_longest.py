"""No match is too long to be stored, whatever its bots answer: here with all that is legal, at the largest options.

Shangzhou-Gold is bounded by the referee alone: an answer may carry gifts and uses, and words that are dropped. That
Corporate Gigabucks is bounded by its own rules too is in test_gigabucks_exits.py.
"""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from engine.core import Question, Seat
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES, gigabucks, shangzhou
from engine.games.gigabucks import Bundle, Say
from engine.games.gigabucks.pieces import BUNDLES
from engine.games.shangzhou import Gift, Message, Offer, Use
from engine.games.shangzhou.pieces import DISPLAYED, OFFERS, TOOLS
from engine.games.shangzhou.questions import Asked
from engine.records import Record, to_plain
from engine.referee import ROOM, Prompt, Reply, run_match
from engine.replay import BIGGEST_FILE, Player, Replay, read_replay, record, verify, write_replay
from tests import thorough

HUGE: Final = -(2**53)
# By what the decisions of Corporate Gigabucks are divided, and with them the room of its answers and of its file.
PART: Final = thorough.budget(10, full=1)
LARGEST: Final[dict[str, dict[str, object]]] = {
    "zaibatsu": {"players": 4, "unsold": "carry", "piles": "closed"},
    "kaiju": {"players": 5, "kaiju_backwards": "attack", "reshuffle": "all", "max_turns": 200},
    "shangzhou": {
        "players": 4,
        "base_income": 10,
        "clout_goal": 100,
        "sector_goal": 64,
        "trade_windows": 2,
        "max_turns": 100,
        "max_bids": 100,
        "max_expansions": 100,
    },
    "gigabucks": {
        "players": 8,
        "currency": 10_000,
        "spaces": 100,
        "flexible_rounds": 3,
        "seating": "auction",
        "voluntary_retry": True,
        "talk": "typed",
        "max_decisions": 40_000 // PART,
    },
    "network": {"players": 6, "map": "large", "max_turns": 600},
}


def wordy(question: Question[Any], dice: Dice) -> Record:
    """An answer at random, such that the match goes on, with all that may go with it."""
    answer: Record = question.draw(dice)
    match question, answer:
        case (shangzhou.ToOffer(), shangzhou.Offers()):
            want = shangzhou.Goods(clout=-HUGE, hackers=-HUGE, viruses=-HUGE)
            answer.offers = [Offer(question.besides.to[0], shangzhou.Goods(), want)] * OFFERS
            return with_all(question, answer)
        case (shangzhou.ToBid(least=least), _):
            lot = least.index(min(least))
            return with_all(question, shangzhou.Bid(lot, least[lot]))
        case (shangzhou.ToExpand(valid=[_, *_] as valid), _):
            return with_all(question, shangzhou.Expand([dice.pick(valid)]))
        case (Asked(), shangzhou.Action()):
            return with_all(question, answer)
        case (gigabucks.ToOffer(corps=corps), gigabucks.Offer()):
            answer.menu = [Bundle([corps[-1]], -HUGE)] * BUNDLES
        case (gigabucks.ToBid(low=low), gigabucks.Bid()):
            answer.amount = low
        case (gigabucks.ToCut(low=low), gigabucks.Cut()):
            answer.by = low
    if isinstance(answer, gigabucks.Action) and isinstance(question, gigabucks.questions.Asked):
        answer.resign, answer.talk = False, [Say(HUGE, "suggest", '"' * 140)] * question.talk
    return answer


def with_all(question: Asked[Any], answer: shangzhou.Action) -> shangzhou.Action:
    """Return the answer with gifts, uses and words that are dropped, as none of them can be."""
    nothing = {"clout": HUGE, "hackers": HUGE, "viruses": HUGE, "templates": ["C"] * DISPLAYED}
    besides = question.besides
    answer.gifts = [Gift(to=HUGE, **nothing) for _ in besides.to]  # type: ignore[arg-type]
    answer.uses = [Use("hacker", HUGE)] * TOOLS
    answer.say = [Message('"' * 200, HUGE)] * besides.messages
    return answer


@dataclass
class Wordy:
    """All seats say all they can; or `first` alone, and the others when it is asked no more."""

    dice: Dice
    first: Seat | None = None
    last_asked: dict[Seat, int] = field(default_factory=dict)
    steps: int = 0

    def ask(self, prompts: Mapping[Seat, Prompt]) -> dict[Seat, Reply]:
        self.steps += 1
        self.last_asked.update(dict.fromkeys(prompts, self.steps))
        return {seat: Reply(to_plain(self.answer(seat, prompt.question)), 29_999.9) for seat, prompt in prompts.items()}

    def answer(self, seat: Seat, question: Question[Any]) -> Record:
        if self.first is None or seat == self.first or self.is_silent(self.first):
            return wordy(question, self.dice)
        answer: Record = question.default()
        return answer

    def is_silent(self, seat: Seat) -> bool:
        return self.steps > self.last_asked.get(seat, self.steps) + 50

    def dismiss(self, seat: Seat) -> None:
        raise AssertionError(f"seat {seat} has answered what is not legal")


def played(name: str, table: Wordy) -> Replay:
    game: AnyGame = GAMES[name]
    options = game.read_options(LARGEST[name])
    players = [Player("x" * 40, 99_999, "f" * 64)] * options.players
    return record(game, options, name, players, run_match(game, options, name, table))


def length(replay: Replay) -> int:
    return len(gzip.decompress(write_replay(replay)))


@pytest.mark.parametrize("name", GAMES)
def test_seats_that_answer_all_that_is_legal_leave_a_replay_that_can_be_read(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Z2.26, G-O8"""
    part = PART if name == "gigabucks" else 1
    monkeypatch.setattr("engine.referee.ROOM", ROOM // part)
    replay = played(name, Wordy(Dice.of(name)))
    assert set(replay.result.verdicts) == {"ok"}
    assert length(replay) < BIGGEST_FILE // part
    assert read_replay(write_replay(replay)) == replay


def test_who_took_more_than_an_even_part_is_asked_no_more_and_the_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Z2.26: nobody can take the others' part, and what is not asked is no fault."""
    monkeypatch.setattr("engine.referee.ROOM", 100_000)
    table = Wordy(Dice.of("one after the other"), first=0)
    replay = played("shangzhou", table)
    verify(read_replay(write_replay(replay)))
    assert set(replay.result.verdicts) == {"ok"}
    assert table.last_asked[0] < min(table.last_asked[seat] for seat in (1, 2, 3))
    assert length(replay) < 2 * 100_000 + length(by_default("shangzhou"))


def by_default(name: str) -> Replay:
    """The match in which nobody chooses anything."""
    return played(name, Wordy(Dice.of(name), first=99))


@pytest.mark.parametrize("name", ["zaibatsu", "kaiju", "shangzhou", "network"])
def test_the_room_of_a_match_and_a_match_of_defaults_fit_into_a_file(name: str) -> None:
    """Z2.26: each seat but one could go on to its part when all have taken ROOM together, and then come defaults."""
    by_defaults = by_default(name)
    seats = len(by_defaults.players)
    assert ROOM * (2 * seats - 1) // seats + length(by_defaults) + 100_000 < BIGGEST_FILE
