"""A replay: rules version, options, seed, answers, milliseconds, result and the hash of the final position.

Nothing else is stored: every log, state and download is derived by playing it again. The file is one JSON object,
plain or gzipped:

    {"boardroom_replay": 1, "game": "zaibatsu", "rules": 1, "options": {...}, "seed": "...", "commitment": "...",
     "players": [{"name": ..., "version": ..., "bundle": ...}, ...],
     "strikes": 3, "absent": {"2": "crashed"},
     "answers": [[seat, action, ms], [seat, action, ms, "timed out"], ...],
     "result": {"scores": [...], "places": [...], "verdicts": [...], "forfeits": [...]},
     "position": "<BLAKE2b-256 of the final position>", "digest": "<BLAKE2b-256 of all the rest>",
     "terms": {"world": "wasm-...", "answer_ms": ..., "bank_ms": ..., "start_ms": ..., "memory_mb": ...}}

`terms` is there for a match of the deterministic division alone, whose bots can be run again to the same answers. What
could not always be set, such as its "increment_ms", is there only if it is not as it was before.

What follows from game, rules, options, seed and answers cannot be edited unseen: who was asked and what was legal, the
result, the position, the commitment. This does not follow from them, and playing again does not cover it:

- that the answers are those that the bots gave, and that a fault was one, of that kind, and not the default itself;
- `players`: names, versions and bundles; `absent`: that those bots did not start, and why; `strikes`;
- milliseconds, and `terms`;
- that the seed was not chosen, that the match was played at the stated time and place, and that it counted.

The digest guards all of the file against accidents. Against a forger, who makes a new one, compare the digest that was
kept elsewhere (`engine.verify --digest`), for the seed its proof (`engine.seeds`), and for answers, faults and terms of
the deterministic division running the bots again (`workers.verify`).
"""

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from hashlib import blake2b
from typing import Any

from engine.core import Event, IllegalAction, Match, Position, Seat
from engine.dice import commitment
from engine.errors import Portable
from engine.game import AnyGame, Options
from engine.games import GAMES
from engine.reading import BIGGEST
from engine.records import Record, RecordError, canonical, from_plain, show, to_plain
from engine.referee import STANDS_IN, Conduct, Played, Result, Verdict
from engine.sentences import Sentence

FORMAT = 1
BIGGEST_FILE = 4 << 20  # bytes, after unpacking
NOT_A_REPLAY, OTHER_RULES, DIFFERS, EDITED = "not_a_replay", "other_rules", "differs", "edited"
FAULTS = {verdict.value: verdict for verdict in Verdict if verdict not in (Verdict.OK, Verdict.OURS)}


class ReplayError(Portable):
    """Why a replay cannot be read or does not hold. `code` is stable: not_a_replay, other_rules, differs, edited."""

    def __init__(self, code: str, sentence: str, /, **filled: object) -> None:
        self.code, self.detail = code, Sentence(sentence, **filled)
        super().__init__(str(self.detail))


@dataclass(slots=True)
class Player(Record):
    """Who sat at a seat: the bot's name, its version's number and the hash of its bundle ("" for one not uploaded)."""

    name: str
    version: int = 0
    bundle: str = ""


@dataclass(slots=True)
class Terms(Record):
    """What bots ran in, and with what limits, where that decides every answer and every millisecond."""

    world: str
    answer_ms: int
    bank_ms: int
    start_ms: int
    memory_mb: int
    increment_ms: int = 0  # this and what follows: as it was before it could be set
    line_kb: int = 64
    output_kb: int = 4096
    stderr_kb: int = 8


@dataclass(slots=True)
class Replay(Record):
    """The stored form of a match; `answers` are [seat, action, ms] or [seat, action, ms, fault], in order.

    `absent` are the verdicts of seats whose bot did not start, by seat.
    """

    game: str
    rules: int
    options: dict[str, object]
    seed: str
    commitment: str
    players: list[Player]
    strikes: int
    absent: dict[str, str]
    answers: list[object]
    result: Result
    position: str
    digest: str
    boardroom_replay: int = FORMAT
    terms: Terms | None = None


_BEFORE = {part.name: part.default for part in fields(Terms) if part.default is not MISSING}

# --- writing and reading -------------------------------------------------------------------------------------------


def record(
    game: AnyGame, options: Options, seed: str, players: Sequence[Player], played: Played, terms: Terms | None = None
) -> Replay:
    """Return the replay of a match just played, its digest set."""
    answers: list[object] = [
        [a.seat, to_plain(a.action), round(float(a.ms), 1), *([a.fault] if a.fault else [])] for a in played.answers
    ]
    replay = Replay(
        game=game.name,
        rules=game.version,
        options=to_plain(options),
        seed=seed,
        commitment=commitment(seed),
        players=list(players),
        strikes=played.strikes,
        absent={str(fault.seat): fault.verdict for fault in played.faults if fault.answer < 0},
        answers=answers,
        result=played.result,
        position=canonical_hash(played.at),
        digest="",
        terms=terms,
    )
    return seal(replay)


def seal(replay: Replay) -> Replay:
    """Set the digest of all the rest, for a replay that is whole, and return the replay."""
    replay.digest = _digest(replay)
    return replay


def canonical_hash(value: object) -> str:
    """Return the BLAKE2b-256 (hex) of the canonical JSON of a record or plain data."""
    return blake2b(canonical(value).encode(), digest_size=32).hexdigest()


def _digest(replay: Replay) -> str:
    plain = _plain(replay)
    del plain["digest"]
    return canonical_hash(plain)


def _plain(replay: Replay) -> dict[str, object]:
    """Plain data without terms that older files lack or that could not be set then, so that their digests hold."""
    answers, replay = replay.answers, replace(replay, answers=[])
    plain: dict[str, object] = {**to_plain(replay), "answers": answers}  # plain already, and nearly all of it
    if not replay.terms:
        del plain["terms"]
    else:
        plain["terms"] = {name: value for name, value in to_plain(replay.terms).items() if value != _BEFORE.get(name)}
    return plain


def write_replay(replay: Replay) -> bytes:
    """Return the bytes of the file: gzipped JSON, the same for the same replay."""
    return gzip.compress(json.dumps(_plain(replay), separators=(",", ":")).encode(), mtime=0)


def read_replay(data: bytes) -> Replay:
    """Return a replay from its file's bytes, plain or gzipped. Raises ReplayError(not_a_replay) with the reason."""
    try:
        plain = json.loads(_unpack(data), parse_constant=_no_number, object_pairs_hook=_no_doubles)
    except (ValueError, RecursionError) as error:
        raise ReplayError(
            NOT_A_REPLAY, "not a replay: the file is not one whole JSON value (%(error)s)", error=error
        ) from None
    if not isinstance(plain, dict) or "boardroom_replay" not in plain:
        raise ReplayError(NOT_A_REPLAY, 'not a replay: the JSON has no "boardroom_replay" field')
    made = plain["boardroom_replay"]
    if made != FORMAT or type(made) is not int:
        raise ReplayError(
            NOT_A_REPLAY, "replay format %(made)s; this engine reads format %(format)s", made=show(made), format=FORMAT
        )
    try:
        replay: Replay = from_plain(Replay, plain, "replay")
    except RecordError as error:
        raise ReplayError(NOT_A_REPLAY, "not a replay: %(reason)s", reason=error) from None
    if reason := _impossible(replay):
        raise ReplayError(NOT_A_REPLAY, "not a replay: %(reason)s", reason=reason)
    return replay


def _impossible(replay: Replay) -> str | None:
    """The number that no match could have: playing again would not find it."""
    if replay.strikes < 1:
        return f"replay.strikes is {replay.strikes}; it must be at least 1"
    if replay.rules < 1:
        return f"replay.rules is {replay.rules}; versions of rules begin at 1"
    for seat, player in enumerate(replay.players):
        if player.version < 0:
            return f"replay.players[{seat}].version is {player.version}; it must be 0 or more"
    return None


def _unpack(data: bytes) -> bytes:
    unzip = zlib.decompressobj(wbits=31)
    try:
        out = unzip.decompress(data, BIGGEST_FILE + 1) if data[:2] == b"\x1f\x8b" else data
    except zlib.error as error:
        raise ReplayError(NOT_A_REPLAY, "not a replay: the gzip data is damaged (%(error)s)", error=error) from None
    if len(out) > BIGGEST_FILE:
        raise ReplayError(NOT_A_REPLAY, "not a replay: larger than %(most)s bytes when unpacked", most=BIGGEST_FILE)
    if out is not data and (not unzip.eof or unzip.unused_data):
        raise ReplayError(NOT_A_REPLAY, "not a replay: the gzip data is cut short, or more data follows it")
    return out


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _no_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        raise ValueError(f"an object has a field twice; its fields: {show(sorted(key for key, _ in pairs), 200)}")
    return plain


# --- playing again -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Playback:
    """A replay being played again: the match, the answers used so far, and how the seats have behaved."""

    game: AnyGame
    options: Options
    match: Match[Position]
    conduct: Conduct
    step: int = field(default=0)


def playback(replay: Replay, *, listen: bool = True) -> Playback:
    """Return the replay at its first question, with the match's events kept if one may `listen`.

    Raises ReplayError(other_rules) or (not_a_replay).
    """
    if not (game := GAMES.get(replay.game)):
        raise ReplayError(
            OTHER_RULES,
            "unknown game %(game)s; this engine plays %(games)s",
            game=show(replay.game),
            games=", ".join(GAMES),
        )
    if replay.rules != (version := game.version):
        raise ReplayError(
            OTHER_RULES,
            "rules version %(rules)s of %(game)s; this engine has version %(own)s",
            rules=replay.rules,
            game=game.name,
            own=version,
        )
    try:
        options = game.read_options(replay.options)
    except RecordError as error:
        raise ReplayError(NOT_A_REPLAY, "not a replay: %(reason)s", reason=error) from None
    match = game.start(options, replay.seed, listen=listen)
    run = Playback(game, options, match, Conduct.of(options.players, replay.strikes))
    for seat, verdict in replay.absent.items():
        if seat not in map(str, range(options.players)) or verdict not in FAULTS:
            raise ReplayError(
                NOT_A_REPLAY, "not a replay: absent says %(seat)s: %(verdict)s", seat=show(seat), verdict=show(verdict)
            )
        run.conduct.charge(int(seat), FAULTS[verdict], absent=True)
    return run


def advance(replay: Replay, run: Playback) -> Mapping[Seat, Record]:
    """Apply and return the answers to the open questions. Raises ReplayError(differs) with the first difference."""
    answers: dict[Seat, Record] = {}
    for seat in sorted(run.match.questions):
        if run.step >= len(replay.answers):
            raise ReplayError(
                DIFFERS, "answer %(answer)s is missing: seat %(seat)s is asked", answer=run.step, seat=seat
            )
        answers[seat] = _answered(run, seat, replay.answers[run.step])
        run.step += 1
    run.match.move(answers)
    return answers


def _answered(run: Playback, seat: Seat, line: Any) -> Record:
    """The legal answer of one line of the answers."""
    given, fault = _line(run.step, seat, line)
    try:
        action = run.match.read(seat, given)
    except IllegalAction as error:
        raise ReplayError(DIFFERS, "answer %(answer)s: %(error)s", answer=run.step, error=error) from None
    if fault or run.conduct.forfeits[seat]:
        _charge(run, seat, action, fault)
    return action


def _line(step: int, seat: Seat, line: Any) -> tuple[object, str]:
    """The action and the fault ("" for none) of one line of the answers."""
    if type(line) is not list or len(line) not in (3, 4) or type(line[0]) is not int or line[0] != seat:
        should = "answer %(answer)s must be [%(seat)s, action, ms], as seat %(seat)s is asked, not %(line)s"
        raise ReplayError(DIFFERS, should, answer=step, seat=seat, line=show(line))
    try:
        if not (type(line[2]) is float and 0 <= line[2] <= BIGGEST) and from_plain(float, line[2], "ms") < 0:
            raise RecordError(f"ms must be 0 or more, not {show(line[2])}")
        return line[1], from_plain(str, line[3], "fault") if len(line) == 4 else ""
    except RecordError as error:
        raise ReplayError(DIFFERS, "answer %(answer)s: %(error)s", answer=step, error=error) from None


def _charge(run: Playback, seat: Seat, action: Record, fault: str) -> None:
    """Count a fault, and hold the record to what a fault means: which answer was taken in the seat's place."""
    if run.conduct.forfeits[seat] != (fault == STANDS_IN):
        should = (
            "answer %(answer)s: fault %(fault)s, but seat %(seat)s had forfeited, so it must say %(stands_in)s"
            if run.conduct.forfeits[seat]
            else "answer %(answer)s: fault %(fault)s, but seat %(seat)s had not forfeited"
        )
        raise ReplayError(DIFFERS, should, answer=run.step, fault=repr(fault), seat=seat, stands_in=repr(STANDS_IN))
    if not fault:
        return
    question = run.match.questions[seat]
    taken = question.stand_in() if fault == STANDS_IN else question.default()
    if action != taken:
        raise ReplayError(
            DIFFERS,
            "answer %(answer)s: %(fault)s means that this was taken in its place: %(taken)s",
            answer=run.step,
            fault=repr(fault),
            taken=canonical(taken),
        )
    if fault == STANDS_IN:
        return
    if fault not in FAULTS:
        raise ReplayError(
            DIFFERS,
            "answer %(answer)s: unknown fault %(fault)s; there are %(faults)s",
            answer=run.step,
            fault=show(fault),
            faults=", ".join(FAULTS),
        )
    run.conduct.charge(seat, FAULTS[fault])


def verify(replay: Replay) -> Position:
    """Play it again and return the final position; nobody listens. Raises ReplayError with the first difference."""
    run = playback(replay, listen=False)
    while not run.match.over:
        advance(replay, run)
    _agree("number of answers", len(replay.answers), run.step)
    _agree("number of players", len(replay.players), run.options.players)
    result = run.conduct.result(run.game, run.match.at)
    for what in ("scores", "places", "verdicts", "forfeits"):
        _agree(what, getattr(replay.result, what), getattr(result, what))
    _agree("hash of the final position", replay.position, canonical_hash(run.match.at))
    _agree("seed's commitment", replay.commitment, commitment(replay.seed))
    if replay.digest != _digest(replay):
        raise ReplayError(EDITED, "the digest does not fit: the file was edited after the match was recorded")
    return run.match.at


def _agree(what: str, stored: object, played: object) -> None:
    if stored != played:
        raise ReplayError(
            DIFFERS,
            "%(what)s: the file says %(stored)s, playing it again gives %(played)s",
            what=Sentence(what),
            stored=show(stored),
            played=show(played),
        )


def log(replay: Replay) -> list[Event]:
    """Return the events of the match in order, secrets included. Raises ReplayError."""
    run = playback(replay)
    events = run.match.hear()
    while not run.match.over:
        advance(replay, run)
        events += run.match.hear()
    return events


def position(replay: Replay, step: int) -> Position:
    """Return the position after the first `step` answers, or the last one if there are fewer. Raises ReplayError."""
    run = playback(replay)
    while run.step < step and not run.match.over:
        advance(replay, run)
    return run.match.at
