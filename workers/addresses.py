"""Addresses from the environment: read in one way by the site and its workers, or refused with a sentence."""

import re
from collections.abc import Mapping, Sequence
from ipaddress import IPv6Address
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

SITE = "http://127.0.0.1:8000"  # where nothing is said
REDIS = ("redis", "rediss", "unix")
PORTS = {"http": 80, "https": 443}
HOST = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
HOST_PATTERN = re.compile(r"(\.?[\w-]+(\.[\w-]+)*\.?|\*|\[[0-9a-f:]+\])?", re.IGNORECASE)  # as Django takes them
SITE_WANTED = "SITE_URL must be the scheme, the host and, if it needs one, the port of the site, such as https://boardroom.example"
ESCAPES = ", ".join(f"%{ord(sign):02X} for {sign}" for sign in "%#@/?[]:")
REDIS_NUMBER = re.compile("(/[0-9]{0,4})?")
BARE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


class BadSetting(ValueError):
    """A setting that the program cannot start with; the message names it and never tells a password."""


def server_address(setting: str, text: str, schemes: Sequence[str]) -> SplitResult:
    """Return the parts of a server's address, whose user name and password are still escaped. Raises BadSetting."""
    url = text.strip()
    parts = _split(url)
    if parts and parts.scheme not in schemes:
        expected = " or ".join(f"{scheme}://host" for scheme in schemes)
        written = f"is {parts.scheme[:20]}://" if parts.scheme and parts.netloc else "begins otherwise"
        raise BadSetting(f"{setting} must be {expected}, and {written}")
    if not parts or not url.isprintable() or "#" in url or BARE_PERCENT.search(url) or not one_user(url, parts):
        raise BadSetting(
            f"{setting} cannot be read as {schemes[0]}://user:password@host:port. "
            f"In the user name and the password, write {ESCAPES}"
        )
    return parts


def _split(url: str) -> SplitResult | None:
    """Return the parts, or None where they, or the port, are none: what Python says of those may tell a password."""
    try:
        parts = urlsplit(url)
        return parts if parts.port != 0 else None
    except ValueError:
        return None


def one_user(url: str, parts: SplitResult) -> bool:
    """Whether the only @ ends the user name and password: else a part of them would be taken for something else."""
    return url.count("@") == parts.netloc.count("@") <= 1


def redis_address(text: str) -> str:
    """Return the address of the Redis server as both its clients read it: they differ in the options that they know.

    Raises BadSetting.
    """
    parts = server_address("REDIS_URL", text, REDIS)
    is_file, start = parts.scheme == "unix", f"{parts.scheme}://{parts.netloc}"
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    number = options.pop("db", "")
    if is_file and not parts.path.strip("/"):
        raise BadSetting("REDIS_URL must name the file of the socket: unix:///the/folder/of/redis.sock")
    if not REDIS_NUMBER.fullmatch(f"/{number}") or not (is_file or REDIS_NUMBER.fullmatch(parts.path)):
        raise BadSetting("REDIS_URL must end with the host, the port or the number of a database, such as /0")
    if other := next((name for name in options if parts.scheme != "rediss" or not name.startswith("ssl_")), ""):
        raise BadSetting(f"REDIS_URL may have ?db= or, with rediss://, ?ssl_…= behind it, and not {other[:20]}=")
    if is_file:
        return f"{start}{parts.path}" + (f"?db={number}" if number else "")
    return start + (f"/{number}" if number else parts.path) + (f"?{urlencode(options)}" if options else "")


def site_address(text: str) -> str:
    """Return the site's address as browsers write it: SCHEME://HOST, with a port that is not the scheme's own.

    Raises BadSetting.
    """
    written = text.strip() or SITE
    parts = _split(written)
    fault = _fault_of(written, parts)
    if parts is None or fault:
        raise BadSetting(f"{SITE_WANTED}: {fault}")
    host = host_of(parts)
    if not host:
        raise BadSetting(f"{SITE_WANTED}: {parts.netloc[:60]} is not the name of a host; spell other letters by xn--")
    port = parts.port if parts.port != PORTS[parts.scheme] else None
    return f"{parts.scheme}://{host}" + (f":{port}" if port else "")


def host_name(address: str) -> str:
    """Return the host of a site's address, an IPv6 address in its brackets."""
    host = urlsplit(address).hostname or ""
    return f"[{host}]" if ":" in host else host


def host_names(environment: Mapping[str, str], name: str, default: str) -> list[str]:
    """Return the hosts that a setting lists, separated by commas. Raises BadSetting."""
    hosts = [host.strip() for host in (environment.get(name) or default).split(",")]
    if wrong := next((host for host in hosts if not HOST_PATTERN.fullmatch(host)), None):
        raise BadSetting(f"{name} must be names of hosts, separated by commas and without ports, not {wrong!r:.60}")
    return [host for host in hosts if host]


def _fault_of(written: str, parts: SplitResult | None) -> str:
    """Return what is wrong besides the host; empty where nothing is."""
    if "@" in written:
        return "it has a user name or a password"
    if parts is None or not written.isprintable():
        return "it has a port that is no number from 1 to 65535, or a sign that no address has"
    if parts.scheme not in PORTS or not parts.netloc:
        return "it begins with neither https:// nor http://"
    if parts.path.strip("/"):
        return f"the site cannot be below a path, as {parts.path[:40]} is"
    return "nothing may follow the host and the port" if parts.query or parts.fragment else ""


def host_of(parts: SplitResult) -> str:
    """Return the host in ASCII, an IPv6 address in its brackets; empty for what is none."""
    host = (parts.hostname or "").removesuffix(".")
    try:
        if ":" in host:
            return f"[{IPv6Address(host)}]" if "%" not in host else ""
        name = host.encode("idna").decode()
        # The codec is of 2003: what browsers spell otherwise since, such as ß, does not come back from it.
        is_same = host.isascii() or name.encode().decode("idna") == host
    except ValueError:
        return ""
    return name if is_same and HOST.fullmatch(name) else ""
