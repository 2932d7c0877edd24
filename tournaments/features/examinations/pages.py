"""The doctor's card of a version, on its bot's page, and the button that asks for another."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from tournaments.core.broker.available_workers import nobody_plays
from tournaments.features.examinations.card import card_of, examination_findings, examination_of
from tournaments.features.examinations.requests import examine_again, is_examinable
from tournaments.features.examinations.rules import BUDGET
from tournaments.models import Bot, Version
from tournaments.web.pages.lookup import version_or_404
from tournaments.web.pages.rate_limits import count_examination
from tournaments.web.pages.run_action import act
from tournaments.web.pages.who_asks import signed_in


def card_parts(version: Version, bot: Bot) -> dict[str, object]:
    """Return the doctor's card of the newest version, and how far its examination is."""
    examination = examination_of(version)
    findings = examination_findings(examination) if examination else []
    to_do = examination is not None and examination.to_do
    waits = to_do and nobody_plays([version.need], bot.space)
    return {
        "examination": examination,
        "wanted": BUDGET.questions,
        "examination_needs": version.need if waits else "",
        "examinable": not to_do and is_examinable(version),
        "is_unreadable": findings is None,
        "is_examined": bool(findings),
        "card": findings or card_of(version),
    }


@login_required
@require_POST
def examine_version(request: HttpRequest, number: int) -> HttpResponse:
    version, by = version_or_404(request, number), signed_in(request)

    def ask() -> None:
        count_examination(by)
        examine_again(version=version, by=by)

    done = gettext("The doctor examines %(version)s. Its card appears here when it is done.") % {"version": version}
    act(request, ask, done)
    return redirect("bot", number)
