import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from pytest_django.fixtures import Settings

from tests.factories import a_user
from tournaments.core.accounts import recovery_codes
from tournaments.core.accounts.factor_secrets import seal_secret, unseal
from tournaments.core.accounts.organisers import has_factor, lacks_one
from tournaments.core.accounts.second_factor import check_factor_code, factors_of, remove_second_factor, take_away
from tournaments.core.accounts.time_codes import code_at, confirm, new_secret
from tournaments.core.errors import Refused
from tournaments.models import Act, User

pytestmark = pytest.mark.django_db
LATE_S = 3.0  # so near to the next code, what is asked now may be answered after it


def now() -> int:
    return int(time.time() // 30)


def program_of(user: User) -> Authenticator:
    return Authenticator.objects.get(user=user, type="totp")


def code_of(user: User, step: int = 0) -> str:
    """The code that the person's authenticator shows now, or so many steps later."""
    return code_at(unseal(program_of(user).data["secret"]), now() + step)


def with_factor(user: User) -> list[str]:
    """Set one up, and return the recovery codes. The code of the step before is used up by that."""
    secret = new_secret()
    if 30 - time.time() % 30 < LATE_S:  # a code of the step before would be too old in a moment
        time.sleep(LATE_S)
    return confirm(user=user, secret=secret, code=code_at(secret, now() - 1))


def takes(user: User, code: str) -> bool:
    try:
        check_factor_code(user=user, code=code)
    except Refused:
        return False
    return True


def test_a_factor_is_there_only_once_a_code_has_confirmed_it() -> None:
    user, secret = a_user(), new_secret()
    wrong = next(code for code in ("000000", "000001") if code != code_at(secret, now()))
    with pytest.raises(Refused, match="not the code of this minute"):
        confirm(user=user, secret=secret, code=wrong)
    assert not takes(user, code_at(secret, now()))
    assert not has_factor(User.objects.get(pk=user.pk))
    with_factor(user)
    assert has_factor(user)
    with pytest.raises(Refused, match="already"):
        confirm(user=user, secret=secret, code=code_at(secret, now()))


def test_the_secret_is_sealed_and_opens_with_a_key_of_before(settings: Settings) -> None:
    user = a_user()
    with_factor(user)
    assert unseal(seal_secret("a secret")) == "a secret"
    code, kept = code_of(user), program_of(user).data["secret"]
    assert unseal(kept) not in str(program_of(user).data)
    settings.SECRET_KEY, before = "x" * 50, settings.SECRET_KEY
    with pytest.raises(Refused, match="SECRET_KEY has changed"):
        check_factor_code(user=user, code=code)
    settings.SECRET_KEY_FALLBACKS = [before]
    assert takes(user, code)
    settings.SECRET_KEY_FALLBACKS = []
    assert takes(user, code_of(user, 1))  # sealed anew by the use


def test_recovery_codes_help_where_the_secret_cannot_be_read(settings: Settings) -> None:
    user = a_user()
    codes = with_factor(user)
    settings.SECRET_KEY = "x" * 50
    assert takes(user, codes[0])


def test_without_a_key_that_is_kept_nothing_is_sealed(settings: Settings) -> None:
    settings.SECRET_KEY_IS_KEPT = False
    with pytest.raises(Refused, match="no SECRET_KEY"):
        with_factor(a_user())
    assert not Authenticator.objects.exists()


def test_no_code_is_taken_twice_nor_one_before_the_last() -> None:
    user = a_user()
    with_factor(user)
    later = code_of(user, 1)
    assert takes(user, later)
    cache.clear()  # where allauth would remember it
    assert not takes(user, later)
    assert not takes(user, code_of(user))


@pytest.mark.django_db(transaction=True)
def test_of_two_who_send_the_same_code_at_once_one_is_let_in() -> None:
    user = a_user()
    with_factor(user)
    code = code_of(user, 1)

    def send(_: int) -> bool:
        try:
            return takes(user, code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as crowd:
        assert sorted(crowd.map(send, range(4))) == [False, False, False, True]


def test_each_recovery_code_is_taken_once_as_people_type_it_and_only_hashes_are_kept() -> None:
    user = a_user()
    codes = with_factor(user)
    assert len(set(codes)) == 10
    kept = str(Authenticator.objects.get(type="recovery_codes").data)
    assert not any(code in kept or recovery_codes.normalized_code(code) in kept for code in codes)
    for recovery_code in codes:
        typed = f" {recovery_code.upper().replace('-', ' ')} "
        assert takes(user, typed)
        assert not takes(user, recovery_code)


@pytest.mark.parametrize("code", ["", " ", "-", "12345", "1234567", "abcdef", "٠١٢٣٤٥", "\0" * 6, "x" * 10_000])
def test_anything_else_is_no_code(code: str) -> None:
    user = a_user()
    with_factor(user)
    assert not takes(user, code)


def test_a_code_of_somebody_else_is_none_of_mine() -> None:
    user, other = a_user(), a_user()
    codes = with_factor(user)
    with_factor(other)
    assert not takes(other, codes[0])
    assert not takes(a_user(), codes[0])


def test_new_recovery_codes_end_those_of_before() -> None:
    user = a_user()
    before = with_factor(user)
    after = recovery_codes.renew_codes(user=user)
    assert not takes(user, before[0])
    assert takes(user, after[0])
    assert recovery_codes.codes_left(user) == 9
    with pytest.raises(Refused, match="set one up first"):
        recovery_codes.renew_codes(user=a_user())


def test_with_the_last_factor_go_the_recovery_codes() -> None:
    user, other = a_user(), a_user()
    codes = with_factor(user)
    with_factor(other)
    with pytest.raises(Refused, match="no longer has this second factor"):
        remove_second_factor(user=user, number=program_of(other).pk)
    with pytest.raises(Refused, match="no longer has this second factor"):
        remove_second_factor(user=user, number=Authenticator.objects.get(user=user, type="recovery_codes").pk)
    remove_second_factor(user=user, number=program_of(user).pk)
    assert not takes(user, codes[3])
    assert not Authenticator.objects.filter(user=user).exists()
    assert factors_of(other)


def test_allauths_own_code_takes_neither_a_recovery_code_nor_its_hash() -> None:
    """The forms of allauth are routed nowhere; were they, they would fail closed."""
    codes = with_factor(a_user())
    kept = Authenticator.objects.get(type="recovery_codes")
    for typed in (codes[0], kept.data["hashes"][0]):
        with pytest.raises(KeyError):
            kept.wrap().validate_code(typed)


def test_organisers_lack_one_where_the_site_wants_it(settings: object) -> None:
    user, organiser = a_user(), a_user(staff=True)
    for needed in (False, True):
        settings.STAFF_NEED_SECOND_FACTOR = needed  # type: ignore[attr-defined]
        assert (lacks_one(user), lacks_one(organiser)) == (False, needed)
    with_factor(organiser)
    assert not lacks_one(organiser)


def test_an_organiser_takes_it_away_for_a_reason_that_everybody_can_read() -> None:
    user, organiser = a_user("olga"), a_user("stella", staff=True)
    with_factor(user)
    with pytest.raises(Refused, match="how you know"):
        take_away(user=user, by=organiser, reason=" ")
    take_away(user=user, by=organiser, reason="she called me")
    act = Act.objects.get()
    assert (act.kind, act.by, act.subject) == ("second_factor_removed", "stella", "olga")
    assert act.reason == "she called me"
    assert not Authenticator.objects.exists()
    with pytest.raises(Refused, match="has no second factor"):
        take_away(user=user, by=organiser, reason="again")
    assert Act.objects.count() == 1


def test_whoever_runs_the_site_can_do_so_where_no_organiser_can_sign_in() -> None:
    with_factor(a_user("stella", staff=True))
    call_command("remove_second_factor", "Stella", "--reason", "the telephone is in the lake")
    assert Act.objects.get().by == "the platform"
    assert not Authenticator.objects.exists()
    with pytest.raises(CommandError, match="has no second factor"):
        call_command("remove_second_factor", "stella", "--reason", "again")
    with pytest.raises(CommandError, match="nobody named"):
        call_command("remove_second_factor", "nobody", "--reason", "x")
