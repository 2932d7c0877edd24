"""Errors that another process reads as they were raised."""

import copyreg
from typing import Any


class Portable(Exception):
    """An error that is pickled with all that it holds, whatever its constructor takes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]
