"""Who a worker is, and that nobody else can say it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.identity import Identity, canonical_plain, derive, identity_of, is_signed_by, proven

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
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


@given(plain=PLAIN, other=PLAIN)
def test_a_signature_holds_for_what_was_said_and_for_nothing_else(plain: object, other: object) -> None:
    arrived = json.loads(json.dumps(plain, indent=1))
    assert is_signed_by("ada", arrived, ADA.sign(plain), "the site's")
    assert is_signed_by("ada", other, ADA.sign(plain), "the site's") == (
        canonical_plain(other) == canonical_plain(plain)
    )


def test_a_signature_holds_whatever_the_order_of_names() -> None:
    one, other = {"match": 1, "seats": {"a": 1, "b": 2}}, {"seats": {"b": 2, "a": 1}, "match": 1}
    assert list(one) != list(other)
    assert ADA.sign(one) == ADA.sign(other)


def test_nobody_signs_for_another() -> None:
    plain = {"worker": "ada/1"}
    for signature in (
        None,
        7,
        "",
        "\ud800",
        ADA.key,
        derive("bob", "the site's").sign(plain),
        Identity("ada", "k").sign(plain),
    ):
        assert not is_signed_by("ada", plain, signature, "the site's")


def test_what_is_not_plain_data_has_no_signature() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (float("nan"), deep, b"bytes"):
        assert not is_signed_by("ada", value, "0" * 64, "the site's")
