"""Who may enter the pages of a space's organisers."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from tournaments.accounts.spaces import runs
from tournaments.models import Space
from tournaments.pages.lookup import space_or_404
from tournaments.pages.sentences import say

P = ParamSpec("P")


def of_organisers(
    view: Callable[Concatenate[HttpRequest, Space, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """A page of the space's organisers; of the site's, too."""

    @wraps(view)
    def enter(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        space = space_or_404(slug, request.user)
        if not runs(request.user, space.pk):
            raise PermissionDenied(say("This page is for the organisers of %(space)s.", space=space))
        answer = view(request, space, *args, **kwargs)
        add_never_cache_headers(answer)
        return answer

    return enter
