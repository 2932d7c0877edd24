"""Whom the site lets vouch for people: the providers of single sign-on, from SIGN_ON or the file that it names."""

import json
import re
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

KEY = re.compile(r"[a-z][a-z0-9-]{0,39}")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
COMMON = {"key", "title", "issuer"}
NEEDED = {"openid": {"client_id"}, "saml": {"sign_on_url", "certificate"}}
ALLOWED = {"openid": {"secret", "domains"}, "saml": {"name_attribute", "email_attribute", "domains"}}
IN_FILES = ("secret", "certificate")  # or as `secret_file`, the name of a file
NO_SAML = (
    "names a provider of SAML, but python3-saml is not installed: install the extra with "
    "`python3 -m pip --python .venv install --require-hashes -r tournaments/sign_on/requirements.lock`, or leave it out"
)


@dataclass(frozen=True, slots=True)
class Provider:
    """`key` is in addresses and stands for the provider in the table of identities: it never changes."""

    key: str
    title: str
    issuer: str
    kind: str = "openid"
    client_id: str = ""
    secret: str = field(default="", repr=False)
    domains: tuple[str, ...] = ()  # of e-mail addresses; empty: everybody whom the provider knows
    sign_on_url: str = ""  # SAML
    certificate: str = ""
    name_attribute: str = ""
    email_attribute: str = ""


def providers(setting: str) -> dict[str, Provider]:
    """By key, in their order. `setting`: a file, or its content. Raises ValueError with the reason."""
    if not setting:
        return {}
    inline = setting.lstrip().startswith("[")
    where, folder = ("SIGN_ON", Path()) if inline else (setting, Path(setting).parent)
    try:
        rows = json.loads(setting if inline else Path(setting).read_bytes())
    except (OSError, ValueError) as error:
        raise ValueError(f"SIGN_ON is no list of providers and names no such file: {error}") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{where} must be a list of providers: [{{...}}, ...]")
    found = [provider(row, f"{where}, provider {number}", folder) for number, row in enumerate(rows, 1)]
    if len({each.key for each in found}) < len(found):
        raise ValueError(f"{where} has two providers of one key")
    if any(each.kind == "saml" for each in found) and not find_spec("onelogin"):
        raise ValueError(f"{where} {NO_SAML}")
    return {each.key: each for each in found}


def provider(row: dict[str, Any], where: str, folder: Path) -> Provider:
    row = {name: value for name, value in opened(row, where, folder).items() if value != ""}
    kind = row.get("kind", "openid")
    if kind not in NEEDED:
        raise ValueError(f"{where}: kind must be openid or saml, not {kind!r:.40}")
    needed, known = COMMON | NEEDED[kind], COMMON | NEEDED[kind] | ALLOWED[kind] | {"kind"}
    if odd := sorted(row.keys() - known):
        raise ValueError(f"{where}: {odd[0]!r} is no setting of a provider of kind {kind}; these are: {listed(known)}")
    if missing := sorted(needed - row.keys()):
        raise ValueError(f"{where}: {missing[0]} is missing; needed are {listed(needed)}")
    domains = domains_of(row.pop("domains", []), where)
    texts = {name: text_of(value, f"{where}: {name}") for name, value in row.items()}
    if not KEY.fullmatch(texts["key"]) or texts["key"] == "name":
        raise ValueError(f"{where}: key is up to 40 small letters, digits and -, and not “name”: {texts['key']!r:.60}")
    address = "issuer" if kind == "openid" else "sign_on_url"
    check_address(texts[address], f"{where}: {address}")
    return Provider(**texts, domains=domains)


def opened(row: dict[str, Any], where: str, folder: Path) -> dict[str, Any]:
    """With what is in the files that it names."""
    named = {name: row[f"{name}_file"] for name in IN_FILES if f"{name}_file" in row}
    read = {name: read_file(folder / text_of(file, where), where) for name, file in named.items()}
    return {name: value for name, value in row.items() if name.removesuffix("_file") not in named} | read


def listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def text_of(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{where} must be a text")
    return value.strip()


def check_address(text: str, where: str) -> None:
    parts = urlsplit(text)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise ValueError(f"{where} must begin with https://, not {text!r:.60}")


def read_file(path: Path, where: str) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{where}: {path} cannot be read: {error}") from None


def domains_of(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) and "@" not in each for each in value):
        raise ValueError(f'{where}: domains must be a list such as ["example.org"]')
    return tuple(each.strip().lower() for each in value)
