"""Sentences that are stored as English texts are found again, and told in the language of the page."""

import json
from html import unescape

import pytest
from django.utils.translation import override

from bots.autopsy import autopsy
from bots.process import Exit
from bots.protocol import ProtocolError, read_answer, read_ready
from engine.games import GAMES
from engine.sentences import Sentence
from tests.factories import a_version
from tests.games import refusals
from tests.games.record import recordings_of
from tests.thorough import budget
from tests.tournaments.web.pages import fault_sentences
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.core.config.fault_sentences import sentence_of_text, templates
from tournaments.core.config.sentence_templates import Template
from tournaments.models import FaultEvidence
from tournaments.web.pages.sentences import in_page_language

THEIRS = "Traceback (most recent call last):\nKeyError: nothing\nbids 5; a bid is 1 to 2 here, or 0 to pass"
DETAIL = f"""ended with exit code 1: KeyError: nothing
It used 0.21 s of CPU time and 15 MB of memory in all.
Its last lines on stderr:
{THEIRS}"""
REPORT = f"""In a match against itself, seat 2: crashed, at answer 7 of the match.
{DETAIL}
It was asked: {{"t": "bid"}}
It answered: none
The last it wrote on stderr:
{THEIRS}
It was asked: nothing"""
GERMAN = f"""In einer Partie gegen sich selbst, Sitz 2: abgestürzt, bei Antwort 7 der Partie.
endete mit Exit-Code 1: KeyError: nothing
Im Ganzen brauchte er 0.21 s CPU-Zeit und 15 MB Speicher.
Seine letzten Zeilen auf stderr:
{THEIRS}
Die Frage war: {{"t": "bid"}}
Die Antwort war: none
Das Letzte, was er auf stderr schrieb:
{THEIRS}
It was asked: nothing"""


def german(text: str) -> str:
    with override("de"):
        return in_page_language(sentence_of_text(text))


def test_every_sentence_that_is_stored_is_known() -> None:
    """After a change: `python3 -m tests.tournaments.web.pages.fault_sentences`."""
    assert fault_sentences.PLACE.read_text() == fault_sentences.written()


@pytest.mark.parametrize("game", GAMES)
def test_a_stored_refusal_is_told_as_the_rules_say_it(game: str) -> None:
    """Of the first recorded game. That each sentence is found at all is tried below."""
    recordings = recordings_of(game)[: budget(1, full=99)]
    said = list(dict.fromkeys(reason for recording in recordings for reason in refusals.refusals(recording)))[::3]
    with override("de"):
        told = [(str(reason), in_page_language(reason)) for reason in said]
    assert [(text, german(text)) for text, _ in told] == told


@pytest.mark.parametrize("template", templates(), ids=lambda each: each.sentence[:40])
def test_every_sentence_is_found_by_its_template(template: Template) -> None:
    filled = {name: f"<{name}>" for name in template.names}
    text = str(Sentence(template.sentence, **filled)) if filled else template.sentence
    assert str(sentence_of_text(text)) == text
    if not template.sentence.startswith("%("):
        assert german(text) != text, text


def test_what_a_bot_wrote_itself_stays_in_a_report() -> None:
    assert (str(sentence_of_text(REPORT)), german(REPORT)) == (REPORT, GERMAN)


@pytest.mark.parametrize("line", [b"\xff", b"{", b"[]", b'{"t": "redy"}', b'{"action": 5}', b'{"action": {}, "x": 1}'])
def test_what_is_wrong_with_a_line_is_told(line: bytes) -> None:
    for read in (read_ready, read_answer):
        with pytest.raises(ProtocolError) as error:
            read(line)
        with override("de"):
            assert german(str(error.value)) == in_page_language(error.value.reason) != str(error.value)


@pytest.mark.parametrize(
    ("end", "stderr"),
    [
        (Exit(1, None, 0.1, 9), "KeyError: 1"),
        (Exit(1, None, 0.1, 9), ""),
        (Exit(1, None, 0.1, 9), "MemoryError"),
        (Exit(137, None, 0.1, 9), ""),
        (Exit(None, 11, 0.1, 9), ""),
        (Exit(None, 6, 0.1, 9), "std::bad_alloc"),
        (Exit(None, 9, 0.1, 9), ""),
        (Exit(None, 9, 0.1, 9, ran_out=True), ""),
    ],
)
def test_why_a_bot_ended_is_told(end: Exit, stderr: str) -> None:
    said = autopsy(end, stderr)[1]
    with override("de"):
        assert german(str(said)) == in_page_language(said) != str(said)


@pytest.mark.parametrize(
    "made_up", ["; to choose from: ", "answer or ", "seat 1 on 2; ", "answer.x has unknown ", ", "]
)
def test_a_text_that_was_made_to_be_read_in_many_ways_stays(made_up: str) -> None:
    for prefix in ("", "takes ", "is not asked now; asked: ", "acting for company 1, ", "answer "):
        assert str(sentence_of_text(prefix + made_up * (1900 // len(made_up)))).startswith(prefix + made_up)


@pytest.mark.django_db
def test_pages_tell_faults_and_reports_in_german(pages_world: World) -> None:
    fault = FaultEvidence.objects.filter(seat__version__bot=pages_world.bot).order_by("pk").last()
    assert fault
    FaultEvidence.objects.filter(pk=fault.pk).update(detail="bids 5; a bid is 7 to 9 here, or 0 to pass")
    version = a_version(pages_world.bot)
    version.status, version.report = "rejected", REPORT
    version.save()
    client = signed_in(pages_world.owner)
    pages = {
        path: unescape(client.get(path, headers={"Accept-Language": language}).content.decode())
        for language, path in (("de", f"/bots/{pages_world.bot.pk}/"), ("de", f"/matches/{fault.seat.match_id}/"))
    }
    for page in pages.values():
        assert "ietet 5; ein Gebot ist hier 7 bis 9, oder 0 zum Passen" in page
    assert GERMAN in pages[f"/bots/{pages_world.bot.pk}/"]
    kept = client.get(f"/api/v1/matches/{fault.seat.match_id}", headers={"Accept-Language": "de"}).json()
    assert "bids 5; a bid is 7 to 9 here, or 0 to pass" in json.dumps(kept)
