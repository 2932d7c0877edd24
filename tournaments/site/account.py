"""The user's own account page: what each feature keeps of them, and the ways to it."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournaments.core.accounts import recovery_codes
from tournaments.core.accounts.organisers import has_factor
from tournaments.core.accounts.suspension import suspension_of
from tournaments.core.feature import features
from tournaments.features.sign_on.identity_pages import ways_to_sign_in
from tournaments.web.pages.account_forms import EmailForm
from tournaments.web.pages.who_asks import signed_in


@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Show one's own account. The form asks for an e-mail address only where the site can send e-mail."""
    user = signed_in(request)
    form = EmailForm(request, user, request.POST or None, initial={"email": user.email})
    if request.method == "POST" and settings.CAN_MAIL and form.is_valid():
        user.email = form.cleaned_data["email"]
        user.save(update_fields=["email"])
        messages.success(request, "Saved.")
        return redirect("account")
    context = {
        "form": form if settings.CAN_MAIL else None,
        "has_factor": has_factor(user),
        "codes": recovery_codes.codes_left(user),
        "ways": ways_to_sign_in(user),
        "providers": settings.SIGN_ON,
        "suspension": suspension_of(user),
        "tokens": user.tokens.count(),
        "cards": [card for feature in features() if (card := feature.account_card(user))],
    }
    return render(request, "account.html", context)
