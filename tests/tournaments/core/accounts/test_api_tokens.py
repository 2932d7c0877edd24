from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import a_user
from tournaments.core.accounts.api_tokens import MOST, make_token, revoke_all, revoke_key, token_with_secret
from tournaments.core.errors import Refused
from tournaments.models import ApiToken, User

pytestmark = pytest.mark.django_db


def owner_of(secret: str) -> User:
    token = token_with_secret(secret)
    assert token
    return token.user


def test_a_key_opens_for_its_owner_and_only_its_hash_is_kept() -> None:
    user = a_user()
    secret = make_token(user=user, name="laptop")
    assert secret.startswith("brd_")
    assert len(secret) > 40
    assert owner_of(secret) == user
    assert secret not in str(ApiToken.objects.values().get())


@pytest.mark.parametrize("secret", ["", "brd_", "brd_x", "\0", "\ud800", "x" * 10_000])
def test_anything_else_opens_for_nobody(secret: str) -> None:
    make_token(user=a_user(), name="laptop")
    assert token_with_secret(secret) is None


def test_the_key_of_a_closed_account_opens_nothing() -> None:
    user = a_user()
    secret = make_token(user=user, name="laptop")
    user.is_active = False
    user.save()
    assert token_with_secret(secret) is None


def test_a_key_knows_to_the_minute_when_it_was_last_used() -> None:
    secret = make_token(user=a_user(), name="laptop")
    token = ApiToken.objects.get()
    assert token.used_at is None
    for ago, moves in ((timedelta(0), False), (timedelta(seconds=50), False), (timedelta(seconds=61), True)):
        before = timezone.now() - ago
        ApiToken.objects.update(used_at=before)
        token_with_secret(secret)
        token.refresh_from_db()
        assert (token.used_at != before) is moves


def test_a_revoked_key_opens_nothing_and_its_owner_alone_revokes_it() -> None:
    user = a_user()
    secret = make_token(user=user, name="laptop")
    token = ApiToken.objects.get()
    with pytest.raises(Refused, match="only its owner"):
        revoke_key(token=token, by=a_user(staff=True))
    assert owner_of(secret) == user
    revoke_key(token=token, by=user)
    assert token_with_secret(secret) is None


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


def test_a_key_lives_for_a_year_or_as_long_as_was_said_and_an_expired_one_opens_nothing() -> None:
    user = a_user()
    for days in (365, 7):
        secret = make_token(user=user, name="laptop", days=days)
        token = user.tokens.latest("pk")
        assert token.expires_at
        assert timedelta(days=days) - (token.expires_at - timezone.now()) < timedelta(minutes=1)
        assert owner_of(secret) == user
        ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
        assert token_with_secret(secret) is None
    make_token(user=user, name="another")
    assert [token.name for token in user.tokens.all()] == ["another"]


@pytest.mark.parametrize("days", [0, -1, 3661, 10**9])
def test_no_key_lives_for_ever(days: int) -> None:
    with pytest.raises(Refused, match="1 to 3660 days"):
        make_token(user=a_user(), name="laptop", days=days)


def test_all_keys_of_ones_own_are_revoked_at_once() -> None:
    user, other = a_user(), a_user()
    mine, foreign = [make_token(user=user, name=name) for name in ("a", "b")], make_token(user=other, name="c")
    assert revoke_all(by=user) == 2
    assert [token_with_secret(secret) for secret in mine] == [None, None]
    assert owner_of(foreign) == other
