"""Errors as one sentence with a stable code: our own, and those of everything that the command calls."""

import errno

from bots.archive import BundleError
from bots.contest import ContestError
from bots.refusals import Refused, SubmitError
from bots.sequential_test import BadTest
from engine.errors import Portable
from engine.referee import PlatformFault
from engine.replay import ReplayError

FAILED, BAD_COMMAND, NO_ANSWER, STOPPED = 1, 2, 3, 130  # exit codes


class KitError(Portable):
    """Why a command cannot go on. `code` is stable, the text a sentence; `exit_code` is the command's."""

    def __init__(self, code: str, sentence: str, exit_code: int = BAD_COMMAND) -> None:
        super().__init__(sentence)
        self.code, self.exit_code = code, exit_code


def explained(error: Exception) -> KitError | None:
    """Return what a person is told of an error, or None if it is a fault of ours."""
    match error:
        case KitError():
            return error
        case ContestError() | BadTest() | BundleError() | ReplayError():
            return KitError(error.code, str(error))
        case Refused():
            return KitError(error.code, error.detail.removesuffix("."))
        case SubmitError():
            return KitError(error.code, error.sentence, error.exit_code)
        case PlatformFault():
            return KitError("platform_fault", f"{error}; no bot is to blame, try again", FAILED)
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return KitError("full_disk", f"the disk is full: {error.filename or 'nothing more can be written'}", FAILED)
        case OSError(filename=str(name) | bytes(name)):
            return KitError("cannot_read_or_write", f"{name!s}: {error.strerror}")
        case OSError():
            return KitError("cannot_read_or_write", f"the system refuses: {error}", FAILED)
    return None
