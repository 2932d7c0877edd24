"""Who admits workers and takes their tokens away, and which ladders they may play."""

from dataclasses import replace

import pytest

from tests.factories import a_ladder
from tests.tournaments.features.worker_door.conftest import Outsider
from tournaments.core.errors import Refused
from tournaments.features.worker_door.actions import AdmitWorker, AllowOutsideWorkers, RevokeTokens
from tournaments.features.worker_door.tokens import TOKENS, digest_of, new_worker_secret
from tournaments.models import Space, User, WorkerToken

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue")]


def test_only_the_hash_of_a_token_is_kept_and_a_space_admits_its_own(space: Space) -> None:
    tess, secret = User.objects.get(username="tess"), new_worker_secret()
    AdmitWorker("pc", space, digest_of(secret), None).do(by=tess, reason="ours")
    token = WorkerToken.objects.select_related("worker").get()
    assert (token.digest, token.worker.name, token.worker.space) == (digest_of(secret), "pc@bio1", space)
    with pytest.raises(Refused, match="token is known already"):
        AdmitWorker("pc2", space, digest_of(secret), None).preview()
    with pytest.raises(Refused) as refused:
        AdmitWorker("pc", None, digest_of(new_worker_secret()), None).do(by=tess, reason="the site's")
    assert refused.value.code == "not_organiser"
    with pytest.raises(Refused):
        AdmitWorker("pc", space, digest_of(new_worker_secret()), None).do(
            by=User.objects.get(username="ann"), reason="me"
        )
    RevokeTokens("pc", space).do(by=tess, reason="lost")
    assert not WorkerToken.objects.exists()


@pytest.mark.parametrize("name", ["", "a b", "a@b", "x" * 60, "-a", "a/b"])
def test_a_worker_has_a_plain_name(name: str) -> None:
    with pytest.raises(Refused, match=r"a worker.s name"):
        AdmitWorker(name, None, digest_of(new_worker_secret()), None).preview()


def test_there_is_a_bound_on_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.features.worker_door.tokens.TOKENS", replace(TOKENS, most=1))
    Outsider("one")
    with pytest.raises(Refused, match="at most 1 tokens"):
        Outsider("two")


def test_ladders_of_a_space_are_not_the_sites_to_give_away(space: Space) -> None:
    ladder = a_ladder("bio1-main", players=2, space=space)
    with pytest.raises(Refused, match="ladders of a space"):
        AllowOutsideWorkers(ladder, "yes").preview()


def test_organisers_are_told_that_sources_can_be_read_outside() -> None:
    says = AllowOutsideWorkers(a_ladder(players=2), "yes").preview().says
    assert says[-1] == "Whoever runs one can read the sources of the bots there."
