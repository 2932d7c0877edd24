"""What organisers alone may see and do takes the second factor where the site wants one, with a token as on a page."""

from typing import Any

import pytest

from tests.factories import a_user
from tests.tournaments.core.accounts.test_second_factor import with_factor
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.api.world import World
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.core.accounts.api_tokens import make_token
from tournaments.core.errors import Refused
from tournaments.ledger.acts.announcements import Announce
from tournaments.models import User

pytestmark = pytest.mark.django_db


def sees(world: World, stella: User, key: str) -> dict[str, bool]:
    """Whether things of the organisers' own are seen, by a token and by a session."""
    version = ask("GET", f"bots/{world.bot.pk}/versions/1", key).json()
    fault = ask("GET", f"matches/{world.match.pk}", key).json()["seats"]
    check = world.version.check_set.matches.get().pk
    return {
        "report": version["report"] is not None,
        "evidence": any(seat["faults"] is not None for seat in fault),
        "check": ask("GET", f"matches/{check}", key).status_code == 200,
        "bundle": ask("GET", f"bundles/{world.version.bundle_id}", key).status_code == 200,
        "page": signed_in(stella).get(f"/matches/{check}/").status_code == 200,
    }


def test_organisers_without_a_second_factor_see_what_everybody_sees(api_world: World, settings: Any) -> None:
    stella = a_user("stella", staff=True)
    key = f"Token {make_token(user=stella, name='of before')}"
    assert set(sees(api_world, stella, key).values()) == {True}
    settings.STAFF_NEED_SECOND_FACTOR = True
    assert set(sees(api_world, stella, key).values()) == {False}
    answer = ask("POST", "acts/announce", key, {"text": "x", "reason": "x"})
    assert refused(answer) == (403, "second_factor_needed")
    with pytest.raises(Refused, match="second factor"):
        Announce(text="x").do(by=stella, reason="x")
    with_factor(stella)
    stella = User.objects.get(pk=stella.pk)
    assert sees(api_world, stella, key) == dict.fromkeys(sees(api_world, stella, key), False) | {"page": True}
    assert refused(ask("POST", "acts/announce", key, {"text": "x"})) == (403, "second_factor_needed")
    assert set(sees(api_world, stella, f"Token {make_token(user=stella, name='of after')}").values()) == {True}
