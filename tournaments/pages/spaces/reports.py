"""What waits for the organisers of a space: reports about what is in it, and appeals against what they did."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.features.moderation.desk import waiting_for
from tournaments.models import Space
from tournaments.pages.spaces.lookup import of_organisers
from tournaments.pages.who_asks import signed_in


@of_organisers
def reports(request: HttpRequest, space: Space) -> HttpResponse:
    return render(request, "moderation/desk.html", waiting_for(signed_in(request), space))
