"""What needs no site: the API document, routes, recorded games as they are shown, protocol lines, logs, the wheel."""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from click.testing import CliRunner
from django.core.management import get_commands, load_command_class
from django.db import connection
from django.urls import URLPattern, get_resolver

from bots.command.main import COMMANDS, boardroom
from bots.command.wheel import packaged_sources
from bots.protocol import Answer, Asked, Clock, End, Hello, Ready, encode
from bots.viewer.film_chunks import film
from bots.viewer.perspectives import eyes_of
from engine.core import Seat
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Prompt, Reply, run_match
from tests.bots.seated import Seated, sample, samples_of
from tests.games.record import recordings_of, replay_of
from tests.golden.text import joined, json_lines, short
from tournaments import audit
from tournaments.web.api.root import openapi_document

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("bots", "engine", "tournaments", "workers")
CATALOGUE = (
    """SELECT table_name, column_name, data_type, coalesce(character_maximum_length::text, ''), is_nullable,
        coalesce(column_default, ''), coalesce(generation_expression, '')
    FROM information_schema.columns WHERE table_schema = 'public'""",
    """SELECT conrelid::regclass, conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE conrelid <> 0 AND connamespace = 'public'::regnamespace""",
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
)
LINES = 6  # of each bot's questions and answers are stored, and a hash of all
ACTS: list[dict[str, Any]] = [
    {"kind": "pause_ladder", "by": "stella", "subject": "ladder arena", "reason": "tea", "detail": {}},
    {
        "kind": "void_set",
        "by": "the platform",
        "subject": "Zoë’s set",
        "reason": "",
        "detail": {"set": 7, "x": ["0.5"]},
    },
    {"kind": "announce", "by": "stella", "subject": "all", "reason": "now", "detail": {"text": "Tea is served."}},
]


def outputs() -> Iterator[tuple[str, str]]:
    yield "openapi.json", json_lines(shortened(openapi_document())) + "\n"
    yield "routes.txt", joined(sorted(routes(get_resolver().url_patterns)))
    yield "wheel.txt", joined(name for name, _ in packaged_sources(ROOT))
    yield "audit.jsonl", joined(log())
    yield "refusals.txt", joined(sorted(refusals()))
    yield "tables.txt", joined(tables())
    yield "commands.txt", joined(commands())
    for game in GAMES:
        name = recordings_of(game)[0]
        yield f"games/{name}.film.txt", joined(shown(name))
        yield f"games/{game}.protocol.txt", joined(protocol(game))


def shortened(document: Any) -> dict[str, Any]:
    """Return the API document with each way to refuse once, and its texts in one line."""
    refusals: dict[str, Any] = {}
    for operation in (operation for operations in document["paths"].values() for operation in operations.values()):
        for status, response in operation["responses"].items():
            if status >= "4":
                equals = (name for name, refusal in refusals.items() if refusal == response and name.startswith(status))
                name = next(equals, f"{status} {sum(name.startswith(status) for name in refusals)}")
                refusals[name] = response
                operation["responses"][status] = name
    plain: dict[str, Any] = json.loads(re.sub(r"(\\n| )+", " ", json.dumps({**document, "refusals": refusals})))
    return plain


def routes(among: list[Any], before: str = "/") -> Iterator[str]:
    for route in among:
        path = before + str(route.pattern)
        if isinstance(route, URLPattern):
            yield f"{path}  {route.name or ''}".rstrip()
        else:
            yield from routes(route.url_patterns, path)


def refusals() -> set[str]:
    """Return all codes with their sentences, however they are raised."""
    sentences = set()
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and len(node.args) > 1:
                code, sentence = node.args[:2]
                name = str(code.value) if isinstance(code, ast.Constant) else ""
                if re.fullmatch(r"[a-z]+(_[a-z]+)+", name) and words(sentence):
                    sentences.add(f"{name}: {words(sentence)}")
    return sentences


def words(node: ast.expr) -> str:
    """Return a sentence, with … for what is filled in; "" for what is none."""
    if isinstance(node, ast.JoinedStr):
        return "".join(words(part) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.Call) and node.args:
        return words(node.args[0])
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value else ""


def tables() -> Iterator[str]:
    """The columns, constraints, indexes and triggers of the database."""
    with connection.cursor() as cursor:
        for query in CATALOGUE:
            cursor.execute(query)
            yield from sorted(" ".join(map(str, row)) for row in cursor.fetchall())


def commands() -> Iterator[str]:
    """The help of the kit's commands, and of those that a site adds to Django's."""
    for name in ["", *COMMANDS]:
        yield CliRunner().invoke(boardroom, [*filter(None, [name]), "--help"], terminal_width=100).output
    for name, app in sorted(get_commands().items()):
        if app == "tournaments":
            yield load_command_class(app, name).create_parser("manage.py", name).format_help()


def log() -> Iterator[str]:
    """A chain with and without salts, with a sealed entry and an erased part."""
    previous = audit.START
    for number, act in enumerate(ACTS, 1):
        salts = dict.fromkeys(audit.PARTS, f"{number:032x}") if number > 1 else {}
        entry = audit.Entry(
            number, at=f"2026-01-0{number}T12:00:00.000000+00:00", previous=previous, salts=salts, **act
        )
        yield audit.write_entry(entry, entry.digest).rstrip("\n")
        yield audit.write_entry(entry.sealed("in a space"), entry.digest).rstrip("\n")
        previous = entry.digest


def shown(name: str) -> Iterator[str]:
    """Yield the frames of a recorded game: for everybody in words and with the first picture, for each seat a hash."""
    replay = replay_of(name)
    for eyes in eyes_of(replay):
        frames = [frame for piece in film(replay, eyes.perspective) for frame in piece]
        yield f"{eyes.name}: {short(json.dumps(frames))}"
        if eyes.key == "all":
            yield from frames[0]["parts"].values()
            before: dict[str, str] = {}
            for frame in frames:
                lines = [line["title"] or line["text"] for line in frame["told"]]
                words = {about: sentence for about, sentence in frame["words"].items() if before.get(about) != sentence}
                picture = short(json.dumps(frame["parts"]))
                yield json.dumps({**frame, "parts": picture, "told": lines, "words": words}, ensure_ascii=False)
                before = frame["words"]


def protocol(game: str) -> Iterator[str]:
    """Yield what passes between two samples and their table: the first lines, and a hash of all."""
    rules = GAMES[game]
    options = rules.read_options({"players": 2})
    samples = ["random", next(name for name in samples_of(game) if name in ("greedy", "marginal"))]
    table = Overheard([sample(game, name) for name in samples])
    played = run_match(rules, options, "golden", table)
    for seat, name in enumerate(samples):
        hello = Hello(game, rules.version, seat, options.players, to_plain(options), Clock(), limits={})
        end = End(played.result.places, played.result.scores)
        lines = [encode(hello), encode(Ready()), *table.lines[seat], encode(end)]
        yield f"seat {seat}, {name}: {short(b''.join(lines))}"
        yield from (line.decode().rstrip() for line in [*lines[:LINES], lines[-1]])


class Overheard(Seated):
    """Keeps the questions and answers as they are sent to processes, in lines, by seat."""

    def __init__(self, samples: list[ModuleType]) -> None:
        super().__init__(samples)
        self.lines: dict[Seat, list[bytes]] = defaultdict(list)

    def _answer(self, bot: Any, prompt: Prompt) -> Reply:
        reply, lines = super()._answer(bot, prompt), self.lines[self.bots.index(bot)]
        asked = Asked(len(lines) // 2 + 1, prompt.question, prompt.view, prompt.events, Clock().bank_ms)
        lines += [encode(asked), encode(Answer(cast("dict[str, object]", reply.action)))]
        return reply
