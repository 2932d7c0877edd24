"""What is said of a command that failed because a server did, or a disk is full: a sentence, and no traceback."""

import errno
from smtplib import SMTPException
from socket import gaierror

import psycopg

from workers.isolation import broker_is_away

UNREACHED = (ConnectionError, TimeoutError, gaierror, SMTPException)  # such as that of mail
NO_PLACE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM}


def failure_sentence(problem: Exception) -> str:
    """Return why it failed; nothing where only its traceback says that."""
    match problem.__cause__:
        case psycopg.errors.UndefinedTable() | psycopg.errors.UndefinedColumn() as cause:
            return f"The database lacks tables ({cause.diag.message_primary}); `manage.py migrate` makes them."
        case psycopg.OperationalError() as cause:
            return f"The database fails: {' '.join(str(cause).split())}."
    if broker_is_away(problem):
        return f"The broker fails: {' '.join(str(problem).split()).removesuffix('.')}."
    if isinstance(problem, OSError) and problem.errno in NO_PLACE:
        return f"{problem.filename or 'A file'} cannot be used: {problem.strerror}."
    if isinstance(problem, UNREACHED) and not isinstance(problem, BrokenPipeError):
        return f"A server cannot be reached: {problem}."
    return ""
