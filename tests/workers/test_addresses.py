"""Addresses from the environment are read in one way, or refused in a sentence that tells no password."""

from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kombu import Connection
from redis import Redis

from workers.addresses import REDIS, BadSetting, redis_address, server_address, site_address
from workers.broker import address


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("", "http://127.0.0.1:8000"),
        ("https://board.example", "https://board.example"),
        ("https://board.example/", "https://board.example"),
        (" HTTPS://Board.EXAMPLE:443// \n", "https://board.example"),
        ("http://board.example:80", "http://board.example"),
        ("http://board.example:443", "http://board.example:443"),
        ("https://board.example.:8443/", "https://board.example:8443"),
        ("http://board.example:08000", "http://board.example:8000"),
        ("https://board.example:", "https://board.example"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://XN--BCHER-KVA.example", "https://xn--bcher-kva.example"),
        ("http://[0:0::1]:8000/", "http://[::1]:8000"),
        ("http://192.168.1.5:8000", "http://192.168.1.5:8000"),
    ],
)
def test_the_sites_address_is_spelled_as_browsers_do(written: str, address: str) -> None:
    assert site_address(written) == address
    assert site_address(address) == address


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("board.example", "neither https:// nor http://"),
        ("localhost:8000", "neither https:// nor http://"),
        ("//board.example", "neither https:// nor http://"),
        ("ftp://board.example", "neither https:// nor http://"),
        ("https:/board.example", "neither https:// nor http://"),
        ("https://", "neither https:// nor http://"),
        ("https://board.example/arena", "cannot be below a path, as /arena is"),
        ("https://board.example/?x=1", "nothing may follow"),
        ("https://board.example#x", "nothing may follow"),
        ("https://ada:s3cret@board.example", "a user name or a password"),
        ("https://ada:s3c/ret@board.example", "a user name or a password"),
        ("https://board.example:s3cret", "a port"),
        ("https://board.example:65536", "a port"),
        ("https://board.example:0", "a port"),
        ("https://[::1", "a port"),
        ("https://board\t.example", "a sign that no address has"),
        ("https://board .example", "is not the name of a host"),
        ("https://board_1.example", "is not the name of a host"),
        ("https://board..example", "is not the name of a host"),
        ("https://board.example\\x", "is not the name of a host"),
        ("https://straße.example", "spell other letters by xn--"),
        ("https://[fe80::1%25eth0]", "is not the name of a host"),
        ("https://:8000", "is not the name of a host"),
    ],
)
def test_what_is_no_address_of_a_site_is_refused_with_its_reason(written: str, reason: str) -> None:
    with pytest.raises(BadSetting, match="SITE_URL must be the scheme, the host") as error:
        site_address(written)
    assert reason in str(error.value)
    assert "s3c" not in str(error.value)


SERVERS = {
    "DATABASE_URL": ("postgresql://ada:{}@host:5432/name", ("postgresql", "postgres")),
    "REDIS_URL": ("redis://:{}@host:6379/0", REDIS),
    "EMAIL_URL": ("smtps://ada:{}@host:465", ("smtp", "smtps")),
}
PLAIN = ("s3#cret", "s3@cret", "s3/cret", "s3?cret", "s3%cret", "s3%zz", "s3[cret", "s3]cret", "12/34", "1#s3", "#")
ODDER = ("@", "s3@c/ret", "s3/c@ret", "s3@c?r=et", "s3\tcret", "s3\ncret", "s3\u2100", "a/b?c#d@e%f")


@pytest.mark.parametrize("password", PLAIN + ODDER)
@pytest.mark.parametrize("setting", SERVERS)
def test_a_password_with_signs_that_addresses_use_is_refused_and_told_to_nobody(setting: str, password: str) -> None:
    url, schemes = SERVERS[setting]
    with pytest.raises(BadSetting, match=rf"\A{setting} cannot be read as .*%23 for #, %40 for @") as error:
        server_address(setting, url.format(password), schemes)
    assert "s3" not in str(error.value)
    assert "34" not in str(error.value)
    assert error.value.__suppress_context__ or error.value.__context__ is None


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_password_can_be_written(password: str) -> None:
    for setting, (url, schemes) in SERVERS.items():
        assert (
            unquote(server_address(setting, url.format(quote(password, safe="")), schemes).password or "") == password
        )


@pytest.mark.parametrize(
    "url",
    [
        *("unix:///run/redis.sock?db=1", "unix://:p%3Fw@/run/redis.sock", "rediss://lab%40bio1:x@h:6379/0"),
        *("redis://[::1]", "rediss://h/2?ssl_ca_certs=%2Fetc%2Fca.pem", "redis://:a%2Fb%3Fc%23d%40e%25f@h/3"),
    ],
)
def test_other_addresses_stay_as_they_are(url: str) -> None:
    assert redis_address(f" {url}\n") == url


@pytest.mark.parametrize(
    ("url", "number"),
    [
        *(("redis://127.0.0.1", 0), ("redis://127.0.0.1/", 0), ("redis://127.0.0.1/07", 7)),
        *(("redis://127.0.0.1?db=3", 3), ("redis://127.0.0.1:6379/0?db=3", 3), ("REDIS://:x@127.0.0.1/?db=3", 3)),
        *(("rediss://h?ssl_cert_reqs=none&db=4", 4), ("unix:///run/redis.sock", 0), ("unix:///run/redis.sock?db=5", 5)),
    ],
)
def test_both_clients_read_one_database_of_it(url: str, number: int) -> None:
    """The site's own and Celery's, which took a number after ? for nothing, or ended."""
    broker_url = redis_address(url)
    assert Redis.from_url(broker_url).connection_pool.connection_kwargs.get("db", 0) == number
    where = Connection(address(broker_url))
    _, _, path = (where.hostname or "").partition("?virtual_host=")
    assert int((path or where.virtual_host).strip("/") or 0) == number


@pytest.mark.parametrize(
    "url", ["redis://h/0?socket_timeout=5", "redis://h?password=x", "unix:///a?password=x&db=2", "redis://h?ssl_x=1"]
)
def test_options_that_only_one_client_knows_are_refused(url: str) -> None:
    with pytest.raises(BadSetting, match=r"REDIS_URL may have \?db= or"):
        redis_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "redis://h/abc",
        "redis://h/0/",
        "rediss://h:6379/1/2",
        "redis://:x@h/-1",
        "redis://h?db=x",
        "unix:///",
        "unix://",
    ],
)
def test_an_address_of_no_database_of_redis_is_refused(url: str) -> None:
    with pytest.raises(BadSetting, match="REDIS_URL must "):
        redis_address(url)
