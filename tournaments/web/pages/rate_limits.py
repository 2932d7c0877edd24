"""How often a form may be sent; counted together with the API's requests, so that neither bypasses the other."""

from django.http import HttpRequest

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.models import User
from tournaments.web.pages.known_browsers import device_of
from tournaments.web.server.request_rates import (
    CODES,
    EXAMINE,
    GUESSES,
    LETTERS,
    SIGN_IN,
    SIGN_UP,
    UPLOAD,
    Rate,
    TooOften,
    asker_address,
    give_back_try,
    take_try,
)

SIGN_ON = Rate("sign-on", 600, 600)  # of an address, both ways: each holds a thread while a provider is asked
PASSKEYS = Rate("passkeys", 100, 600, closed_without_cache=True)  # of an address: challenges, and answers to them
LOST_PASSWORD = Rate("lost-password", 5, 3600)  # of an address: each may send an e-mail
LONGEST_NAME = 150


def count_for_rate(rate: Rate, who: str) -> None:
    """Count one action of `who`. Raises Refused: too_often, try_later."""
    try:
        take_try(rate, who)
    except TooOften:
        most = Sentence("at most %(times)s times in %(seconds)s minutes", times=rate.times, seconds=rate.seconds // 60)
        raise Refused("too_often", "too many attempts: %(most)s; come back later", most=most) from None


def count_sign_in(request: HttpRequest, name: str) -> None:
    """Count by address and name together, so that nobody's guesses lock out the owner, who is elsewhere.
    Where the owner has been before, it counts apart from all others: there somebody else may share the address."""
    device = device_of(request, name[:LONGEST_NAME].casefold())
    count_for_rate(SIGN_IN, f"device {device}" if device else asker_address(request))
    count_for_rate(GUESSES, _guesser(request, name))


def give_back_sign_in(request: HttpRequest, name: str) -> None:
    """The password was right: of tries at the name it was none."""
    give_back_try(GUESSES, _guesser(request, name))


def _guesser(request: HttpRequest, name: str) -> str:
    name = name[:LONGEST_NAME].casefold()
    device = device_of(request, name)
    return f"device {device} {name}" if device else f"{asker_address(request)} {name}"


def count_own(rate: Rate, request: HttpRequest) -> None:
    """Count by session: somebody who finds one open does not lock the owner out of another."""
    count_for_rate(rate, _session(request))


def give_back_own(rate: Rate, request: HttpRequest) -> None:
    give_back_try(rate, _session(request))


def _session(request: HttpRequest) -> str:
    return f"session {request.session.session_key}"


def count_sign_up(request: HttpRequest) -> None:
    count_for_rate(SIGN_UP, asker_address(request))


def count_sign_on(request: HttpRequest) -> None:
    count_for_rate(SIGN_ON, asker_address(request))


def count_code(request: HttpRequest, user: User) -> None:
    """Count by person, from anywhere, since there are few codes; known browsers are counted apart."""
    count_for_rate(CODES, _coder(request, user))


def give_back_code(request: HttpRequest, user: User) -> None:
    give_back_try(CODES, _coder(request, user))


def _coder(request: HttpRequest, user: User) -> str:
    device = device_of(request, user.username)
    return f"device {device} {user.pk}" if device else str(user.pk)


def count_passkey(request: HttpRequest) -> None:
    """Count by address: of a passkey there is nothing to guess, but each try costs a signature."""
    count_for_rate(PASSKEYS, asker_address(request))


def count_lost_password(request: HttpRequest) -> None:
    count_for_rate(LOST_PASSWORD, asker_address(request))


def count_letter(user: User) -> None:
    count_for_rate(LETTERS, str(user.pk))


def count_upload(user: User) -> None:
    count_for_rate(UPLOAD, str(user.pk))


def count_examination(user: User) -> None:
    count_for_rate(EXAMINE, str(user.pk))
