"""Faults and reports of checks are stored in English with what they were made of, and shown in the page's language."""

import json
import re
from dataclasses import field, fields, make_dataclass, replace
from gettext import GNUTranslations
from html import unescape
from typing import Any

import pytest
from django.template import Context, Template
from django.utils.translation import override

from bots.autopsy import autopsy
from bots.process import Exit
from bots.protocol import ProtocolError, read_answer, read_ready
from bots.table import LAST_LINES, USED
from bots.viewer.language import told_in
from engine.games import GAMES
from engine.records import Record, RecordError, from_plain, to_plain
from engine.referee import Fault, Verdict
from engine.sentences import Sentence, as_data, list_sentence
from tests.factories import a_bot, an_upload, hand_in, reports
from tests.games import refusals
from tests.games.record import recordings_of
from tests.thorough import budget
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.core.config.match_languages import match_language
from tournaments.core.config.sentence_data import DEEPEST, LONGEST, checked_data, sentence_of
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.models import Bot, FaultEvidence, Version
from tournaments.web.pages.sentences import in_page_language
from tournaments.web.pages.stored_sentences import LOCALES
from workers.orders import Report
from workers.practice_orders import PracticeReport
from workers.report_sizes import fit_report

THEIRS = "Traceback (most recent call last):\nKeyError: 100%\nbids 5; a bid is 1 to 2 here, or 0 to pass"
ENDED = list_sentence(
    [
        Sentence("ended with %(how)s: %(last)s", how=Sentence("exit code %(code)s", code=1), last="KeyError: 100%"),
        Sentence(USED, used="0.21", memory=15),
        Sentence(LAST_LINES),
        THEIRS,
    ],
    Sentence("none"),
    "\n",
)
OLDER: Any = make_dataclass(  # a report as an older recorder reads it
    "OlderReport",
    [
        (part.name, part.type, field(default=part.default, default_factory=part.default_factory))
        for part in fields(Report)
        if part.name != "faults_data"
    ],
    bases=(Record,),
)
GERMAN = f"""endete mit Exit-Code 1: KeyError: 100%
Im Ganzen brauchte er 0,21 s CPU-Zeit und 15 MB Speicher.
Seine letzten Zeilen auf stderr:
{THEIRS}"""


def stored(text: str) -> str:
    """Return the text as a page gets it from the database."""
    return sentence_of(str(text), json.loads(json.dumps(checked_data(str(text), as_data(text)))))


def german(text: str) -> str:
    with override("de"), told_in(match_language("de")):
        return in_page_language(text)


@pytest.mark.parametrize("game", GAMES)
def test_a_stored_refusal_is_told_as_the_rules_say_it(game: str) -> None:
    """The refusals are those of the first recorded game."""
    recordings = recordings_of(game)[: budget(1, full=99)]
    reasons = dict.fromkeys(reason for recording in recordings for reason in refusals.refusals(recording))
    for reason in [*reasons][::3]:
        assert (stored(reason), german(stored(reason))) == (reason, german(reason))


def test_what_a_bot_wrote_itself_stays_in_a_report() -> None:
    assert (stored(ENDED), german(stored(ENDED))) == (ENDED, GERMAN)


@pytest.mark.parametrize("line", [b"\xff", b"{", b"[]", b'{"t": "redy"}', b'{"action": 5}', b'{"action": {}, "x": 1}'])
def test_what_is_wrong_with_a_line_is_told(line: bytes) -> None:
    for read in (read_ready, read_answer):
        with pytest.raises(ProtocolError) as error:
            read(line)
        assert german(stored(error.value.reason)) == german(error.value.reason) != str(error.value)


@pytest.mark.parametrize("end", [Exit(1, None, 0.1, 9), Exit(None, 11, 0.1, 9), Exit(None, 9, 0.1, 9, ran_out=True)])
def test_why_a_bot_ended_is_told(end: Exit) -> None:
    sentence = autopsy(end, "KeyError: 1")[1]
    assert german(stored(sentence)) == german(sentence) != str(sentence)


@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        "another text",
        {"sentence": "crashed"},
        {"sentence": "", "filled": {}},
        {"sentence": "took %(a)s", "filled": {}},
        {"sentence": "took %(a)s", "filled": {"a": "2 s"}},
        {"sentence": "took %(a)999s%(b)s", "filled": {"a": "1", "b": " s"}},
        {"sentence": "took %(a)d s", "filled": {"a": 1}},
        {"sentence": "took %(a)s", "filled": {"a": ["1 s"]}},
        {"sentence": "took %(a)s%%(b)s%d", "filled": {"a": "1 s", "b": ""}},
        {"sentence": "took %(a)s%", "filled": {"a": "1 s"}},
        {"sentence": "took %(a)s", "filled": {"a": "1 s and more"}},
        {"sentence": "%(a)s" * 9, "filled": {"a": "t" * LONGEST}},
    ],
)
def test_data_that_did_not_make_a_text_is_ignored(data: Any) -> None:
    assert sentence_of("took 1 s", data) == "took 1 s"
    assert not isinstance(sentence_of("took 1 s", data), Sentence)
    assert checked_data("took 1 s", data) is None


@pytest.mark.parametrize("depth", [100, 2000])
def test_data_that_would_grow_without_end_is_ignored(depth: int) -> None:
    data: Any = "x"
    for _ in range(depth):
        data = {"sentence": "%(a)s%(a)s", "filled": {"a": data}}
    assert checked_data("x", data) is None


def test_data_has_a_bound_for_how_deep_and_how_long_it_is() -> None:
    for depth, data_is_kept in ((DEEPEST, True), (DEEPEST + 1, False)):
        deep: Any = "x"
        for _ in range(depth):
            deep = {"sentence": "%(a)s", "filled": {"a": deep}}
        assert (checked_data("x", deep) == deep) is data_is_kept
    hidden = {"sentence": "%(a)s" * 1000, "filled": {"a": ""}}
    data = {"sentence": "x" + "".join(f"%(a{n})s" for n in range(99)), "filled": {f"a{n}": hidden for n in range(99)}}
    assert isinstance(sentence_of("x", data), Sentence)
    assert checked_data("x", data) is None


def test_a_text_that_is_too_long_for_its_column_is_told_whole_and_no_other() -> None:
    for text in (ENDED[:90], f"{ENDED[:89]}…"):
        assert german(sentence_of(text, as_data(ENDED), 90)) == GERMAN
        assert sentence_of(text, as_data(ENDED), 91) == sentence_of(text, as_data(ENDED)) == text


def test_no_translation_of_anything_that_a_worker_names_fails_or_lacks_a_value() -> None:
    with next(LOCALES.glob("de/**/django.mo")).open("rb") as file:
        keys = vars(GNUTranslations(file))["_catalog"]
    catalogue = {key if isinstance(key, str) else key[0] for key in keys} - {""}
    for message in catalogue:
        filled = {name: f"<{name}>" for name in re.findall(r"%\((\w+)\)s", message)}
        try:
            text = message % filled if filled else message
        except (ValueError, TypeError, KeyError):
            continue
        sentence = sentence_of(text, {"sentence": message, "filled": filled})
        assert not isinstance(sentence, Sentence) or german(sentence), message
    assert len(catalogue) > 4000


def test_a_template_that_nobody_knows_is_shown_as_the_text_that_it_made() -> None:
    made_up = Sentence("<b>%(bot)s</b> %(why)s", bot="<script>alert(1)</script>", why="%(bot)s {{ bot }} %s")
    with override("de"):
        page = Template("{% load sentences %}{{ text|said }}").render(Context({"text": stored(made_up)}))
    assert unescape(page) == made_up
    assert "<" not in page


def test_a_worker_sends_what_its_faults_were_made_of_and_nothing_where_there_is_none() -> None:
    fault = Fault(0, 3, Verdict.CRASHED, ENDED)
    for report in (Report(1, 1, "tester/1", "played"), PracticeReport(1, 1, "tester/1", "played")):
        assert "faults_data" not in fit_report(report)
        report.faults = [fault]
        assert fit_report(report)["faults_data"] == [as_data(ENDED)]


@pytest.mark.django_db
def test_a_report_of_an_older_worker_is_recorded_and_its_faults_stay_english() -> None:
    bot = a_bot()
    version, report = a_failed_check(bot)
    plain = {**fit_report(report)}
    assert plain.pop("faults_data") == [as_data(ENDED)] * len(report.faults)
    assert hand_in(plain) == "recorded"
    version.refresh_from_db()
    fault = FaultEvidence.objects.filter(seat__version=version).order_by("answer", "pk").first()
    assert fault
    assert (fault.detail, fault.detail_data, fault.sentence) == (ENDED, None, ENDED)
    assert german(fault.sentence) == ENDED
    page = signed_in(bot.owner).get(f"/bots/{bot.pk}/", headers={"Accept-Language": "de"}).content.decode()
    assert f"abgestürzt, bei Antwort {fault.answer} der Partie.\n{ENDED}\nDie Frage war: " in unescape(page)


@pytest.mark.django_db
def test_a_report_of_a_newer_worker_tells_an_older_recorder_only_of_its_faults_what_that_cannot_read() -> None:
    _, report = a_failed_check(a_bot())
    plain = fit_report(report)
    with pytest.raises(RecordError, match="faults_data"):
        from_plain(OLDER, plain)
    honest = fit_report(replace(report, faults=[]))
    assert to_plain(from_plain(OLDER, honest)) == honest


@pytest.mark.django_db
@pytest.mark.parametrize("faults_data", [[None], [7, 8], [as_data(Sentence("wins"))] * 99, [{"sentence": {}}], [[[]]]])
def test_data_of_a_liar_is_not_stored(faults_data: list[Any]) -> None:
    version, report = a_failed_check(a_bot())
    plain = {**fit_report(report), "faults_data": faults_data}
    assert hand_in(plain) == "recorded"
    assert set(FaultEvidence.objects.values_list("detail", "detail_data")) == {(ENDED, None)}
    version.refresh_from_db()
    assert ENDED in version.report


def a_failed_check(bot: Bot) -> tuple[Version, Report]:
    """Return an upload and the report that it crashed at all seats."""
    version = an_upload(bot)
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order, faults={version.pk: Verdict.CRASHED})
    for fault in report.faults:
        fault.detail = ENDED
    return version, report


@pytest.mark.django_db
def test_pages_tell_faults_and_reports_in_german_and_those_of_before_in_english(pages_world: World) -> None:
    bid = Sentence("bids %(amount)s; a bid is %(low)s to %(high)s here, or 0 to pass", amount=5, low=7, high=9)
    fault = FaultEvidence.objects.filter(seat__version__bot=pages_world.bot).order_by("pk").last()
    assert fault
    _, report = a_failed_check(pages_world.bot)
    assert hand_in(fit_report(report)) == "recorded"
    client = signed_in(pages_world.owner)
    paths = (f"/bots/{pages_world.bot.pk}/", f"/matches/{fault.seat.match_id}/")
    for data, words in ((as_data(bid), "ietet 5; ein Gebot ist hier 7 bis 9, oder 0 zum Passen"), (None, bid[1:])):
        FaultEvidence.objects.filter(pk=fault.pk).update(detail=bid, detail_data=data)
        pages = [unescape(client.get(path, headers={"Accept-Language": "de"}).content.decode()) for path in paths]
        assert [words in page for page in pages] == [True, True]
        assert "In einer Partie gegen sich selbst, Sitz " in pages[0]
        assert f"abgestürzt, bei Antwort 0 der Partie.\n{GERMAN}\nDie Frage war: " in pages[0]
    kept = client.get(f"/api/v1/matches/{fault.seat.match_id}", headers={"Accept-Language": "de"}).json()
    assert bid in json.dumps(kept)
