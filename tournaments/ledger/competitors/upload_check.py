"""The check of an upload: one match with the version at every seat. Without a fault in it, the version is active."""

import hmac
import json
from hashlib import sha256

from django.conf import settings
from django.db import transaction

from bots.archive import BundleError
from bots.bundle import read_bundle
from bots.import_help import import_help
from bots.table import LAST_LINES
from engine.game import AnyGame
from engine.games import GAMES
from engine.records import to_plain
from engine.referee import Verdict
from engine.sentences import Sentence, list_sentence
from tournaments.core.feature import features
from tournaments.ledger.competitors.version_states import reject
from tournaments.models import Bot, FaultEvidence, Match, MatchSet, Version
from tournaments.models.set_creation import create_match_set
from tournaments.models.texts import REPORT


def begin_check(*, version: Version) -> MatchSet:
    game = GAMES[version.bot.game]
    options = game.read_options({})
    return create_match_set(
        checks=version,
        game=game.name,
        rules=game.version,
        options=to_plain(options),
        seed=check_seed(game),
        tables={0: [version.pk] * options.players},
    )


def check_seed(game: AnyGame) -> str:
    """Return the seed of all checks under these rules, which nobody knows before and which counts for nothing."""
    about = f"check {game.name} {game.version}"
    return hmac.new(settings.SECRET_KEY.encode(), about.encode(), sha256).hexdigest()


@transaction.atomic
def conclude_check(*, match: Match) -> Version | None:
    """Conclude a check after its match. Returns the version if it passed; else its owner gets a report."""
    version = Version.objects.select_related("bot").get(check_set=match.set_id)
    Bot.objects.select_for_update().get(pk=version.bot_id)
    if match.seats.exclude(verdict=Verdict.OK).exists():
        reject(version=version, report=_report(match))
        return None
    for feature in features():
        feature.version_passed(version)
    return version


def _report(match: Match) -> str:
    """The report for the owner: the first fault, its question, and the end of stderr."""
    fault = FaultEvidence.objects.filter(seat__match=match).order_by("answer", "pk").first()
    if fault is None:  # a replay may name a fault whose evidence never came
        verdicts = match.seats.exclude(verdict=Verdict.OK).values_list("number", "verdict")
        sentence = "Seat %(seat)s: %(verdict)s."
        seats = [Sentence(sentence, seat=seat, verdict=Sentence(verdict)) for seat, verdict in verdicts]
        return list_sentence(seats, Sentence("none"), "\n")
    lines = [_where(fault), *_imports(fault), fault.sentence]
    if fault.asked is not None:
        lines.append(Sentence("It was asked: %(asked)s", asked=json.dumps(fault.asked)))
    if fault.given:
        lines.append(Sentence("It answered: %(given)s", given=fault.given))
    if fault.seat.stderr and LAST_LINES not in fault.detail:
        lines += [Sentence("The last it wrote on stderr:"), fault.seat.stderr[:REPORT]]
    return list_sentence(lines, Sentence("none"), "\n")


def _imports(fault: FaultEvidence) -> list[Sentence]:
    """Return what there is, for a bot that ended because it imported what is not there."""
    if fault.verdict != Verdict.CRASHED:
        return []
    version = fault.seat.version
    try:
        bundle = read_bundle(bytes(version.bundle.content), version.filename)
    except BundleError:
        return []
    said = import_help(f"{fault.detail}\n{fault.seat.stderr}", bundle.language.name, bundle.files)
    return [said] if said else []


def _where(fault: FaultEvidence) -> Sentence:
    sentence = "In a match against itself, seat %(seat)s: %(verdict)s, before its first answer."
    if fault.answer >= 0:
        sentence = "In a match against itself, seat %(seat)s: %(verdict)s, at answer %(answer)s of the match."
    return Sentence(sentence, seat=fault.seat.number, verdict=Sentence(fault.verdict), answer=fault.answer)
