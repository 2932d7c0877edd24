"""Endpoints for what SAML and LTI providers send and request."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from tournaments.core.config.sign_on import Provider
from tournaments.core.errors import Refused
from tournaments.features.sign_on.pages import protocol_of, protocol_services, provider_of, refusal_page
from tournaments.web.pages.rate_limits import count_sign_on

ASKED = ("iss", "login_hint", "lti_message_hint", "client_id")


def of_kind(key: str, *kinds: str) -> Provider:
    provider = provider_of(key)
    if provider.kind not in kinds:
        raise Http404("This provider sends no assertions.")
    return provider


@never_cache
def assertion(request: HttpRequest, key: str) -> HttpResponse:
    """Take an assertion. It comes from another site, without our cookies, and is passed on to where they are."""
    provider = of_kind(key, "saml", "lti")
    try:
        count_sign_on(request)
        said = protocol_of(provider).received(provider, request.path, request.POST.dict())
    except Refused as refused:
        return refusal_page(request, provider, refused, "")
    return redirect(f"{reverse('sign-on-answer', args=[key])}?{urlencode({'said': said})}")


def metadata_page(_request: HttpRequest, key: str) -> HttpResponse:
    """Return our metadata, for the provider's operator."""
    provider = of_kind(key, "saml")
    return HttpResponse(protocol_of(provider).metadata(provider), content_type="application/samlmetadata+xml")


@never_cache
def receive_launch(request: HttpRequest, key: str) -> HttpResponse:
    """Begin for a learning platform, often by a form and so without our cookies: they come with the next step."""
    provider, sent = of_kind(key, "lti"), request.POST if request.method == "POST" else request.GET
    asked = {name: sent[name] for name in ASKED if name in sent}
    return redirect(f"{reverse('sign-on', args=[provider.key])}?{urlencode(asked)}")


@never_cache
def public_key(_request: HttpRequest, key: str) -> JsonResponse:
    """Return the key by which the platform knows that it is us who ask for lists and send grades."""
    provider = of_kind(key, "lti")  # first: without LTI its services are not installed
    return JsonResponse({"keys": [protocol_services().own_key(provider)]})
