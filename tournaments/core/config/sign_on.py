"""Single sign-on providers, read from SIGN_ON or the file it names."""

import json
import re
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bots.loopback import is_loopback
from workers.addresses import BadSetting

KEY = re.compile(r"[a-z][a-z0-9-]{0,39}")
DOMAIN = re.compile(r"""[^\s@,;:<>()\[\]\\"/]+""")
COMMON = {"key", "title", "issuer"}
NEEDED = {
    "openid": {"client_id"},
    "saml": {"sign_on_url", "certificate"},
    "lti": {"client_id", "deployments", "sign_on_url", "token_url", "keys_url", "private_key"},
}
ALLOWED = {"openid": {"secret", "domains"}, "saml": {"name_attribute", "email_attribute", "domains"}, "lti": set()}
ADDRESSES = ("sign_on_url", "token_url", "keys_url")
IN_FILES = ("secret", "certificate", "private_key")  # or as `secret_file`, the name of a file
EXTRAS = {  # by kind: a module that it needs, of which package, in which lock
    "saml": ("onelogin", "python3-saml", "requirements.lock"),
    "lti": ("pylti1p3", "pylti1p3", "lti.lock"),
}
MISSING = (
    "names a provider of kind {kind}, but {package} is not installed: install the extra with "
    "`python3 -m pip --python .venv install --require-hashes -r tournaments/features/sign_on/{lock}`, or leave it out"
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
    sign_on_url: str = ""  # SAML, LTI
    certificate: str = ""
    name_attribute: str = ""
    email_attribute: str = ""
    deployments: tuple[str, ...] = ()  # LTI
    token_url: str = ""
    keys_url: str = ""
    private_key: str = field(default="", repr=False)


def providers(setting: str) -> dict[str, Provider]:
    """Return the providers by key, in order. `setting`: a file, or its content. Raises BadSetting with the reason."""
    if not setting:
        return {}
    inline = setting.lstrip().startswith("[")
    where, folder = ("SIGN_ON", Path()) if inline else (setting, Path(setting).parent)
    try:
        rows = json.loads(setting if inline else Path(setting).read_bytes())
    except (OSError, ValueError) as error:
        raise BadSetting(f"SIGN_ON is no list of providers and names no such file: {error}") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadSetting(f"{where} must be a list of providers: [{{...}}, ...]")
    found = [provider(row, f"{where}, provider {number}", folder) for number, row in enumerate(rows, 1)]
    if len({each.key for each in found}) < len(found):
        raise BadSetting(f"{where} has two providers of one key")
    for kind, (module, package, lock) in EXTRAS.items():
        if any(each.kind == kind for each in found) and not find_spec(module):
            raise BadSetting(f"{where} {MISSING.format(kind=kind, package=package, lock=lock)}")
    return {each.key: each for each in found}


def provider(row: dict[str, Any], where: str, folder: Path) -> Provider:
    row = {name: value for name, value in with_files_read(row, where, folder).items() if value != ""}
    kind = row.get("kind", "openid")
    if kind not in NEEDED:
        raise BadSetting(f"{where}: kind must be openid, saml or lti, not {kind!r:.40}")
    needed, known = COMMON | NEEDED[kind], COMMON | NEEDED[kind] | ALLOWED[kind] | {"kind"}
    if odd := sorted(row.keys() - known):
        raise BadSetting(
            f"{where}: {odd[0]!r} is no setting of a provider of kind {kind}; these are: {sorted_names(known)}"
        )
    if missing := sorted(needed - row.keys()):
        raise BadSetting(f"{where}: {missing[0]} is missing; needed are {sorted_names(needed)}")
    lists = {name: list_of_texts(row.pop(name, []), f"{where}: {name}") for name in ("domains", "deployments")}
    if odd := [domain for domain in lists["domains"] if not DOMAIN.fullmatch(domain)]:
        raise BadSetting(f"{where}: domains must be a list of single domains, not {odd[0]!r:.60}")
    texts = {name: required_text(value, f"{where}: {name}") for name, value in row.items()}
    if not KEY.fullmatch(texts["key"]) or texts["key"] in ("name", "course"):
        raise BadSetting(
            f"{where}: key is up to 40 small letters, digits and -, and not “name” or “course”: {texts['key']!r:.60}"
        )
    for name in texts.keys() & {*ADDRESSES, "issuer" if kind == "openid" else "sign_on_url"}:
        check_provider_address(texts[name], f"{where}: {name}")
    return Provider(**texts, domains=lists["domains"], deployments=lists["deployments"])


def with_files_read(row: dict[str, Any], where: str, folder: Path) -> dict[str, Any]:
    """Return the entry with what is in the files that it names."""
    named = {name: row[f"{name}_file"] for name in IN_FILES if f"{name}_file" in row}
    read = {name: read_file(folder / required_text(file, where), where) for name, file in named.items()}
    return {name: value for name, value in row.items() if name.removesuffix("_file") not in named} | read


def sorted_names(names: set[str]) -> str:
    return ", ".join(sorted(names))


def required_text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadSetting(f"{where} must be a text")
    return value.strip()


def check_provider_address(text: str, where: str) -> None:
    parts = urlsplit(text)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
        raise BadSetting(f"{where} must begin with https://, not {text!r:.60}")


def read_file(path: Path, where: str) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{where}: {path} cannot be read: {error}") from None


def list_of_texts(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) and each and "@" not in each for each in value):
        raise BadSetting(f'{where} must be a list such as ["example.org"]')
    return tuple(each.strip() for each in value)
