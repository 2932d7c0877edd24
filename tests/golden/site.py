"""A part of the outputs, made in a new database, in a transaction, as tests run."""

import logging
import os
from collections.abc import Iterable, Iterator
from importlib import import_module

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import override_settings
from django.test.utils import setup_test_environment

from tests import database, static_files
from tests.conftest import NOTHING_KEPT, QUICK
from tournaments.core.config.sign_on import Provider

SIGN_ON = {"uni": Provider("uni", "University", "http://127.0.0.1:9", client_id="boardroom")}  # nothing is behind it


def outputs_of(part: str) -> Iterator[tuple[str, str]]:
    """Return the names and texts of a part's files."""
    setup_test_environment()
    logging.disable()  # pages that refuse are asked for too
    database.make_ready()
    with (
        static_files.found_once(),
        override_settings(PASSWORD_HASHERS=QUICK, SIGN_ON=SIGN_ON, CACHES=settings.CACHES | NOTHING_KEPT),
        database.a_copy(f"golden_{os.getpid()}"),
        transaction.atomic(),
    ):
        cache.clear()
        made: Iterable[tuple[str, str]] = import_module(f"tests.golden.{part}").outputs()
        yield from made
