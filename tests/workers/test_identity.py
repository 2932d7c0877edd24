"""Who a worker is, and that nobody else can say it."""

import pytest

from workers.identity import derive, identity_of, proven

ADA = derive("ada", "the site's")


def test_a_worker_that_holds_the_sites_token_takes_the_name_of_its_host_or_the_one_it_is_told() -> None:
    assert identity_of({"WORKER_TOKEN": "the site's"}, "ada") == ADA
    assert identity_of({"WORKER_TOKEN": "the site's", "WORKER_NAME": "ada"}, "box") == ADA
    assert identity_of({"WORKER_TOKEN": "the site's"}, "a" * 64).name == "a" * 60


def test_a_worker_that_holds_its_own_token_has_its_name_from_it() -> None:
    assert identity_of({"WORKER_TOKEN": ADA.token}, "box") == ADA
    assert identity_of({"WORKER_TOKEN": ADA.token, "WORKER_NAME": "ada"}, "box") == ADA


@pytest.mark.parametrize(
    ("environment", "host", "sentence"),
    [
        ({}, "box", "WORKER_TOKEN is not set"),
        ({"WORKER_TOKEN": "x", "WORKER_NAME": "a b"}, "box", "'a b' cannot be a worker's name"),
        ({"WORKER_TOKEN": "x", "WORKER_NAME": "a/b"}, "box", "'a/b' cannot be a worker's name"),
        ({"WORKER_TOKEN": "x", "WORKER_NAME": "a:b"}, "box", "'a:b' cannot be a worker's name"),
        ({"WORKER_TOKEN": "x", "WORKER_NAME": "a\n"}, "box", "cannot be a worker's name"),
        ({"WORKER_TOKEN": "x", "WORKER_NAME": "lab@bio1"}, "box", "workers of a space come by the site's address"),
        ({"WORKER_TOKEN": f"lab@bio1:{'0' * 64}"}, "box", "workers of a space come by the site's address"),
        ({"WORKER_TOKEN": "x", "WORKER_NAME": "a" * 61}, "box", "1 to 60"),
        ({"WORKER_TOKEN": "x"}, "_gateway", "begins with a letter or a digit"),
        ({"WORKER_TOKEN": ADA.token, "WORKER_NAME": "bob"}, "box", "is bob, but WORKER_TOKEN is that of ada"),
    ],
)
def test_who_cannot_be_named_is_told_why(environment: dict[str, str], host: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        identity_of(environment, host)


def test_a_token_proves_the_name_it_was_made_for_at_the_site_that_made_it() -> None:
    assert proven(ADA.token, "the site's") == "ada"
    for token in (
        "",
        "ada",
        "ada:",
        f"bob:{ADA.key}",
        f"ada:{ADA.key[:-1]}",
        f"{ADA.token} ",
        "ada:\xff",
        "the site's",
    ):
        assert proven(token, "the site's") is None
    assert proven(ADA.token, "another") is None  # a new token of the site ends all that came from the old one
    assert proven(derive("ada", " ").token, "") is None
    assert proven(derive("lab@bio1", "the site's").token, "the site's") == "lab@bio1"  # of v0.2.0, until it is stopped
