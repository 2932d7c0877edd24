"""Whether the platform works: each of its parts, with a sentence.

All of it is read from the database and the broker, in a few milliseconds. No sentence names an address, a host or the
text of an error, because anybody may read them.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from redis import Redis, RedisError

from tournaments.core.broker.heartbeats import KEPT, rounds
from tournaments.core.broker.leader import somebody_leads
from tournaments.core.schema_release import schema_tables
from tournaments.models import FailingItem, Practice
from tournaments.web.live.loop_health import LIVE
from workers import process_heartbeats

PARTS = (
    *("database", "migrations", "broker", "dispatcher", "delivery", "recorder", "workers", "practices", "live"),
    "supervisor",  # only where there is one: in containers something else restarts what has died
)
ENDED = "the last round ended {} s ago."
UNKNOWN = "Not known while the {} does not answer."


@dataclass(frozen=True, slots=True)
class HealthPart:
    name: str
    well: bool
    says: str


@dataclass(frozen=True, slots=True)
class Database:
    leads: bool  # a dispatcher holds the leader's lock
    fails: str  # the part of the dispatcher's round that fails
    practices: int  # that wait for their bots
    missing: int  # migrations; more than ours are fine: during an upgrade old processes run beside new ones


@dataclass(frozen=True, slots=True)
class Broker:
    """Seconds since each loop finished a round, and how many workers are online."""

    rounds: dict[str, int]
    workers: int
    practisers: int
    is_full: bool = False  # it takes nothing more


def check_health() -> list[HealthPart]:
    """Check every part of the platform, in the order of PARTS."""
    database, broker = _database(), _broker()
    return [
        _part("database", bool(database), "The database answers.", "The database does not answer."),
        _migrations(database),
        _broker_part(broker),
        _dispatcher(database, broker),
        _loop("delivery", broker, "Notices are delivered", "Nobody delivers notices: run manage.py dispatch."),
        _loop("recorder", broker, "Reports are taken in", "No recorder is there to take in reports."),
        _workers(broker),
        _practices(database, broker),
        _part("live", not LIVE.stalled(), "Live pictures move, where anybody watches.", LIVE.stalled()),
        *_supervisor(broker),
    ]


def _part(name: str, well: bool, if_so: str, if_not: str) -> HealthPart:
    return HealthPart(name, well, if_so if well else if_not)


def _broker_part(broker: Broker | None) -> HealthPart:
    if broker and broker.is_full:
        return HealthPart(
            "broker", well=False, says="The broker is full: nothing is sent to workers until it has room."
        )
    return _part("broker", bool(broker), "The broker answers.", "The broker does not answer.")


def _migrations(database: Database | None) -> HealthPart:
    if not database:
        return HealthPart("migrations", well=False, says=UNKNOWN.format("database"))
    missing = f"{database.missing} migrations are missing: run manage.py migrate."
    return _part("migrations", not database.missing, "The database is migrated.", missing)


def _dispatcher(database: Database | None, broker: Broker | None) -> HealthPart:
    if not database:
        return HealthPart("dispatcher", well=False, says=UNKNOWN.format("database"))
    if not database.leads:
        return HealthPart("dispatcher", well=False, says="No dispatcher leads: run manage.py dispatch.")
    if database.fails:
        return HealthPart("dispatcher", well=False, says=f"A part of its round fails, see the desk: {database.fails}.")
    if not broker:
        return HealthPart("dispatcher", well=True, says="A dispatcher leads.")
    silence = "The dispatcher that leads sends no heartbeat"
    return replace(_loop("leader", broker, "A dispatcher leads", f"{silence}."), name="dispatcher")


def _loop(name: str, broker: Broker | None, if_so: str, if_not: str) -> HealthPart:
    """Well if a process has finished a round of it lately."""
    if not broker:
        return HealthPart(name, well=False, says=UNKNOWN.format("broker"))
    if (ago := broker.rounds.get(name)) is None:
        return HealthPart(name, well=False, says=if_not)
    return _part(name, ago <= KEPT, f"{if_so}; {ENDED.format(ago)}", f"{if_not[:-1]}: {ENDED.format(ago)}")


def _practices(database: Database | None, broker: Broker | None) -> HealthPart:
    """Return the health of practices: a site needs no practice worker as long as nobody plays."""
    if not database or not broker:
        return HealthPart("practices", well=False, says=UNKNOWN.format("broker" if database else "database"))
    alone = f"{database.practices} practices wait for their bots, and no practice worker is here."
    count = broker.practisers
    present = "1 practice worker is here." if count == 1 else f"{count} practice workers are here."
    return _part("practices", broker.practisers > 0 or not database.practices, present, alone)


def _supervisor(broker: Broker | None) -> list[HealthPart]:
    """Return the supervisor's health, if there was one within the last hour."""
    is_listed = broker is not None and "supervisor" in broker.rounds
    return [_loop("supervisor", broker, "What dies is started again", "Nobody starts what dies.")] if is_listed else []


def _workers(broker: Broker | None) -> HealthPart:
    if not broker:
        return HealthPart("workers", well=False, says=UNKNOWN.format("broker"))
    present = "1 match worker is here." if broker.workers == 1 else f"{broker.workers} match workers are here."
    return _part("workers", broker.workers > 0, present, "No match worker is here.")


def _database() -> Database | None:
    try:
        leads = somebody_leads()
        fails = FailingItem.objects.filter(loop="dispatcher").order_by("pk").values_list("item", flat=True)
        waiting = Practice.objects.filter(status=Practice.Status.WAITING).count()
        return Database(leads, ", ".join(fails), waiting, len(schema_tables().missing))
    except (DatabaseError, InterfaceError):
        connection.close()
        return None


def _broker() -> Broker | None:
    redis = impatient_broker()
    try:
        practisers = process_heartbeats.present(redis, process_heartbeats.PRACTISERS)
        return Broker(rounds(redis), len(process_heartbeats.present(redis)), len(practisers), _is_full(redis))
    except RedisError:
        return None


def _is_full(redis: Redis) -> bool:
    memory = cast("dict[str, int]", redis.info("memory"))
    return 0 < memory["maxmemory"] <= memory["used_memory"]


@cache
def impatient_broker() -> Redis:
    """Return the broker with short timeouts, for checks that must answer soon."""
    return Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
