"""What providers of SAML send and ask for."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache

from tournaments.config.sign_on import Provider
from tournaments.errors import Refused
from tournaments.pages.rate_limits import count_sign_on
from tournaments.pages.sign_on import protocol_of, provider_of, told


def of_saml(key: str) -> Provider:
    found = provider_of(key)
    if found.kind != "saml":
        raise Http404("This provider sends no assertions.")
    return found


@never_cache
def assertion(request: HttpRequest, key: str) -> HttpResponse:
    """It comes without our cookies, for it comes from another site; what it says goes on to where they are."""
    provider = of_saml(key)
    try:
        count_sign_on(request)
        said = protocol_of(provider).received(provider, request.path, request.POST.get("SAMLResponse", ""))
    except Refused as refused:
        return told(request, provider, refused, "")
    return redirect(f"{reverse('sign-on-answer', args=[key])}?{urlencode({'said': said})}")


def metadata(_request: HttpRequest, key: str) -> HttpResponse:
    """For the provider's operator."""
    provider = of_saml(key)
    return HttpResponse(protocol_of(provider).metadata(provider), content_type="application/samlmetadata+xml")
