"""The user's webhooks: addresses that notices are posted to."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournaments.core.errors import Refused
from tournaments.core.notices.channels import KINDS, post_a_test
from tournaments.core.notices.webhooks import add_webhook
from tournaments.models import Delivery, Webhook
from tournaments.web.pages.rate_limits import count_letter
from tournaments.web.pages.run_action import act, sentence
from tournaments.web.pages.sentences import choices_now, say
from tournaments.web.pages.who_asks import signed_in

LATEST = 5  # deliveries shown of each


class WebhookForm(forms.Form):
    url = forms.CharField(
        max_length=300,
        label="Address",
        help_text="Notices are posted there as JSON, such as https://example.org/hook.",
        widget=forms.URLInput(),
    )
    kinds = forms.MultipleChoiceField(
        choices=choices_now(KINDS),
        widget=forms.CheckboxSelectMultiple,
        label="Post to it when",
        error_messages={"required": "Choose at least one kind of notice."},
    )


@login_required
@never_cache
def webhooks(request: HttpRequest) -> HttpResponse:
    """A webhook's secret is in the answer to the form that made it, and nowhere else."""
    user, secret = signed_in(request), ""
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            secret = add_webhook(user=user, **form.cleaned_data).secret
            form = WebhookForm()
        except Refused as refused:
            form.add_error("url", sentence(refused))
    latest = Prefetch("deliveries", Delivery.objects.select_related("notice").order_by("-pk")[:LATEST], "latest")
    mine = user.webhooks.prefetch_related(latest).order_by("pk")
    return render(request, "webhooks.html", {"form": form, "secret": secret, "webhooks": mine})


def _mine(request: HttpRequest, number: int) -> Webhook:
    found = Webhook.objects.filter(pk=number, user=signed_in(request)).first()
    if found is None:
        raise Http404("This webhook is not yours, or was removed before.")
    return found


@login_required
def remove_webhook(request: HttpRequest, number: int) -> HttpResponse:
    _mine(request, number).delete()
    messages.success(request, "The webhook is removed.")
    return redirect("webhooks")


@login_required
def try_webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Post a notice of a test, and start again one that was stopped."""
    webhook = _mine(request, number)
    act(request, lambda: _try(webhook), say("A test is on its way; reload this page to see the answer."))
    return redirect("webhooks")


def _try(webhook: Webhook) -> None:
    count_letter(webhook.user)
    post_a_test(webhook)
