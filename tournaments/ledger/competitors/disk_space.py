"""The free space that uploads leave to the database, which stops when its disk is full."""

import shutil

from django.conf import settings

from engine.sentences import Sentence
from tournaments.core.config.budgets import Budget, declare

RESERVE = declare(
    Budget(
        "free space that uploads leave on the disk of the data folder",
        resource="Disk",
        most=512,
        unit="MB at least",
        holder="site",
        where="tournaments.ledger.competitors.disk_space.check_disk",
        sentence=Sentence(
            "this site's disk is nearly full, and the last %(most)s MB are kept for matches; tell its operator, and "
            "upload again later"
        ),
        setting="DISK_RESERVE_MB",
    )
)


def free_mb() -> int:
    """Return the free space of the disk of the folder of dumps, in which the built-in database is too."""
    folders = (settings.DUMPS, *settings.DUMPS.parents)
    return shutil.disk_usage(next(folder for folder in folders if folder.exists())).free >> 20


def check_disk() -> None:
    """Raise Refused(disk_full) where less than RESERVE is free."""
    if free_mb() < RESERVE.most:
        raise RESERVE.refusal("disk_full")
