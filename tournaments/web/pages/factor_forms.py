"""Forms that ask for the second factor: a code or a passkey."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_noop

from tournaments.core.accounts import passkeys
from tournaments.core.accounts.second_factor import check_factor_code
from tournaments.core.errors import Refused
from tournaments.models import User
from tournaments.web.pages.passkey_answers import user_of_passkey_answer
from tournaments.web.pages.run_action import sentence

NO_PASSKEY = gettext_noop("Press the button: your browser asks for the passkey.")


class PasskeyButton(forms.Widget):
    """A button of our script, which puts the authenticator's answer into a field beside it and sends the form."""

    template_name = "_passkey.html"

    def __init__(self, why: passkeys.For) -> None:
        super().__init__()
        self.why = why

    def id_for_label(self, _id: str | None, _index: str | None = None) -> str:
        """Return an empty id: a button names itself."""
        return ""

    def get_context(self, name: str, _value: Any, attrs: Any) -> dict[str, Any]:
        """Return the context without the value: an answer counts once."""
        return {**super().get_context(name, None, attrs), "why": self.why}


class CodeForm(forms.Form):
    """A code, or where they have one a passkey. A check uses either up."""

    code = forms.CharField(
        max_length=40,
        help_text="The six digits that your authenticator shows now, or one of your recovery codes.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "autofocus": True}),
    )
    passkey = forms.CharField(required=False, max_length=passkeys.LONGEST_ANSWER, widget=PasskeyButton("factor"))

    def offer_passkey(self, user: User) -> None:
        if not (passkeys.usable() and passkeys.passkeys_of(user)):
            del self.fields["passkey"]
        elif self.data.get("passkey"):
            self.fields["code"].required = False

    def pass_factor(self, request: HttpRequest, user: User) -> None:
        """Raises Refused: bad_code, factor_unreadable, bad_passkey, passkey_expired, passkey_copied."""
        if answer := self.cleaned_data.get("passkey"):
            user_of_passkey_answer(request, "factor", user, answer)
        else:
            check_factor_code(user=user, code=self.cleaned_data["code"])

    def refuse(self, refused: Refused) -> None:
        self.add_error(
            "passkey" if self.data.get("passkey") and "passkey" in self.fields else "code", sentence(refused)
        )


class PasskeyInForm(forms.Form):
    passkey = forms.CharField(
        max_length=passkeys.LONGEST_ANSWER,
        widget=PasskeyButton("in"),
        error_messages={"required": NO_PASSKEY},
    )
