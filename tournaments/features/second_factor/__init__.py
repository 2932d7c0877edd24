"""The second factor: its pages, where people set up an authenticator app, passkeys and recovery codes, or remove them.

What a code or a passkey opens is checked in `accounts/second_factor.py` and `accounts/passkey_answers.py`, because
signing in, tokens and all that asks for proof of identity stand on it.
"""

from tournaments.core.config.routes import routes_of
from tournaments.core.feature import Feature
from tournaments.web.pages.methods import form, seen, sent

page = routes_of("tournaments.features.second_factor")

SECOND_FACTOR = Feature(
    name="second_factor",
    pages=(
        page("sign-in/passkey/", "passkey_pages.SignInPasskey", sent, name="sign-in-passkey"),
        page("sign-in/challenge/", "passkey_pages.challenge", sent, name="passkey-challenge"),
        page("account/second-factor/", "pages.second_factor", seen, name="second-factor"),
        page("account/second-factor/program/", "pages.program", form, name="authenticator-program"),
        page("account/second-factor/passkey/", "passkey_pages.add_passkey", form, name="passkey-add"),
        page("account/second-factor/codes/", "pages.new_recovery_codes", form, name="recovery-codes"),
        page("account/second-factor/<int:number>/remove/", "pages.remove_factor", form, name="factor-remove"),
        page("account/second-factor/code.svg", "pages.qr_code_page", seen, name="second-factor-picture"),
    ),
)
