"""The migrations make what the models say. `tests/tournaments/audit/test_log.py` tries the trigger that they add."""

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_no_model_has_changed_without_a_migration(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("makemigrations", "tournaments", "--check", "--dry-run")
    assert "No changes detected" in capsys.readouterr().out
