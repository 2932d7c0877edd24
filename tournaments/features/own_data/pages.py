"""The user's own data: downloaded as a file, or erased with the account. Both ask for the password or a code again."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournaments.core.errors import Refused
from tournaments.features.own_data.archive import data_files
from tournaments.features.own_data.leaving import GRACE, ask_to_erase
from tournaments.ledger.dumps.streamed_zip import zipped
from tournaments.web.pages.account_forms import EraseForm, Proven
from tournaments.web.pages.rate_limits import count_for_rate
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.who_asks import signed_in
from tournaments.web.server.request_rates import OWN_DATA


@login_required
@never_cache
def own_data(request: HttpRequest) -> HttpResponseBase:
    """The form's answer is the file itself."""
    user = signed_in(request)
    form = Proven(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            count_for_rate(OWN_DATA, str(user.pk))
        except Refused as refused:
            form.add_error(None, sentence(refused))
        else:
            return as_file(StreamingHttpResponse(zipped(data_files(user)), content_type="application/zip"))
    return render(request, "own_data/own_data.html", {"form": form})


def as_file(response: StreamingHttpResponse) -> StreamingHttpResponse:
    response["Content-Disposition"] = 'attachment; filename="boardroom-own-data.zip"'
    return response


@login_required
@never_cache
def erase(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    form = EraseForm(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            ask_to_erase(user=user)
        except Refused as refused:
            form.add_error(None, sentence(refused))
        else:
            logout(request)
            messages.success(request, f"Your account is shut. It is erased in {GRACE.days} days.")
            return redirect("home")
    return render(request, "own_data/erase_account.html", {"form": form, "days": GRACE.days})
