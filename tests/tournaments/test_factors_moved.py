"""Second factors of before they were allauth's, as a site of an earlier release has them, still open their accounts."""

import time
from collections.abc import Iterator
from hashlib import sha256

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError
from pytest_django.fixtures import Settings

from tests import database
from tests.factories import a_user
from tests.migrating import back_to, forward
from tournaments.accounts import recovery_codes
from tournaments.accounts.organisers import has_factor
from tournaments.accounts.second_factor import check
from tournaments.accounts.time_codes import code_at, new_secret
from tournaments.errors import Refused
from tournaments.models import User

pytestmark = pytest.mark.django_db(transaction=True)
ROW = """INSERT INTO tournaments_secondfactor (user_id, secret, confirmed_at, last_step, papers)
    VALUES (%s, %s, %s, %s, %s::jsonb)"""
SINCE = "2026-03-04T05:06:07.891011+00:00"
CODE = "abcd-efgh-jkmn-pqrs"
HASH = sha256(CODE.replace("-", "").encode()).hexdigest()


@pytest.fixture(autouse=True)
def a_database_to_spoil() -> Iterator[None]:
    with database.a_copy(f"{database.own()}_spoilt"):
        yield


def had(user: User, secret: str, confirmed_at: str | None, last_step: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(ROW, [user.pk, secret, confirmed_at, last_step, f'["{HASH}"]'])


def session_of_before(user: User) -> str:
    """What a session of the release before has kept of the factor."""
    without = User(pk=user.pk, password=user.password)
    without.known_factors = []
    return sha256(f"{without.get_session_auth_hash()} {SINCE}".encode()).hexdigest()


def test_confirmed_secrets_and_recovery_codes_go_on_and_so_do_sessions(settings: Settings) -> None:
    olga, otto = a_user("olga"), a_user("otto")
    secret, step = new_secret(), int(time.time()) // 30
    back_to("0057")
    had(olga, secret, SINCE, step)
    had(otto, new_secret(), None, 0)
    settings.SECRET_KEY_IS_KEPT = False
    with pytest.raises(RuntimeError, match="set it as the site has it, and migrate again"):
        forward()
    settings.SECRET_KEY_IS_KEPT = True
    forward()
    olga, otto = User.objects.get(pk=olga.pk), User.objects.get(pk=otto.pk)
    assert (has_factor(olga), has_factor(otto)) == (True, False)
    assert olga.get_session_auth_hash() == session_of_before(olga)
    assert secret not in str(list(Authenticator.objects.values_list("data", flat=True)))
    with pytest.raises(Refused, match="wrong, out of date or used"):
        check(user=olga, code=code_at(secret, step))  # taken before
    check(user=olga, code=code_at(secret, step + 1))
    check(user=olga, code=CODE)
    assert recovery_codes.left(olga) == 0
    with pytest.raises(IrreversibleError, match="stay with allauth"):
        back_to("0057")
