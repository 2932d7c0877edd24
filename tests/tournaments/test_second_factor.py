import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from tests.factories import a_user
from tournaments.accounts.organisers import factor_of, lacks_one
from tournaments.accounts.second_factor import begin, check, confirm, take_away, turn_off
from tournaments.accounts.totp import code_at
from tournaments.errors import Refused
from tournaments.models import Act, SecondFactor, User

pytestmark = pytest.mark.django_db


def code_of(user: User, step: int = 0) -> str:
    """What the person's authenticator shows now, or so many steps later."""
    return code_at(SecondFactor.objects.get(user=user).secret, int(time.time() // 30) + step)


def with_factor(user: User) -> list[str]:
    """Set one up, and return the recovery codes. The code of now is used up by that."""
    begin(user=user)
    codes = confirm(user=user, code=code_of(user, -1))
    user.refresh_from_db()
    return codes


def takes(user: User, code: str) -> bool:
    try:
        check(user=user, code=code)
    except Refused:
        return False
    return True


def test_a_factor_is_asked_for_only_once_a_code_has_confirmed_it() -> None:
    user = a_user()
    secret = begin(user=user).secret
    assert begin(user=user).secret == secret
    assert factor_of(user) is None
    assert not takes(user, code_of(user))
    with pytest.raises(Refused, match="not the code of this minute"):
        confirm(user=user, code="000000" if code_of(user) != "000000" else "000001")
    assert factor_of(User.objects.get(pk=user.pk)) is None
    with_factor(user)
    assert factor_of(user)
    with pytest.raises(Refused, match="already"):
        begin(user=user)


def test_no_code_is_taken_twice_nor_one_before_the_last() -> None:
    user = a_user()
    with_factor(user)
    later = code_of(user, 1)
    assert takes(user, later)
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
    assert not set(codes) & set(SecondFactor.objects.get().papers)
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


def test_it_is_turned_off_with_a_code_alone() -> None:
    user = a_user()
    codes = with_factor(user)
    with pytest.raises(Refused, match="wrong, out of date or used"):
        turn_off(user=user, code="000")
    turn_off(user=user, code=codes[3])
    assert not SecondFactor.objects.exists()


def test_organisers_lack_one_where_the_site_wants_it(settings: object) -> None:
    user, organiser = a_user(), a_user(staff=True)
    for wanted in (False, True):
        settings.STAFF_NEED_SECOND_FACTOR = wanted  # type: ignore[attr-defined]
        assert (lacks_one(user), lacks_one(organiser)) == (False, wanted)
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
    assert not SecondFactor.objects.exists()
    with pytest.raises(Refused, match="has no second factor"):
        take_away(user=user, by=organiser, reason="again")
    assert Act.objects.count() == 1


def test_whoever_runs_the_site_can_do_so_where_no_organiser_can_sign_in() -> None:
    with_factor(a_user("stella", staff=True))
    call_command("remove_second_factor", "stella", "--reason", "the telephone is in the lake")
    assert Act.objects.get().by == "the platform"
    assert not SecondFactor.objects.exists()
    with pytest.raises(CommandError, match="has no second factor"):
        call_command("remove_second_factor", "stella", "--reason", "again")
    with pytest.raises(CommandError, match="nobody named"):
        call_command("remove_second_factor", "nobody", "--reason", "x")
