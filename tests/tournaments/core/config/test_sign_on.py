"""The providers of single sign-on as an operator writes them, right and wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from tournaments.core.config.sign_on import providers

UNI = {"key": "uni", "title": "University", "issuer": "https://uni.example/", "client_id": "boardroom"}
SAML = {"key": "firm", "title": "Firm", "issuer": "x", "kind": "saml", "sign_on_url": "https://firm.example/in"}


def test_a_file_names_providers_and_the_files_of_their_secrets(tmp_path: Path) -> None:
    (tmp_path / "uni.secret").write_text("of two\n")
    (tmp_path / "firm.pem").write_text("CERTIFICATE")
    rows = [{**UNI, "secret_file": "uni.secret", "domains": ["Uni.example"]}, {**SAML, "certificate_file": "firm.pem"}]
    (tmp_path / "sign-on.json").write_text(json.dumps(rows))
    by_key = providers(str(tmp_path / "sign-on.json"))
    assert [*by_key] == ["uni", "firm"]
    assert (by_key["uni"].secret, by_key["uni"].domains, by_key["uni"].issuer) == (
        "of two",
        ("Uni.example",),
        UNI["issuer"],
    )
    assert (by_key["firm"].certificate, by_key["firm"].kind) == ("CERTIFICATE", "saml")
    assert "of two" not in repr(by_key)
    assert providers(json.dumps([{**UNI, "secret": "of two"}]))["uni"].secret == "of two"
    assert providers("") == {}


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({}, "names no such file"),
        (["uni"], "must be a list of providers"),
        ([{**UNI, "kind": "oauth"}], "provider 1: kind must be openid, saml or lti"),
        ([{**UNI, "clientid": "x"}], "'clientid' is no setting"),
        ([{**UNI, "client_id": ""}], "client_id is missing"),
        ([{**UNI, "client_id": 7}], "client_id must be a text"),
        ([{**UNI, "issuer": "http://uni.example"}], "must begin with https://"),
        ([{**UNI, "key": "Uni/"}], "key is up to 40 small letters"),
        ([{**UNI, "key": "name"}], "not “name”"),
        ([{**UNI, "domains": "uni.example"}], "domains must be a list"),
        ([{**UNI, "domains": ["uni.example,evil.example"]}], "single domains"),
        ([{**UNI, "domains": ["uni.example\nevil.example"]}], "single domains"),
        ([{**UNI, "domains": [" "]}], "single domains"),
        ([{**UNI, "secret_file": "no such file"}], "cannot be read"),
        ([UNI, UNI], "two providers of one key"),
        ([SAML], "certificate is missing"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(rows: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        providers(json.dumps(rows))


def test_without_the_extra_saml_is_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.core.config.sign_on.find_spec", lambda _name: None)
    with pytest.raises(ValueError, match="python3-saml is not installed: install the extra"):
        providers(json.dumps([{**SAML, "certificate": "x"}]))
    assert providers(json.dumps([UNI]))
