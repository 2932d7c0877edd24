"""Sets go to workers that have the languages of their bots, and an upload that nobody can run waits with a word why."""

from collections.abc import Iterator

import pytest
from django.test import Client

from bots.contest import sample_files
from tests.factories import a_bot, a_ladder, a_version
from tournaments.core.broker import queues
from tournaments.ledger.competitors.uploads import upload
from tournaments.ledger.dispatch.orders import dispatch, order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import MatchSet, Version
from workers.orders import TAG, USED, queue_for
from workers.process_heartbeats import WORKERS, queues_in_use

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queue", "nobody")]
SOURCE = sample_files("zaibatsu")["frugal.c"].read_bytes()


@pytest.fixture
def nobody() -> Iterator[None]:
    queues.broker().delete(WORKERS)
    yield
    queues.broker().delete(WORKERS)


def here(*offers: str) -> None:
    """Workers that say they are here, each with these languages."""
    seconds, _ = queues.broker().time()
    for number, offered in enumerate(offers):
        queues.broker().zadd(
            WORKERS, {f"host/{number} {TAG} {offered}": int(seconds) + 600}
        )  # for as long as the test takes


def a_version_in(need: str) -> Version:
    version = a_version()
    Version.objects.filter(pk=version.pk).update(need=need)
    return version


def a_set_of(*needs: str) -> MatchSet:
    return create_set(ladder=a_ladder(players=2), versions=[a_version_in(need).pk for need in needs])


def waiting_for(*needs: str) -> int:
    return int(queues.broker().llen(queue_for(needs)))


def test_an_upload_remembers_its_language_and_the_order_its_file_name() -> None:
    version = an_upload_in_c()
    assert (version.need, version.filename) == ("c", "frugal.c")
    check = version.check_set
    assert order_of_set(check, list(check.matches.all())).competitors[0].filename == "frugal.c"


def an_upload_in_c() -> Version:
    bot = a_bot()
    return upload(bot=bot, by=bot.owner, data=SOURCE, filename="frugal.c")


def test_the_same_bytes_may_be_uploaded_again_by_the_right_name() -> None:
    first = a_bot()
    wrong = upload(bot=first, by=first.owner, data=b"// nothing\n", filename="bot.js")
    second = a_bot()
    right = upload(bot=second, by=second.owner, data=b"// nothing\n", filename="bot.c")
    assert wrong.bundle == right.bundle
    assert (wrong.need, right.need) == ("javascript", "c")


def test_an_upload_that_imports_numpy_is_checked_where_numpy_is() -> None:
    bot = a_bot()
    version = upload(bot=bot, by=bot.owner, data=b"import numpy as np\n", filename="bot.py")
    assert version.need == "numpy"
    here("c,python")
    assert dispatch() == 0
    here("python", "numpy,python")
    assert dispatch() == 1
    assert waiting_for("numpy") == 1


def test_a_set_goes_to_the_queue_of_its_languages() -> None:
    a_set_of("python", "python")
    a_set_of("python", "c")
    a_set_of("javascript", "c")
    assert dispatch() == 3
    assert [waiting_for(*languages) for languages in ((), "c", ("c", "javascript"), ("javascript",))] == [1, 1, 1, 0]


def test_workers_are_told_of_the_queues_in_use_whatever_stood_in_the_place() -> None:
    queues.broker().set(USED, "something else")
    a_set_of("javascript", "c")
    dispatch()
    assert waiting_for("c", "javascript") == 1
    assert queues_in_use(queues.broker()) == {queue_for(["c", "javascript"])}


def test_what_nobody_here_can_play_is_not_sent_and_holds_up_nothing_else() -> None:
    here("python", "javascript,python")
    a_set_of("python", "c")
    a_set_of("python", "javascript")
    a_set_of("python", "python")
    assert dispatch() == 2
    assert waiting_for("c") == 0
    here("python", "c,python")
    assert dispatch() == 1
    assert waiting_for("c") == 1


@pytest.mark.parametrize(("offers", "waits"), [((), False), (("python",), True), (("python", "c,python"), False)])
def test_the_bots_page_and_the_api_say_what_a_check_waits_for(offers: tuple[str, ...], waits: bool) -> None:
    version = an_upload_in_c()
    here(*offers)
    text = Client().get(f"/bots/{version.bot.pk}/").content.decode()
    assert ("no worker online can run <code>c</code>" in text) == waits
    shown = Client().get(f"/api/v1/bots/{version.bot.pk}/versions/{version.number}").json()
    assert shown["waits_for"] == ("c" if waits else None)
