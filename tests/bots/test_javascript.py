"""JavaScript as distributions install it."""

from pathlib import Path

import pytest

from bots.languages import LANGUAGES, javascript


def test_the_parts_that_debian_keeps_apart_from_node_are_there_for_its_bots_if_they_are_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v20.1.0\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(javascript, "APART", (str(tmp_path), f"{tmp_path}/nowhere"))
    assert LANGUAGES["javascript"].detect().reads == (str(node), str(tmp_path))
