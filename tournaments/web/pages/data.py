"""Dumps of ladders: a page of all, a page of each, and their files."""

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from tournaments.core.accounts.spaces import listed_for
from tournaments.ledger.dumps.licences import NAMES
from tournaments.ledger.dumps.stored import manifest_of, manifests, stored_file
from tournaments.models import Ladder
from tournaments.web.api.other_sites import TOLD
from tournaments.web.pages.ranges import served
from tournaments.web.pages.sentences import say


def data(request: HttpRequest) -> HttpResponse:
    hidden = {ladder.slug for ladder in not_public()}
    shown = [dump for dump in manifests(settings.DUMPS) if dump["ladder"] not in hidden]
    return render(request, "data.html", {"dumps": shown})


def not_public() -> QuerySet[Ladder]:
    """Return the ladders that are not public; a dump that was made while they were is shown no more."""
    return Ladder.objects.exclude(listed_for(None))


def ladder_data(request: HttpRequest, slug: str) -> HttpResponse:
    manifest = manifest_of(settings.DUMPS, slug)
    if manifest is None or not_public().filter(slug=slug).exists():
        raise Http404(say("There is no dump of a ladder “%(slug)s”.", slug=slug))
    of_table = {
        table["name"]: [file for file in manifest["files"] if file["name"].partition(".")[0] == table["name"]]
        for table in manifest["tables"]
    }
    others = [file for file in manifest["files"] if file["name"].partition(".")[0] not in of_table]
    tables = [{**table, "files": of_table[table["name"]]} for table in manifest["tables"]]
    context = {"dump": manifest, "tables": tables, "others": others, "licence": NAMES.get(manifest["licence"])}
    return render(request, "data_ladder.html", context)


def data_file(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """Serve a file of a dump, with ranges and an ETag; scripts of other sites may read it. Raises Http404."""
    found = stored_file(settings.DUMPS, slug, name)
    if found is None or not_public().filter(slug=slug).exists():
        raise Http404(f"There is no file “{name:.60}” in a dump of “{slug}”.")
    path, digest, kind = found
    try:
        response = served(request, path, f'"{digest}"', kind)
    except FileNotFoundError:
        raise Http404(f"“{name:.60}” was made anew just now; ask again.") from None
    response["Content-Disposition"] = f'attachment; filename="{slug}-{name}"'
    response["Access-Control-Allow-Origin"], response["Access-Control-Expose-Headers"] = "*", TOLD
    return response
