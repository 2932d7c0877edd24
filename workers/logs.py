"""Log lines that say what they are about: plain ones for people, or with LOG_FORMAT=json an object each for machines.

`log_about` adds to every line that is written inside of it, in any module, the match, lease, worker or request.
"""

import json
import logging
import logging.config
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final

from workers.addresses import BadSetting

FORMATS = ("plain", "json")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
# Celery's lines of every task say nothing that ours do not say better.
QUIETER: Final = {name: {"level": "WARNING"} for name in ("celery.app.trace", "celery.worker.strategy")}

NOTHING: Final[Mapping[str, object]] = MappingProxyType({})

_facts: ContextVar[Mapping[str, object]] = ContextVar("facts", default=NOTHING)


@contextmanager
def log_about(**facts: object) -> Iterator[None]:
    token = _facts.set({**_facts.get(), **facts})
    try:
        yield
    finally:
        _facts.reset(token)


def begin_facts(**facts: object) -> None:
    """Attach these facts to all lines of this thread, in place of earlier ones, until the next `begin_facts`."""
    _facts.set(facts)


def current_facts() -> Mapping[str, object]:
    """The facts attached to the present lines."""
    return _facts.get()


class PlainFormatter(logging.Formatter):
    """One line, even if a stranger put line ends into the message, and the traceback below it if there is one."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: ARG002, N802
        return _time_of(record)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name is the library's
        line = super().formatMessage(record).replace("\r", "\\r").replace("\n", "\\n")
        facts = ", ".join(f"{name} {value}" for name, value in current_facts().items())
        return f"{line} [{facts}]" if facts else line


class JsonFormatter(logging.Formatter):
    """One object a line: time, level, logger, message, what it is about, and `error`, the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            **current_facts(),
            "time": _time_of(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


def _time_of(record: logging.LogRecord) -> str:
    """Return it in UTC with the offset, as in the logs of the built-in servers, wherever the process runs."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def formatter() -> logging.Formatter:
    """Return the one that LOG_FORMAT names."""
    name = _one_of(os.environ, "LOG_FORMAT", "plain", FORMATS)
    return JsonFormatter() if name == "json" else PlainFormatter()


def configuration(environment: Mapping[str, str]) -> dict[str, Any]:
    """Settings for `logging.config.dictConfig`, by LOG_LEVEL and LOG_FORMAT. Raises ValueError with the reason."""
    level = _one_of(environment, "LOG_LEVEL", "INFO", LEVELS)
    formatter = {"plain": PlainFormatter, "json": JsonFormatter}[_one_of(environment, "LOG_FORMAT", "plain", FORMATS)]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"ours": {"()": formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "ours"}},
        "loggers": QUIETER if level == "INFO" else {},
        "root": {"handlers": ["stderr"], "level": level},
    }


def configure(**_: object) -> None:
    """Configure logging, as a receiver of Celery's `setup_logging`: Celery then leaves all of it to us."""
    logging.config.dictConfig(configuration(os.environ))


def _one_of(environment: Mapping[str, str], name: str, usual: str, choices: tuple[str, ...]) -> str:
    chosen = environment.get(name) or usual
    if chosen not in choices:
        raise BadSetting(f"{name} must be one of {', '.join(choices)}, not {chosen!r}.")
    return chosen
