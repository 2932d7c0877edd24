"""What a command prints as JSON."""

import json
from typing import Any

import pytest

from bots.command.main import main


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Return what the command prints, whatever its exit code."""
    main([*arguments, "--json"])
    output: dict[str, Any] = json.loads(capsys.readouterr().out)
    return output
