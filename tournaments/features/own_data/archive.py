"""All of a person's own data, as the files of one archive. It contains no usable secret."""

import json
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Case, QuerySet, Value, When

from tournaments.core.accounts import passkeys
from tournaments.core.accounts.organisers import has_factor
from tournaments.core.accounts.visibility import seen_by
from tournaments.core.csv_text import csv_of
from tournaments.ledger.dumps.streamed_zip import Files
from tournaments.models import Draft, FaultEvidence, Follow, MatchSet, Practice, Rating, Seat, User, Version, Webhook
from tournaments.models.follows import TARGETS

PAGE = 500  # rows of one query
README = """What is yours on this site, as it was when you asked for it. Times are UTC.

profile.json    your account: name, texts, address, ways to sign in, teams, what you follow, tokens and webhooks without
                their secrets
bots.json       your bots and their versions: what you wrote about them, reports of their checks and examinations, where
                they play
bots/           each version as you uploaded it, byte for byte: BOT-vNUMBER and its ending
drafts.json     the editor's drafts; drafts/ has their sources, and the earlier ones that are kept
notices.jsonl   what you were told
moderation.json what you reported and appealed against, and what you were told when your account was suspended
matches.csv     matches of your bots, but for those that are not over or not released; their replays are at
                /api/v1/matches/NUMBER/replay
ratings.csv     the ratings of your versions, by ladder
evidence.jsonl  what your bots wrote to stderr and in notes, and the evidence of their faults
games.jsonl     games that you played; games/ has the replays of those that are over
suggestions.jsonl  at which moments you asked for better answers, and what was found

Not in here: your password and codes, of which the site keeps hashes, and what others wrote. What organisers did is
public: /audit/.
"""
SEATS = {
    "match": "match",
    "set": "match__set",
    "ladder": "match__set__ladder__slug",
    "event": "match__set__event__slug",
    "bot": "version__bot__name",
    "version": "version__number",
    "seat": "number",
    "score": "score",
    "place": "place",
    "verdict": "verdict",
    "forfeited": "forfeited",
    "cpu_ms": "cpu_ms",
    "memory_mb": "memory_mb",
    "recorded_at": "match__result__recorded_at",
    "kind": "kind",
}
BESIDE = {"checks": "check", "event": "event", "trial": "trial", "asked_by": "friendly"}  # as `MatchSet.kind` has them
KIND = Case(
    *(When(**{f"match__set__{what}__isnull": False}, then=Value(kind)) for what, kind in BESIDE.items()),
    default=Value("ladder"),
)
SUSPENSION = ("act__number", "space__slug", "until", "words", "over_at")
RATINGS = {
    "ladder": "ladder__slug",
    "bot": "version__bot__name",
    "version": "version__number",
    "elo": "elo",
    "sd": "sd",
    "milli_elo_classic": "milli_elo",
    "sets": "sets",
    "games": "games",
    "wins": "wins",
    "forfeits": "forfeits",
}


def data_files(user: User) -> Files:
    yield "README.txt", README.encode()
    yield "profile.json", as_json(profile_of(user))
    yield from _bots(user)
    yield from _drafts(user)
    yield (
        "notices.jsonl",
        as_json_lines(user.notices.order_by("pk").values("kind", "text", "path", "detail", "at", "read_at")),
    )
    yield "moderation.json", as_json(_moderation(user))
    yield "matches.csv", as_csv(SEATS, seats_of_person(user).annotate(kind=KIND))
    yield "ratings.csv", as_csv(RATINGS, Rating.objects.filter(version__bot__owner=user).order_by("ladder", "version"))
    yield "evidence.jsonl", as_json_lines(_evidence(user))
    yield from _games(user)
    columns = ("match", "practice", "at", "seat", "status", "reason", "tried", "created_at")
    yield "suggestions.jsonl", as_json_lines(user.suggestions.order_by("pk").values(*columns))


def profile_of(user: User) -> dict[str, Any]:
    now = User.objects.get(pk=user.pk)
    columns = ("username", "former_name", "about", "email", "confirmed_email", "mailed", "date_joined", "last_login")
    return {
        **{name: getattr(now, name) for name in columns},
        "second_factor": has_factor(now),
        "passkeys": [_passkey(passkey) for passkey in passkeys.passkeys_of(now)],
        "identities": list(now.identities.values("provider", "subject", "called", "linked_at", "used_at")),
        "teams": list(now.memberships.values("team__name", "role", "since")),
        "tokens": list(now.tokens.values("name", "created_at", "used_at", "expires_at", "reads_only")),
        "follows": [
            _follow(row) for row in now.follows.select_related("bot", "person", "ladder", "event").order_by("pk")
        ],
        "webhooks": [_webhook(hook) for hook in now.webhooks.select_related("space", "event").order_by("pk")],
    }


def _passkey(held: Any) -> dict[str, Any]:
    return {"name": held.data["name"], "created_at": held.created_at, "used_at": held.last_used_at}


def _follow(row: Follow) -> dict[str, Any]:
    kind = next(name for name in TARGETS if getattr(row, name))
    return {"kind": kind, "name": str(row.target), "since": row.since}


def _webhook(hook: Webhook) -> dict[str, Any]:
    columns = ("receiver", "kinds", "stopped", "created_at")
    of = str(hook.space or hook.event or "")
    return {"url": hook.shown_url, "of": of, **{name: getattr(hook, name) for name in columns}}


def _moderation(user: User) -> dict[str, Any]:
    return {
        "reports": list(user.complaints.order_by("pk").values("about", "text", "status", "created_at")),
        "appeals": list(user.appeals.order_by("pk").values("act__number", "text", "status", "created_at")),
        "suspensions": list(user.suspensions.order_by("pk").values(*SUSPENSION)),
    }


def _bots(user: User) -> Files:
    yield "bots.json", as_json([_bot(bot) for bot in user.bots.order_by("pk")])
    kept = Version.objects.filter(bot__owner=user, bundle__size__gt=0)
    for version in kept.select_related("bundle").order_by("pk").iterator(1):
        yield f"bots/{path_in_archive(version)}", bytes(version.bundle.content)


def _bot(bot: Any) -> dict[str, Any]:
    columns = ("pk", "game", "name", "about", "motto", "colours", "gate", "gate_test", "named_at", "created_at")
    version = ("number", "status", "note", "report", "filename", "bundle_id", "created_at", "activated_at")
    versions = bot.versions.select_related("examination").order_by("number")
    return {
        **{name: getattr(bot, name) for name in columns},
        "badges": list(bot.badges.order_by("pk").values("kind", "character", "set", "earned_at")),
        "ladders": list(bot.entries.values("ladder__slug", "status", "entered_at")),
        "events": list(bot.events.values("event__slug", "status", "registered_at")),
        "versions": [
            {**{n: getattr(row, n) for n in version}, "file": path_in_archive(row), "examination": _examination(row)}
            for row in versions
        ],
    }


def _examination(version: Version) -> dict[str, Any] | None:
    columns = ("status", "questions", "matches", "reason", "findings", "ended_at")
    examination = getattr(version, "examination", None)
    return examination and {name: getattr(examination, name) for name in columns}


def path_in_archive(version: Version) -> str:
    """Return the version's path in the archive: what somebody called a file is no path of ours."""
    ending = PurePath(version.filename).suffix.lower()
    return f"{version.bot_id}-v{version.number}{ending if ending[1:].isalnum() else ''}"


def _drafts(user: User) -> Files:
    drafts = Draft.objects.filter(owner=user).order_by("pk")
    columns = ("pk", "bot", "game", "name", "filename", "created_at", "saved_at")
    yield "drafts.json", as_json(list(drafts.values(*columns)))
    for draft in drafts.iterator(1):
        yield f"drafts/{draft.pk}.txt", draft.source.encode()
        for state in draft.states.order_by("pk").iterator(1):
            yield f"drafts/{draft.pk}-{state.saved_at:%Y%m%dT%H%M%S}-{state.pk}.txt", state.source.encode()


def seats_of_person(user: User) -> QuerySet[Seat]:
    """Return the seats of their bots, of sets that are over and that this person may see."""
    seats = Seat.objects.filter(seen_by(user, "match__set__"), version__bot__owner=user, match__set__rechecks=None)
    return seats.exclude(match__set__status=MatchSet.Status.OPEN).order_by("match", "number")


def _evidence(user: User) -> Iterator[dict[str, Any]]:
    seats = seats_of_person(user).filter(match__result__isnull=False)
    for seat in seats.select_related("notes").prefetch_related("faults").iterator(PAGE):
        faults = [_fault(fault) for fault in seat.faults.all()]
        notes = seat.notes.pages if hasattr(seat, "notes") else []
        if faults or notes or seat.stderr:
            yield {"match": seat.match_id, "seat": seat.number, "stderr": seat.stderr, "notes": notes, "faults": faults}


def _fault(fault: FaultEvidence) -> dict[str, Any]:
    return {name: getattr(fault, name) for name in ("answer", "verdict", "detail", "asked", "given")}


def _games(user: User) -> Files:
    games = Practice.objects.filter(owner=user).order_by("pk")
    columns = (
        "pk",
        "ladder__slug",
        "status",
        "options",
        "seats",
        "script",
        "report",
        "reason",
        "created_at",
        "moved_at",
    )
    yield "games.jsonl", as_json_lines(games.values(*columns))
    for game in games.exclude(replay=None).only("replay").iterator(1):
        yield f"games/{game.pk}.json.gz", bytes(game.replay or b"")


def as_json(value: object) -> bytes:
    return json.dumps(value, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False).encode()


def as_json_lines(rows: Iterable[object]) -> bytes:
    return "".join(json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False) + "\n" for row in rows).encode()


def as_csv(columns: dict[str, str], rows: QuerySet[Any]) -> bytes:
    return csv_of(columns, rows.values_list(*columns.values()).iterator(PAGE)).encode()
