from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tournaments.core.accounts import time_codes
from tournaments.core.accounts.time_codes import authenticator_address, code_at, new_secret

# The key and the last six digits of every code of RFC 6238, appendix B, for SHA-1.
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
CODES = [
    (59, "287082"),
    (1111111109, "081804"),
    (1111111111, "050471"),
    (1234567890, "005924"),
    (2000000000, "279037"),
    (20000000000, "353130"),
]


@pytest.mark.parametrize(("seconds", "code"), CODES)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    assert code_at(SECRET, seconds // 30) == code
    assert step_of(code, seconds) == seconds // 30


def step_of(code: str, seconds: float) -> int | None:
    with patch("time.time", return_value=seconds):
        return time_codes.step_of(SECRET, code)


@pytest.mark.parametrize(("off", "taken"), [(-60, False), (-30, True), (0, True), (30, True), (60, False)])
def test_a_clock_may_be_off_by_one_step_either_way(off: int, taken: bool) -> None:
    assert (step_of("287082", 59 + off) == 1) is taken


@given(st.text(max_size=8).filter(lambda text: text.isascii()))
def test_whatever_is_typed_is_a_code_of_now_or_none(code: str) -> None:
    now = 59
    assert step_of(code, now) == {"755224": 0, "287082": 1, "359152": 2}.get(code)


def test_secrets_are_long_and_differ_and_make_codes() -> None:
    secrets = {new_secret() for _ in range(20)}
    assert len(secrets) == 20
    assert all(len(secret) == 32 and len(code_at(secret, 1)) == 6 for secret in secrets)


@pytest.mark.django_db
def test_an_authenticator_is_told_whose_secret_it_is(settings: Settings) -> None:
    settings.SITE_URL = "https://board.example:8443"
    label = "Boardroom%20board.example%3Aol_ga"
    address = f"otpauth://totp/{label}?secret=ABC&issuer=Boardroom%20board.example"
    assert authenticator_address(a_user("ol_ga"), "ABC") == address
