"""The gradebook: all rows for a course's organisers, their own for students, as page, CSV and by the API."""

import csv
import io
import json
import re

import pytest
from django.utils import timezone

from tests.factories import a_bot, a_ladder, a_user, an_upload
from tests.seasons import end_set
from tests.spaces import a_space
from tests.tournaments.features.courses.test_courses import DAY, the_course
from tests.tournaments.web.api.asking import ask, refused
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.features.courses.actions import SetDeadline, SetMarking
from tournaments.features.spaces.settings_actions import SetTimeZone
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Bot, Course, Ladder, SpaceMember, User, Version

pytestmark = pytest.mark.django_db
PATH = "/ladders/{}/gradebook/"


def a_class() -> tuple[Ladder, User, User, User]:
    """Olga is no organiser of the site, and Gus is in her panel; Ada won 18 of 20 sets against him, Bob has no bot."""
    olga, ada, bob = a_user("olga"), a_user("ada"), a_user("bob")
    space = a_space("chess-club", organiser=olga, members=[ada, bob])
    SpaceMember.objects.filter(user=ada).update(identity="=HYPERLINK(1) Ada Lovelace")
    ladder = a_ladder(players=2, space=space)
    gus, engine = (_entered(ladder, owner, name) for owner, name in ((olga, "Greedy Gus"), (ada, "Engine")))
    SetMarking(ladder, "10 = 60% Greedy Gus\n20 = 80% Greedy Gus", 25).do(by=olga, reason="marks")
    for number in range(20):
        order = [engine.pk, gus.pk] if number % 10 else [gus.pk, engine.pk]
        end_set(create_set(ladder=ladder, versions=order), order)
    return ladder, olga, ada, bob


def _entered(ladder: Ladder, owner: User, name: str) -> Version:
    bot = a_bot(owner, name)
    Bot.objects.filter(pk=bot.pk).update(space=ladder.space)
    bot.refresh_from_db()
    version = an_upload(bot)
    Version.objects.filter(pk=version.pk).update(status="active")
    enter_in_ladder(ladder=ladder, bot=bot, by=owner)
    return version


def _tight(page: str) -> str:
    """Return the page with no line begun inside an element."""
    return re.sub(r">\n\s*", ">", page)


def test_organisers_of_its_space_see_all_rows_students_their_own_and_others_nothing() -> None:
    ladder, olga, ada, bob = a_class()
    path = PATH.format(ladder.slug)
    texts = {user.username: _tight(signed_in(user).get(path).content.decode()) for user in (olga, ada, bob)}
    assert [name in texts["olga"] for name in ("Engine", ">bob", "Ada Lovelace", "30</strong> / 30")] == [True] * 4
    assert [name in texts["ada"] for name in ("Engine", ">bob", "Ada Lovelace", "90 ")] == [True, False, False, True]
    assert [name in texts["bob"] for name in ("Engine", ">ada", "0</strong> / 30")] == [False, False, True]
    assert "Set the marking scheme" in texts["olga"]
    assert "Set the marking scheme" not in texts["ada"]
    other = a_space(organiser=a_user("elsewhere"))
    assert signed_in(other.members.get().user).get(path).status_code == 404
    assert signed_in(None).get(path).status_code == 302
    text = signed_in(ada).get(f"/ladders/{ladder.slug}/").content.decode()
    assert f'href="{path}"' in text


def test_the_csv_holds_no_formula_and_the_api_says_the_same() -> None:
    ladder, olga, ada, _ = a_class()
    answer = signed_in(olga).get(f"/ladders/{ladder.slug}/gradebook.csv")
    rows = {row["person"]: row for row in csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))}
    assert rows["ada"]["identity"] == "'=HYPERLINK(1) Ada Lovelace"
    assert [rows["ada"][name] for name in ("points", "sure", "of", "Greedy Gus: chance", "Greedy Gus: sets")] == [
        "30",
        "10",
        "30",
        "0.9",
        "20",
    ]
    assert (rows["bob"]["points"], rows["bob"]["Greedy Gus: chance"]) == ("0", "")
    book = ask("GET", f"ladders/{ladder.slug}/gradebook", olga).json()
    assert [(row["person"], row["points"]) for row in book["rows"]] == [("ada", 30), ("bob", 0)]
    assert (book["state"], book["scheme"].splitlines()[0]) == ("provisional", "10 = 60% Greedy Gus")
    (row,) = ask("GET", f"ladders/{ladder.slug}/gradebook", ada).json()["rows"]
    assert row["chances"][0]["sets"] == 20
    assert refused(ask("GET", f"ladders/{ladder.slug}/gradebook", a_user())) == (404, "unknown_ladder")


def test_late_days_cost_points() -> None:
    ladder, olga, ada, _ = a_class()
    SetDeadline(ladder, timezone.now().replace(second=0, microsecond=0) + DAY, 3, 12).do(by=olga, reason="the end")
    Version.objects.filter(bot__owner=ada).update(created_at=timezone.now() + 1.5 * DAY)
    (row,) = ask("GET", f"ladders/{ladder.slug}/gradebook", ada).json()["rows"]
    assert (row["late_days"], row["points"], row["sure"]) == (1, 18, 0)
    assert "2 are left" not in signed_in(olga).get(PATH.format(ladder.slug)).content.decode()
    assert "Each costs 12 points" in signed_in(ada).get(PATH.format(ladder.slug)).content.decode()


def test_a_teacher_sets_the_scheme_on_a_form_that_shows_again_what_was_typed() -> None:
    ladder, olga, ada, _ = a_class()
    client, sent = signed_in(olga), {"ladder": ladder.slug, "scheme": "10 = 60% Greedy Gu\n", "reason": "marks"}
    text = client.post("/desk/acts/set_marking/", sent).content.decode()
    assert "No organiser’s bot &#x27;Greedy Gu&#x27; plays in" in text
    assert "10 = 60% Greedy Gu\n</textarea>" in text
    sent["scheme"] = "7 = 50% greedy gus"
    text = client.post("/desk/acts/set_marking/", sent).content.decode()
    assert "A mark has 7 points at most, by 1 bot of organisers." in text
    seen = json.dumps({"ladder": ladder.slug, "scheme": sent["scheme"], "within": None}, sort_keys=True)
    assert client.post("/desk/acts/set_marking/", {**sent, "do": "yes", "seen": seen}).status_code == 302
    assert the_course().rules[0][1:] == [50, 7]
    assert signed_in(ada).post("/desk/acts/set_marking/", sent).status_code == 403
    assert Course.objects.count() == 1


def test_deadlines_are_shown_and_typed_by_the_clock_of_the_space() -> None:
    ladder, olga, ada, bob = a_class()
    space = ladder.space
    assert space is not None
    path = f"/desk/acts/set_time_zone/?space={space.slug}&time_zone="
    assert "not a time zone; use a name such as Europe/Berlin" in signed_in(olga).get(path + "Berlin").content.decode()
    SetTimeZone(space, "Europe/Berlin").do(by=olga, reason="we are there")
    assert "in the time zone Europe/Berlin" in signed_in(olga).get(f"/spaces/{space.slug}/settings/").content.decode()
    form = {"ladder": ladder.slug, "deadline": "2999-07-01 23:59", "late_days": "1", "reason": "the end"}
    text = signed_in(olga).post("/desk/acts/set_deadline/", form).content.decode()
    assert "uploaded until 2999-07-01 23:59 CEST (UTC+02:00) counts, even if its check ends later." in text
    assert "Each student has 1 late day in all." in text
    for deadline in (
        "soon",
        "5.12.2999 14:00",
        "2999-12-05 24:00",
        "2999-12-05",
        "2999-12-05 23.59",
        "2999-12-05T23,59",
    ):
        text = signed_in(olga).post("/desk/acts/set_deadline/", form | {"deadline": deadline}).content.decode()
        assert "Write the date and the time like this: 2026-05-31 14:00" in text
    exact = form | {"deadline": "2999-12-05 23:59:59"}
    text = signed_in(olga).post("/desk/acts/set_deadline/", exact).content.decode()
    assert "23:59:59 has seconds; a deadline is a whole minute" in text
    text = signed_in(olga).post("/desk/acts/set_deadline/", form | {"deadline": "2999-07-01  23:59"}).content.decode()
    assert "uploaded until 2999-07-01 23:59 CEST" in text
    body = {"ladder": ladder.slug, "deadline": "2999-07-01T23:59", "late_days": 1, "reason": "the end"}
    for malformed in ("2999-12-24 23.59", "2999-12-24T23,59", "2999-12-24", "2999-W52-4T10:00", 2999):
        refused = ask("POST", "acts/set_deadline", olga, body | {"deadline": malformed})
        assert (refused.status_code, "such as 2026-05-31T14:00" in refused.content.decode()) == (400, True)
    exact = ask("POST", "acts/set_deadline", olga, body | {"deadline": "2999-07-01T23:59:00.5"})
    assert (exact.status_code, exact.json()["code"]) == (400, "bad_deadline")
    assert ask("POST", "acts/set_deadline", olga, body | {"late_days": 0, "penalty": 0}).status_code == 201
    assert ask("POST", "acts/set_deadline", olga, body).status_code == 201
    later = {"ladder": ladder.slug, "user": "ADA", "until": "2999-07-03T00:00+03:00", "reason": "ill"}
    assert ask("POST", "acts/extend_deadline", olga, later).status_code == 201
    book = ask("GET", f"ladders/{ladder.slug}/gradebook", ada).json()
    assert (book["deadline"], book["time_zone"]) == ("2999-07-01T21:59:00Z", "Europe/Berlin")
    pages = [signed_in(user).get(PATH.format(ladder.slug)).content.decode() for user in (ada, bob, olga)]
    assert all("Deadline: 2999-07-01 23:59 CEST (UTC+02:00)." in page for page in pages)
    assert ["Yours: 2999-07-02 23:00 CEST (UTC+02:00)." in page for page in pages] == [True, False, False]
    assert "deadline=2999-07-01+23%3A59&amp;late_days=1" in pages[2]
