"""How all tests run. Property tests without a deadline for an example: the machine may have other things to do."""

import gc
import signal
from collections.abc import Iterator
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import pytest
from django.conf import settings
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from tests import database, static_files, thorough

# A shell has its background jobs ignore Ctrl-C, and children inherit that: the tests of Ctrl-C would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    thorough.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    thorough.choose(config)
    gc.disable()  # nothing that collecting the tests makes goes away before the end


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what processor time the run took, with all processes that it has started and that are gone."""
    used = [getrusage(kind) for kind in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    minutes = sum(usage.ru_utime + usage.ru_stime for usage in used) / 60
    terminalreporter.write_line(f"{minutes:.1f} minutes of processor time")


# Pages of people make all their parts each time: what a test writes past the site would else be seen a second later.
NOTHING_KEPT = {"parts": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
# Good hashes are slow by design, and the tests make thousands of people. What processes of ours have hashed is read.
QUICK = [f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("MD5", "Scrypt", "PBKDF2")]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of a folder together, which share a browser, an arena or worlds; pytest-django sorts otherwise."""
    items.sort(key=lambda item: item.path.parent)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Make the database in the place of pytest-django, which migrates one in every process."""
    changed = override_settings(PASSWORD_HASHERS=QUICK, CACHES=settings.CACHES | NOTHING_KEPT)
    with django_db_blocker.unblock(), database.of_this_process(), changed:
        yield


@pytest.fixture(scope="session", autouse=True)
def files_found_once() -> Iterator[None]:
    with static_files.found_once():
        yield
