"""Forms that set up a second factor: the first code of an authenticator app, a new passkey."""

from django import forms

from tournaments.core.accounts import passkeys
from tournaments.web.pages.factor_forms import NO_PASSKEY, PasskeyButton


class FirstCodeForm(forms.Form):
    code = forms.CharField(
        max_length=40,
        help_text="The six digits that your authenticator shows now.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "autofocus": True}),
    )


class PasskeyForm(forms.Form):
    """A new one: the ceremony of the browser comes last, when all else is typed."""

    name = forms.CharField(
        max_length=passkeys.LONGEST_NAME, help_text="So that you recognise it, such as “phone” or “key on my ring”."
    )
    alone = forms.BooleanField(
        required=False,
        initial=True,
        label="It replaces my password",
        help_text="It then asks for your finger, your face or a PIN. Old security keys cannot: leave it off for them.",
    )
    passkey = forms.CharField(
        max_length=passkeys.LONGEST_ANSWER, widget=PasskeyButton("add"),
        error_messages={"required": NO_PASSKEY},
    )  # fmt: skip
