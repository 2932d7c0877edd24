"""The files of the site are looked for once in a process of the tests; each test client would look for them anew."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

look = WhiteNoiseMiddleware.add_files_from_finders
files_by_setting: dict[tuple[str, int], dict[str, Any]] = {}


def look_once(self: Any) -> None:
    key = (self.static_prefix, self.max_age)  # what there is of the settings in what is found
    if key not in files_by_setting:
        look(self)
        files_by_setting[key] = self.files
    self.files = {**self.files, **files_by_setting[key]}


@contextmanager
def found_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", look_once)
        yield
