import io
import zipfile

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from bots.table import LAST_LINES, NO_ANSWER, USED, WAITED
from engine.referee import Verdict
from engine.sentences import Sentence, as_data, list_sentence
from tests.bots.test_archive_names import ZIPS
from tests.factories import SAMPLE, a_bot, a_user, a_version, play_set, reports
from tests.tournaments.web.api.asking import Answer, ask, refused
from tests.tournaments.web.api.world import World
from tournaments.features.examinations.card import waiting
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import Bundle, Ladder, User, Version

pytestmark = pytest.mark.django_db
OCTETS = "application/octet-stream"


def send(path: str, person: User | None, data: bytes, filename: str = "bot.py", **fields: str) -> Answer:
    bundle = io.BytesIO(data)
    bundle.name = filename
    return ask("POST", path, person, encode_multipart(BOUNDARY, {"bundle": bundle, **fields}), kind=MULTIPART_CONTENT)


def test_a_form_uploads_a_version_that_is_checked_and_then_plays() -> None:
    bot = a_bot()
    made = send(f"bots/{bot.pk}/versions", bot.owner, SAMPLE, note="first try")
    assert made.status_code == 201
    assert made.json().items() >= {"number": 1, "status": "checking", "note": "first try", "size": len(SAMPLE)}.items()
    assert ask("GET", made["Location"], bot.owner).json() == made.json() | {
        "waits_for": None,
        "findings": [],
        "examination": None,
    }
    play_set(Version.objects.get().check_set)
    assert (
        ask("GET", made["Location"]).json().items()
        >= {"status": "active", "findings": None, "examination": None}.items()
    )
    waits = ask("GET", made["Location"], bot.owner).json()["examination"]
    assert waits.items() >= {"status": "waiting", "questions": 0, "wanted": 2000, "findings": []}.items()
    card = ask("GET", made["Location"], bot.owner).json()["findings"]
    about = {finding["about"]: finding for finding in card}
    assert {*about} == {"start", "answers", "time", "match_time", "memory"}
    answers = about["answers"]
    assert (answers["status"], sum(answers["numbers"]["kinds"].values())) == ("ok", answers["numbers"]["questions"])


def test_the_card_of_a_check_that_failed_counts_the_faults() -> None:
    bot = a_bot()
    made = send(f"bots/{bot.pk}/versions", bot.owner, SAMPLE)
    version = Version.objects.get()
    play_set(version.check_set, faults={version.pk: Verdict.ILLEGAL_ANSWER})
    card = ask("GET", made["Location"], bot.owner).json()["findings"]
    assert [finding["about"] for finding in card if finding["status"] == "failure"] == ["answers", "time"]


WAITS = [
    (
        Sentence(WAITED, waited="10.0", mean="9.7", limit="10"),
        "it kept all waiting for 10.0 s of this match without computing, 9.7 s at each of its answers; 10 s are",
        {"waited_s": 10.0, "mean_s": 9.7, "limit_s": 10.0},
    ),
    (
        Sentence(NO_ANSWER, waited="10.0", used="0.02", limit="10"),
        "it gave no answer for 10.0 s and used 0.02 s of CPU time; 10 s are allowed",
        {"waited_s": 10.0, "used_s": 0.02, "limit_s": 10.0},
    ),
]


@pytest.mark.parametrize(("sentence", "text", "numbers"), WAITS)
def test_a_check_whose_bot_waited_too_long_says_how_long_and_what_is_allowed(
    sentence: Sentence, text: str, numbers: dict[str, float]
) -> None:
    bot = a_bot()
    made = send(f"bots/{bot.pk}/versions", bot.owner, SAMPLE)
    version = Version.objects.get()
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order, faults={version.pk: Verdict.TIMED_OUT})
    report.faults[0].detail = list_sentence([sentence, Sentence(USED, used="0.05", memory="9")], Sentence("none"), "\n")
    report.faults_data = [as_data(fault.detail) for fault in report.faults]
    assert record_report(report) == "recorded"
    shown = ask("GET", made["Location"], bot.owner).json()
    assert shown["status"] == "rejected"
    assert sentence in shown["report"]
    (finding,) = [finding for finding in shown["findings"] if finding["about"] == "waiting"]
    assert (finding["status"], finding["numbers"]) == ("failure", numbers)
    assert finding["text"].startswith(text)
    client = Client()
    client.force_login(bot.owner)
    page = client.get(f"/bots/{bot.pk}/", headers={"Accept-Language": "de"}).content.decode()
    assert "Wartezeit</th>" in page
    assert "der Bot " in page


def test_the_card_of_a_check_that_crashed_says_in_which_line_in_the_language_of_the_page() -> None:
    bot = a_bot()
    made = send(f"bots/{bot.pk}/versions", bot.owner, SAMPLE)
    version = Version.objects.get()
    order = order_of_set(version.check_set, claim(match_set=version.check_set))
    (report,) = reports(order, faults={version.pk: Verdict.CRASHED})
    used, written = Sentence(USED, used="0.05", memory="9"), '  File "/bot/bot.py", line 7, in f\nNameError: x'
    for fault in report.faults:
        ended = Sentence(
            "ended with %(how)s: %(last)s", how=Sentence("exit code %(code)s", code=1), last="NameError: x"
        )
        fault.detail = list_sentence([ended, used, Sentence(LAST_LINES), written], Sentence("none"), "\n")
    report.faults_data = [as_data(fault.detail) for fault in report.faults]
    assert record_report(report) == "recorded"
    shown = ask("GET", made["Location"], bot.owner).json()
    assert written in shown["report"]
    texts = [finding["text"] for finding in shown["findings"] if finding["status"] == "failure"]
    assert any("crashed: in line 7 of bot.py it ended with exit code 1: NameError: x" in text for text in texts)
    assert not any("/bot/" in text or "\n" in text for text in texts)
    client = Client()
    client.force_login(bot.owner)
    page = client.get(f"/bots/{bot.pk}/", headers={"Accept-Language": "de"}).content.decode()
    assert "abgestürzt: in Zeile 7 von bot.py: endete mit Exit-Code 1: NameError: x" in page


def test_a_text_that_only_looks_like_it_has_no_such_finding() -> None:
    made_up = [Sentence(NO_ANSWER, waited=waited, used="1e999", limit="x") for waited in ("9", "nan", "")]
    assert waiting([*made_up, f"{LAST_LINES}\n{WAITS[0][0]}"]) == []


def test_the_body_itself_may_be_the_file() -> None:
    bot = a_bot()
    made = ask("POST", f"bots/{bot.pk}/versions?filename=bot.py&note=raw", bot.owner, SAMPLE, kind=OCTETS)
    assert (made.status_code, made.json()["note"]) == (201, "raw")
    assert bytes(Bundle.objects.get().content) == SAMPLE


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "filename", "expected"),
    [
        (b"", "bot.py", (400, "empty")),
        (b"not a zip", "bot.zip", (400, "not_a_zip")),
        (b"\xff", "bot.py", (400, "not_python")),
        (b"print()", "bot.exe", (400, "wrong_kind")),
        (zipped(**{"../bot.py": "print()"}), "bot.zip", (400, "bad_name")),
        (zipped(**{"other.py": "print()"}), "bot.zip", (400, "no_entry")),
        (b"#" * ((5 << 20) + 1), "bot.py", (400, "too_large")),
        (b"#" * (6 << 20), "bot.py", (413, "too_large")),
    ],
)
def test_a_bad_upload_is_refused_and_leaves_no_trace(data: bytes, filename: str, expected: tuple[int, str]) -> None:
    bot = a_bot()
    status = {"too_large": 413}.get(expected[1], expected[0])
    assert refused(send(f"bots/{bot.pk}/versions", bot.owner, data, filename)) == (status, expected[1])
    raw = ask("POST", f"bots/{bot.pk}/versions?filename={filename}", bot.owner, data, kind=OCTETS)
    assert refused(raw) == (status, expected[1])
    assert not bot.versions.exists()
    assert not Bundle.objects.exists()


@pytest.mark.parametrize(
    ("data", "filename", "where"),
    [
        (b"def choose(:\n", "mine.py", "mine.py, line 1"),
        (b"import numpy\n\nx = = 1\n", "mine.py", "mine.py, line 3"),
        (zipped(**{"bot.py": "import more\n", "more.py": "x = 1\nreturn"}), "bot.zip", "more.py, line 2"),
    ],
)
def test_a_syntax_error_is_said_at_upload_with_its_line(data: bytes, filename: str, where: str) -> None:
    bot = a_bot()
    answer = send(f"bots/{bot.pk}/versions", bot.owner, data, filename)
    assert refused(answer) == (400, "not_python")
    assert answer.json()["detail"].startswith(f"correct {where}: Python says “")
    assert not bot.versions.exists()


LATER = [
    "def choose(view, question):\n    import more\n",
    "try:\n    import more\nexcept ImportError:\n    pass\n",
    "pass\n",
]


@pytest.mark.parametrize("source", LATER)
def test_a_syntax_error_in_a_module_that_may_be_imported_later_is_a_warning_in_the_report(source: str) -> None:
    bot = a_bot()
    data = zipped(**{"bot.py": source, "more.py": "x = 1\ny = = 2\n"})
    made = send(f"bots/{bot.pk}/versions", bot.owner, data, "bot.zip")
    play_set(Version.objects.get().check_set)
    shown = ask("GET", made["Location"], bot.owner).json()
    assert shown["status"] == "active"
    assert shown["report"].startswith("Python cannot read line 2 of more.py, which the bot may import later: “invalid")
    client = Client()
    client.force_login(bot.owner)
    page = client.get(f"/bots/{bot.pk}/", headers={"Accept-Language": "de"}).content.decode()
    assert "Python kann Zeile 2 von more.py nicht lesen" in page
    assert ask("GET", made["Location"]).json()["report"] is None


@pytest.mark.parametrize("data", [b"raise SystemExit(1)", b"import no_such_module", b"1 / 0"])
def test_nothing_but_the_syntax_is_judged_at_upload(data: bytes) -> None:
    bot = a_bot()
    assert send(f"bots/{bot.pk}/versions", bot.owner, data).status_code == 201


@pytest.mark.parametrize("made", ZIPS)
def test_a_zip_is_taken_however_it_was_packed(made: str) -> None:
    bot = a_bot()
    assert send(f"bots/{bot.pk}/versions", bot.owner, ZIPS[made], "bot.zip").status_code == 201


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        (b"{}", "application/json", (415, "unsupported_media_type")),
        (b"x=1", "application/x-www-form-urlencoded", (415, "unsupported_media_type")),
        (b"rubbish", MULTIPART_CONTENT, (400, "invalid")),
        (b"rubbish", "multipart/form-data", (400, "malformed")),
        (encode_multipart(BOUNDARY, {f"field{n}": n for n in range(1500)}), MULTIPART_CONTENT, (400, "malformed")),
        (encode_multipart(BOUNDARY, {"bundle": "no file"}), MULTIPART_CONTENT, (400, "invalid")),
        (encode_multipart(BOUNDARY, {"bot": "x"}), MULTIPART_CONTENT, (400, "invalid")),
    ],
)
def test_a_body_that_is_no_upload_is_refused(body: bytes, kind: str, expected: tuple[int, str]) -> None:
    bot = a_bot()
    assert refused(ask("POST", f"bots/{bot.pk}/versions", bot.owner, body, kind=kind)) == expected
    assert not bot.versions.exists()


def test_a_large_body_is_refused_before_it_is_read() -> None:
    bot = a_bot()
    client = Client(headers={"Content-Length": str(1 << 40)})
    client.force_login(bot.owner)
    answer = client.generic("POST", f"/api/v1/bots/{bot.pk}/versions", b"", OCTETS, CONTENT_LENGTH=str(1 << 40))
    assert refused(answer) == (413, "too_large")


def test_one_version_at_a_time_is_checked() -> None:
    bot = a_bot()
    send(f"bots/{bot.pk}/versions", bot.owner, SAMPLE)
    assert refused(send(f"bots/{bot.pk}/versions", bot.owner, SAMPLE + b"# 2\n")) == (409, "check_running")


def test_an_owner_goes_back_to_a_retired_version(api_world: World) -> None:
    a_version(api_world.bot)
    first = f"bots/{api_world.bot.pk}/versions/1"
    assert ask("GET", first).json()["status"] == "retired"
    assert refused(ask("POST", f"{first}/activate", api_world.owner)) == (409, "too_soon")
    Ladder.objects.update(version_pause=0)
    assert ask("POST", f"{first}/activate", api_world.owner).json()["status"] == "active"
    assert [row["status"] for row in ask("GET", f"bots/{api_world.bot.pk}/versions").json()["results"]] == [
        "retired",
        "active",
    ]


def test_a_rejected_version_cannot_be_activated(api_world: World) -> None:
    Version.objects.filter(pk=api_world.version.pk).update(status="rejected")
    assert refused(ask("POST", f"bots/{api_world.bot.pk}/versions/1/activate", api_world.owner)) == (409, "not_retired")


def test_unknown_bots_and_versions_are_told_apart(api_world: World) -> None:
    assert refused(ask("GET", "bots/999999/versions")) == (404, "unknown_bot")
    assert refused(ask("GET", f"bots/{api_world.bot.pk}/versions/99")) == (404, "unknown_version")
    assert refused(send("bots/999999/versions", a_user(), SAMPLE)) == (404, "unknown_bot")
