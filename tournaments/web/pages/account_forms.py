"""Forms of an account: e-mail, passwords, second factor, tokens, sign-in and sign-up."""

from collections.abc import Callable, Iterable
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    UserCreationForm,
)
from django.db import connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy, gettext_noop

from engine.sentences import Sentence
from tournaments.core.accounts.api_tokens import DAYS, revoke_all
from tournaments.core.accounts.names import LONGEST_PERSON, alike, check_person_name, taken
from tournaments.core.accounts.organisers import has_factor
from tournaments.core.config.plain_text import without_links
from tournaments.core.errors import Refused
from tournaments.core.notices.create import may_be_mailed
from tournaments.core.notices.email import mail_new_password
from tournaments.models import User
from tournaments.web.pages.factor_forms import CodeForm
from tournaments.web.pages.forms import NameField
from tournaments.web.pages.rate_limits import count_own, count_sign_in, give_back_own, give_back_sign_in
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.who_asks import has_just_signed_on
from tournaments.web.server.request_rates import CODES, GUESSES

LIVES = [
    *((7, gettext_lazy("a week")), (30, gettext_lazy("a month"))),
    *((90, gettext_lazy("three months")), (DAYS, gettext_lazy("a year"))),
]
NOT_FRESH = gettext_noop("Sign in again first, because you have no password here: the link is on your account’s page.")
PASSWORD_RULES = Sentence(
    "At least %(least)s characters, not a common word, not like your name.", least=settings.PASSWORD_LENGTH
)


class Guarded(forms.Form):
    """Asks for the password of the signed-in user, and counts the guesses. Who has none shows a fresh sign-on."""

    password = forms.CharField(
        strip=False,
        max_length=1024,
        label="Your password",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.user = request, user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean(self) -> dict[str, Any]:
        found = super().clean() or self.cleaned_data
        proven = self.fields.keys() & {"password", "code"} or has_just_signed_on(self.request)
        if not proven:
            raise forms.ValidationError(NOT_FRESH, "not_fresh")
        return found

    def clean_password(self) -> str:
        count_guess(lambda: count_own(GUESSES, self.request))
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise forms.ValidationError("This is not your password.", "bad_password")
        give_back_own(GUESSES, self.request)
        return password


def count_guess(count: Callable[[], None]) -> None:
    """Count one guess at a password, before it is checked."""
    try:
        count()
    except Refused as refused:
        raise forms.ValidationError(sentence(refused), refused.code) from None


class EmailForm(Guarded):
    email = forms.EmailField(
        required=False, label="E-mail", help_text="For a lost password, and nothing else. Nobody else sees it."
    )
    field_order = ("email", "password")


class NewPassword(SetPasswordForm):  # type: ignore[type-arg]
    end_tokens = forms.BooleanField(
        required=False, label="Revoke my tokens too", help_text="Choose this if somebody else may know your password."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = PASSWORD_RULES
        self.fields["new_password2"].label = Sentence("New password, once more")
        self.fields["new_password2"].help_text = ""

    def save(self, commit: bool = True) -> Any:
        user = super().save(commit)
        if self.cleaned_data["end_tokens"]:
            revoke_all(by=user)
        return user


class OtherPassword(NewPassword, PasswordChangeForm):
    """The old password counts as a guess like any other."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        count_guess(lambda: count_own(GUESSES, self.request))
        password = str(super().clean_old_password())
        give_back_own(GUESSES, self.request)
        return password


class FirstPassword(NewPassword):
    """Of an account that single sign-on alone has opened."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean(self) -> dict[str, Any]:
        if not has_just_signed_on(self.request):
            raise forms.ValidationError(NOT_FRESH, "not_fresh")
        return super().clean() or self.cleaned_data


class LostPassword(PasswordResetForm):
    """Neither the answer nor its duration shows whether an account has this address."""

    def get_users(self, email: str) -> Iterable[User]:
        """Return the accounts, first those that have confirmed the address: they get the letters that go there."""
        return sorted(super().get_users(email), key=lambda user: not may_be_mailed(user))

    def send_mail(self, *args: Any, **_kwargs: Any) -> None:
        subject, text, context, *_ = args
        name = without_links(context["user"].username)
        written = render_to_string(subject).strip(), render_to_string(text, {**context, "name": name})
        mail_new_password(context["user"], *written)

    def send(self) -> None:
        Thread(target=self._send, name="lost password").start()

    def _send(self) -> None:
        """Send the link; it leads to SITE_URL and never to the host that the request names."""
        try:
            self.save(
                domain_override=urlsplit(settings.SITE_URL).netloc,
                use_https=settings.HTTPS,
                subject_template_name="lost_password_subject.txt",
                email_template_name="lost_password_mail.txt",
            )
        finally:
            connection.close()


class Factored(Guarded, CodeForm):
    """Asks for the second factor where there is one, and checks it last, for that uses it up."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer_passkey(self.user)

    def clean(self) -> dict[str, Any]:
        found = super().clean() or self.cleaned_data
        if "code" in self.fields and not self.errors:
            try:
                count_own(CODES, self.request)
                self.pass_factor(self.request, self.user)
                give_back_own(CODES, self.request)
            except Refused as refused:
                self.refuse(refused)
        return found


class TurnOffForm(Factored):
    """The password too: what is removed guards the account no more."""

    field_order = ("password", "code", "passkey")


class Proven(Factored):
    """For what a session alone may not do: asks for the second factor where there is one, else for the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("password",) if has_factor(self.user) else ("code", "passkey"):
            self.fields.pop(name, None)


class TokenForm(Proven):
    name = forms.CharField(max_length=60, help_text="Where you will use it, such as “laptop”.")
    days = forms.TypedChoiceField(label="Valid for", coerce=int, choices=LIVES, initial=DAYS)
    reads_only = forms.BooleanField(required=False, label="It may only read")
    field_order = ("name", "days", "reads_only", "password", "code", "passkey")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("autofocus", None)

    def wanted(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("name", "days", "reads_only")}


class EraseForm(Proven):
    name = forms.CharField(max_length=150, label="Your name, to confirm")
    field_order = ("name", "password", "code", "passkey")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = Sentence("Type %(name)s here.", name=self.user.username)
        for field in self.fields.values():
            field.widget.attrs.pop("autofocus", None)

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if name != self.user.username:
            raise forms.ValidationError(f"This is not the name of this account, which is {self.user.username}.", "name")
        return name


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": "No account has this name and password. Both are case-sensitive.",
        "inactive": "This account is closed.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"

    def clean(self) -> dict[str, Any]:
        """Count the try before the password is checked; one that is right is given back."""
        request, name = self.request, self.cleaned_data.get("username", "")
        assert request is not None
        count_guess(lambda: count_sign_in(request, name))
        cleaned = super().clean()
        if self.user_cache is not None:
            give_back_sign_in(request, name)
        return cleaned


class SignUpForm(UserCreationForm):  # type: ignore[type-arg]
    username = NameField(
        label="Name",
        max_length=LONGEST_PERSON,
        help_text="Letters, digits and _ . - only, at most 30. Everyone sees it beside your bots.",
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    class Meta:
        model = User
        fields = ("username",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = PASSWORD_RULES
        self.fields["password2"].label = Sentence("Password, once more")
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        try:
            check_person_name(name)
        except Refused as refused:
            raise forms.ValidationError(sentence(refused), refused.code) from None
        if other := alike(User.objects.all(), "username", name):
            why = Refused("name_taken", taken(Sentence("somebody"), other, name))
            raise forms.ValidationError(sentence(why), why.code)
        return name
