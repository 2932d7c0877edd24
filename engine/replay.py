"""A replay: rules version, options, seed, answers, milliseconds, result and the hash of the final position.

Nothing else is stored: every log, state and download is derived by playing it again. The file is one JSON object,
plain or gzipped:

    {"boardroom_replay": 1, "game": "zaibatsu", "rules": 1, "options": {...}, "seed": "...", "commitment": "...",
     "players": [{"name": ..., "version": ..., "bundle": ...}, ...],
     "answers": [[seat, action, ms], [seat, action, ms, "timed out"], ...],
     "result": {"scores": [...], "places": [...], "verdicts": [...], "forfeits": [...]},
     "position": "<BLAKE2b-256 of the final position>", "digest": "<BLAKE2b-256 of all the rest>"}
"""

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from engine.core import Event, IllegalAction, Match, Position, Question, Seat
from engine.dice import commitment
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.records import Record, RecordError, canonical, from_plain, show, to_plain
from engine.referee import MENDABLE, STANDS_IN, Played, Result, Verdict
from engine.seats import places

FORMAT = 1
BIGGEST_FILE = 16 << 20  # bytes, after unpacking


class ReplayError(Exception):
    """Why a replay cannot be read or does not hold. `code` is stable: not_a_replay, other_rules, differs, edited."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


@dataclass(slots=True)
class Player(Record):
    """Who sat at a seat: the bot's name, its version's number and the hash of its bundle ("" for one not uploaded)."""

    name: str
    version: int = 0
    bundle: str = ""


@dataclass(slots=True)
class Replay(Record):
    """The stored form of a match; `answers` are [seat, action, ms] or [seat, action, ms, fault], in order."""

    game: str
    rules: int
    options: dict[str, object]
    seed: str
    commitment: str
    players: list[Player]
    answers: list[object]
    result: Result
    position: str
    digest: str
    boardroom_replay: int = FORMAT


def record(game: AnyGame, options: Options, seed: str, players: Sequence[Player], played: Played) -> Replay:
    """The replay of a match just played."""
    answers: list[object] = [
        [a.seat, to_plain(a.action), round(a.ms, 1), *([a.fault] if a.fault else [])] for a in played.answers
    ]
    head = (game.name, game.version, to_plain(options), seed, commitment(seed), list(players))
    replay = Replay(*head, answers, played.result, hash_of(played.at), "")
    replay.digest = _digest(replay)
    return replay


def hash_of(value: object) -> str:
    """BLAKE2b-256 (hex) of the canonical JSON of a record or plain data."""
    return blake2b(canonical(value).encode(), digest_size=32).hexdigest()


def _digest(replay: Replay) -> str:
    plain = to_plain(replay)
    del plain["digest"]
    return hash_of(plain)


def write(replay: Replay) -> bytes:
    """The file: gzipped JSON, the same bytes for the same replay."""
    return gzip.compress(json.dumps(to_plain(replay), separators=(",", ":")).encode(), mtime=0)


def read(data: bytes) -> Replay:
    """A replay from its file's bytes, plain or gzipped. Raises ReplayError(not_a_replay) with the reason."""
    try:
        plain = json.loads(_unpack(data))
    except (ValueError, RecursionError) as error:
        raise ReplayError("not_a_replay", f"not a replay: the file is not complete JSON ({error})") from None
    if not isinstance(plain, dict) or "boardroom_replay" not in plain:
        raise ReplayError("not_a_replay", 'not a replay: the JSON has no "boardroom_replay" field')
    if plain["boardroom_replay"] != FORMAT:
        raise ReplayError("not_a_replay", f"replay format {show(plain['boardroom_replay'])}; this engine reads {FORMAT}")
    try:
        return from_plain(Replay, plain, "replay")  # type: ignore[no-any-return]
    except RecordError as error:
        raise ReplayError("not_a_replay", f"not a replay: {error}") from None


def _unpack(data: bytes) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    unzip = zlib.decompressobj(wbits=31)
    try:
        out = unzip.decompress(data, BIGGEST_FILE)
    except zlib.error as error:
        raise ReplayError("not_a_replay", f"not a replay: the gzip data is damaged ({error})") from None
    if not unzip.eof:
        raise ReplayError("not_a_replay", f"not a replay: truncated, or larger than {BIGGEST_FILE} bytes when unpacked")
    return out


@dataclass(slots=True)
class Playback:
    """A replay played again, answer by answer. `forfeits` and `verdicts` follow from the faults met so far."""

    game: AnyGame
    options: Options
    match: Match[Position]
    step: int = 0
    verdicts: list[str] = field(default_factory=list)
    forfeits: list[bool] = field(default_factory=list)


def playback(replay: Replay) -> Playback:
    """The match at its first question. Raises ReplayError(other_rules) or (not_a_replay)."""
    if not (game := GAMES.get(replay.game)):
        raise ReplayError("other_rules", f"unknown game {show(replay.game)}; this engine plays {', '.join(GAMES)}")
    if replay.rules != game.version:
        raise ReplayError(
            "other_rules", f"played by rules version {replay.rules} of {game.name}; this engine has version {game.version}"
        )
    try:
        options = game.read_options(replay.options)
    except RecordError as error:
        raise ReplayError("not_a_replay", str(error)) from None
    return Playback(game, options, game.start(options, replay.seed), 0, ["ok"] * options.players, [False] * options.players)


def advance(replay: Replay, run: Playback) -> Mapping[Seat, Record]:
    """Apply the answers to what is asked now and return them. Raises ReplayError(differs) with the first difference."""
    answers: dict[Seat, Record] = {}
    for seat in sorted(run.match.questions):
        if run.step >= len(replay.answers):
            raise ReplayError("differs", f"answer {run.step} is missing: seat {seat} is asked")
        answers[seat] = _answer(run, seat, replay.answers[run.step])
        run.step += 1
    run.match.apply(answers)
    return answers


def _answer(run: Playback, seat: Seat, line: Any) -> Record:
    where = f"answer {run.step}"
    if not isinstance(line, list) or len(line) not in (3, 4) or line[0] != seat:
        raise ReplayError("differs", f"{where} must be [{seat}, action, ms], as seat {seat} is asked, not {show(line)}")
    try:
        action = run.match.read(seat, line[1])
    except IllegalAction as error:
        raise ReplayError("differs", f"{where}: {error}") from None
    _charge(run, seat, line[3] if len(line) == 4 else "", where, action, run.match.questions[seat])
    return action


def _charge(
    run: Playback, seat: Seat, fault: object, where: str, action: Record, question: Question[Record]
) -> None:
    """Count a fault, and hold the record to what a fault means: the default answered."""
    if run.forfeits[seat] and fault != STANDS_IN:
        raise ReplayError("differs", f"{where}: seat {seat} had forfeited, so only its default can stand here")
    if not fault:
        return
    if fault not in (STANDS_IN, *Verdict) or fault in (Verdict.OK, Verdict.OURS):
        raise ReplayError("differs", f"{where}: unknown fault {show(fault)}")
    if action != question.default():
        raise ReplayError("differs", f"{where}: after a fault the default stands, {canonical(question.default())}")
    if run.verdicts[seat] == "ok" and fault != STANDS_IN:
        run.verdicts[seat] = str(fault)
    run.forfeits[seat] |= fault not in MENDABLE
    # A seat forfeits after some strikes (the ladder's setting) or before the first question; STANDS_IN then tells so.


def verify(replay: Replay) -> Position:
    """Play it again and return the final position. Raises ReplayError with the first difference."""
    run = playback(replay)
    while not run.match.over:
        advance(replay, run)
    _agree("number of answers", len(replay.answers), run.step)
    _agree("number of players", len(replay.players), run.options.players)
    scores = run.game.scores(run.match.at)
    _agree("scores", replay.result.scores, scores)
    _agree("places", replay.result.places, places(scores, replay.result.forfeits))
    _agree("hash of the final position", replay.position, hash_of(run.match.at))
    _agree("seed's commitment", replay.commitment, commitment(replay.seed))
    if replay.digest != _digest(replay):
        raise ReplayError("edited", "the digest does not fit: the file was edited after the match was recorded")
    return run.match.at


def _agree(what: str, stored: object, played: object) -> None:
    if stored != played:
        raise ReplayError("differs", f"{what}: the file says {show(stored)}, playing it again gives {show(played)}")


def log(replay: Replay) -> list[Event]:
    """Every event of the match in order, secrets included."""
    run = playback(replay)
    events = run.match.hear()
    while not run.match.over:
        advance(replay, run)
        events += run.match.hear()
    return events


def position(replay: Replay, step: int) -> Position:
    """The position after the first `step` answers."""
    run = playback(replay)
    while run.step < step and not run.match.over:
        advance(replay, run)
    return run.match.at
