from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_user
from tournaments.errors import Refused
from tournaments.models import ApiToken
from tournaments.tokens import MOST, make_token, revoke, user_of

pytestmark = pytest.mark.django_db


def test_a_key_opens_for_its_owner_and_only_its_hash_is_kept() -> None:
    user = a_user()
    secret = make_token(user=user, name="laptop")
    assert secret.startswith("brd_")
    assert len(secret) > 40
    assert user_of(secret) == user
    assert secret not in str(ApiToken.objects.values().get())


@pytest.mark.parametrize("secret", ["", "brd_", "brd_x", "\0", "\ud800", "x" * 10_000])
def test_anything_else_opens_for_nobody(secret: str) -> None:
    make_token(user=a_user(), name="laptop")
    assert user_of(secret) is None


def test_the_key_of_a_closed_account_opens_nothing() -> None:
    user = a_user()
    secret = make_token(user=user, name="laptop")
    user.is_active = False
    user.save()
    assert user_of(secret) is None


def test_a_key_knows_to_the_minute_when_it_was_last_used() -> None:
    secret = make_token(user=a_user(), name="laptop")
    token = ApiToken.objects.get()
    assert token.used_at is None
    for ago, moves in ((timedelta(0), False), (timedelta(seconds=59), False), (timedelta(seconds=61), True)):
        before = timezone.now() - ago
        ApiToken.objects.update(used_at=before)
        user_of(secret)
        token.refresh_from_db()
        assert (token.used_at != before) is moves


def test_a_revoked_key_opens_nothing_and_its_owner_alone_revokes_it() -> None:
    user = a_user()
    secret = make_token(user=user, name="laptop")
    token = ApiToken.objects.get()
    with pytest.raises(Refused, match="only its owner"):
        revoke(token=token, by=a_user(staff=True))
    assert user_of(secret) == user
    revoke(token=token, by=user)
    assert user_of(secret) is None


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "two\nlines"])
def test_a_key_has_a_name(name: str) -> None:
    with pytest.raises(Refused, match="1 to 60 visible characters"):
        make_token(user=a_user(), name=name)


def test_nobody_has_keys_without_end() -> None:
    user = a_user()
    for number in range(MOST):
        make_token(user=user, name=f"key {number}")
    with pytest.raises(Refused, match="revoke one"):
        make_token(user=user, name="one more")
