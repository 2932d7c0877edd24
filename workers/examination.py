"""A part of an examination: the doctor of the kit asks one bot in the sandbox, for some seconds."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic

from bots.bundle import Bundle
from bots.doctor.examination import MOST_GONE, compared, is_whole, planned
from bots.doctor.imported import BESIDES, Imported, read_imports
from bots.doctor.serialisation import record_sitting
from bots.doctor.session import Place, Seated, Sitting, repeat_sitting, sit
from bots.languages import Missing
from engine.core import Seat
from engine.game import Options
from engine.games import GAMES
from engine.referee import PlatformFault
from workers.bundles import CannotFetch, LeaseOver, ticket
from workers.examination_orders import MOST_S, SLICE_S, ExaminationOrder, ExaminationReport
from workers.languages import NotHere
from workers.match import Kit, open_table, terms_of_order
from workers.sandbox.errors import SandboxError

log = logging.getLogger(__name__)


def examine(order: ExaminationOrder, kit: Kit) -> ExaminationReport:
    """The report of one turn: "asked" whatever the bot did, "void" with the reason if the platform failed. Raises
    LeaseOver."""
    report = ExaminationReport(order.examination, order.turn, kit.worker, "void", secret=order.secret)
    try:
        _examine(order, kit, report)
    except (CannotFetch, NotHere, Missing, PlatformFault, SandboxError, OSError) as error:
        report.reason = str(error)
    except LeaseOver:
        raise
    except Exception as error:  # a fault of our own must end this turn only
        log.exception("this worker failed")
        report.reason = f"the worker failed: {type(error).__name__}: {error}"
    return report


def _examine(order: ExaminationOrder, kit: Kit, report: ExaminationReport) -> None:
    competitor = order.terms.competitors[0]
    shown = ticket("examination", order.examination, order.turn, order.secret)
    bundle = kit.shelf.take(competitor.bundle, competitor.filename, shown)
    if order.first == 0:
        report.imported = _imported(bundle, kit)
    place, began = place_in_sandbox(order, kit, bundle), monotonic()
    seen, gone = 0, order.gone
    for match in planned(GAMES[order.terms.game], order.terms.seed, order.first):
        sitting = _sit(order, place, match, report)
        seen, gone = seen + len(sitting.asked), gone + sitting.is_gone
        if seen >= order.questions or gone >= MOST_GONE or monotonic() - began > SLICE_S:
            break
    report.seconds = round(monotonic() - began, 3)
    report.outcome = "asked"


def _sit(order: ExaminationOrder, place: Place, match: Sitting, report: ExaminationReport) -> Sitting:
    game = GAMES[order.terms.game]
    sitting = sit(place, game, match, monotonic() + MOST_S)
    report.sittings.append(record_sitting(sitting))
    if order.repeats and report.repetition is None and is_whole(sitting):
        report.repetition = compared(sitting, repeat_sitting(place, game, sitting, monotonic() + MOST_S))
    return sitting


def place_in_sandbox(order: ExaminationOrder, kit: Kit, bundle: Bundle) -> Place:
    terms, game = order.terms, GAMES[order.terms.game]

    @contextmanager
    def seated(options: Options, seat: Seat) -> Iterator[Seated]:
        bundles: list[Bundle | None] = [None] * options.players
        bundles[seat] = bundle
        with open_table(terms, kit, bundles, game, options, terms_of_order(terms, kit)) as table:
            yield table

    return seated


def _imported(bundle: Bundle, kit: Kit) -> Imported:
    """A bundle that is known already comes without its files."""
    if bundle.manifest.language not in BESIDES:
        return Imported(bundle.manifest.language)
    folder = kit.shelf.unpacked / bundle.folder
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return read_imports(replace(bundle, files=files))
