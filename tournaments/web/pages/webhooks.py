"""Webhooks: addresses that a person's notices are posted to, or the news of a space or an event."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournaments.core.errors import Refused
from tournaments.core.notices.channels import POSTED, post_a_test
from tournaments.core.notices.webhooks import Of, add_webhook, webhooks_run_by
from tournaments.models import Delivery, Webhook
from tournaments.web.pages.lookup import row_or_404
from tournaments.web.pages.rate_limits import count_letter
from tournaments.web.pages.run_action import act, sentence
from tournaments.web.pages.sentences import choices_now, say
from tournaments.web.pages.who_asks import signed_in

LATEST = 5  # deliveries shown of each


class NewsWebhookForm(forms.Form):
    """A webhook of a space or an event, which gets all its news."""

    url = forms.CharField(
        max_length=300,
        label="Address",
        help_text="Such as https://example.org/hook, or the address that your chat service gave you.",
        widget=forms.URLInput(),
    )
    receiver = forms.ChoiceField(choices=choices_now(Webhook.Receiver.choices), label="Who reads it")


class WebhookForm(NewsWebhookForm):
    kinds = forms.MultipleChoiceField(
        choices=choices_now(POSTED),
        widget=forms.CheckboxSelectMultiple,
        label="Post to it when",
        error_messages={"required": "Choose at least one kind of notice."},
    )


@login_required
@never_cache
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show the user's own."""
    return webhooks_page(request, None)


def webhooks_page(request: HttpRequest, of: Of, back: str = "") -> HttpResponse:
    """Show webhooks; `back` is the page of what they belong to.

    A secret is in the answer to the form that made it, and nowhere else.
    """
    user, secret = signed_in(request), ""
    kind = NewsWebhookForm if of else WebhookForm
    form = kind(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = add_webhook(user=user, of=of, **form.cleaned_data)
            secret, form = made.secret if made.receiver == Webhook.Receiver.PROGRAM else "", kind()
        except Refused as refused:
            form.add_error("url", sentence(refused))
    latest = Prefetch("deliveries", Delivery.objects.select_related("notice").order_by("-pk")[:LATEST], "latest")
    rows = of.webhooks.all() if of else user.webhooks.filter(space=None, event=None)
    shown = rows.prefetch_related(latest).order_by("pk")
    context = {"of": of, "back": back, "form": form, "secret": secret, "webhooks": shown}
    return render(request, "webhooks.html", context)


def _mine(request: HttpRequest, number: int) -> Webhook:
    rows = webhooks_run_by(signed_in(request)).select_related("space", "event").filter(pk=number)
    return row_or_404(rows, say("This webhook is not yours, or was already removed."))


def _back_to(webhook: Webhook) -> HttpResponse:
    if webhook.event:
        return redirect("event-webhooks", webhook.event.slug)
    return redirect("space-webhooks", webhook.space.slug) if webhook.space else redirect("webhooks")


@login_required
def remove_webhook(request: HttpRequest, number: int) -> HttpResponse:
    webhook = _mine(request, number)
    webhook.delete()
    messages.success(request, "The webhook is removed.")
    return _back_to(webhook)


@login_required
def try_webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Post a notice of a test, and start again one that was stopped."""
    webhook = _mine(request, number)
    act(request, lambda: _try(request, webhook), say("A test is on its way; reload this page to see the answer."))
    return _back_to(webhook)


def _try(request: HttpRequest, webhook: Webhook) -> None:
    count_letter(signed_in(request))
    post_a_test(webhook)
