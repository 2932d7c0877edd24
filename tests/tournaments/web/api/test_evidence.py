"""Every verdict, earned by a bot in the real sandbox, as its owner reads it on the match's page and in the API."""

from typing import Any

import pytest

from tests.factories import a_ladder, a_version
from tests.languages.test_verdicts import BOTS, PYTHON
from tests.tournaments.web.api.asking import ask
from tests.tournaments.web.pages.conftest import signed_in
from tests.tournaments.web.pages.html import Html
from tests.workers.conftest import arena, kit, site
from tests.workers.hall import Site
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.ledger.recording.reports import record_report
from tournaments.models import MatchSet, User
from workers.match import Kit, report_match

__all__ = ["arena", "kit", "site"]

pytestmark = pytest.mark.django_db

EARNED = {name: source for name, source in BOTS.items() if source[0] == "python"}
WILD = {"Python goes wild": ("python", "ctypes.string_at(0)", "crashed", "was ended by signal 11 (Segmentation fault)")}


def a_set(source: str) -> MatchSet:
    """A set of a bot that does this at its first question and another, on the clock that `BOTS` are made for."""
    ladder = a_ladder(players=2, answer_ms=1500)
    versions = [a_version(data=(PYTHON % source).encode()), a_version()]
    return create_set(ladder=ladder, versions=[version.pk for version in versions])


def run(played: MatchSet, kit: Kit) -> list[str]:
    """Play its matches in the sandbox; what the ledger says of their reports."""
    order = order_of_set(played, claim(match_set=played))
    return [record_report(report_match(order, match, kit)) for match in order.matches]


def owners(played: MatchSet) -> list[User]:
    """The owners of the bot that fails, and of the other."""
    return [seat.version.bot.owner for seat in played.matches.get(turn=0).seats.order_by("version")]


def serve(played: MatchSet, site: Site) -> None:
    for seat in played.matches.get(turn=0).seats.all():
        site.put(bytes(seat.version.bundle.content))


def page(played: MatchSet, reader: User | None) -> str:
    return Html(signed_in(reader).get(f"/matches/{played.matches.get(turn=0).pk}/").content.decode()).text


def seats(played: MatchSet, reader: User | None) -> list[Any]:
    """The seats as somebody is shown them, in the same order."""
    match = ask("GET", f"matches/{played.matches.get(turn=0).pk}", reader).json()
    return sorted(match["seats"], key=lambda seat: int(seat["version_id"]))


@pytest.mark.parametrize("name", EARNED | WILD)
def test_the_owner_reads_verdict_question_reason_last_words_and_what_it_used(site: Site, kit: Kit, name: str) -> None:
    _, source, verdict, reason = (EARNED | WILD)[name]
    played = a_set(source)
    serve(played, site)
    assert run(played, kit) == ["recorded", "recorded"]
    owner, _ = owners(played)
    failed, honest = seats(played, owner)
    fault = failed["faults"][0]
    assert (failed["verdict"], fault["verdict"], honest["verdict"], honest["faults"]) == (verdict, verdict, "ok", None)
    assert reason in fault["detail"] + failed["stderr"]
    assert len(fault["detail"]) > 20
    assert fault["asked"]["t"] in ("bid", "place")
    assert ("-7" in fault["given"]) == (verdict == "illegal answer")
    assert min(seat[used] for seat in (failed, honest) for used in ("cpu_ms", "memory_mb")) > 0
    text = page(played, owner)
    for part in (verdict, "It was asked", "my last words", f"{failed['memory_mb']:.1f} MB of memory"):
        assert part in text
    assert " ".join(fault["detail"][1:].split()) in text


def test_what_failed_a_bot_is_its_owners_alone_but_what_all_used_is_for_everybody(site: Site, kit: Kit) -> None:
    played = a_set("sys.exit(3)")
    serve(played, site)
    run(played, kit)
    _, other = owners(played)
    for reader in (None, other):
        failed, honest = seats(played, reader)
        assert (failed["faults"], failed["stderr"], failed["verdict"]) == (None, None, "crashed")
        assert min(failed["memory_mb"], honest["memory_mb"]) > 0
        text = page(played, reader)
        assert "my last words" not in text
        assert "exit code" not in text
        assert f"{failed['memory_mb']:.1f} MB" in text
    assert seats(played, other)[1]["faults"] == []


def test_what_is_ours_charges_no_bot_and_the_owners_read_why(site: Site, kit: Kit) -> None:
    played = a_set("sys.exit(3)")  # whose bundle the site does not serve
    assert run(played, kit) == ["noted", "noted"]
    for reader, is_owner in ((None, False), (owners(played)[0], True)):
        match = ask("GET", f"matches/{played.matches.get(turn=0).pk}", reader).json()
        (attempt,) = match["attempts"]
        assert (attempt["outcome"], [seat["verdict"] for seat in match["seats"]]) == ("void", ["", ""])
        assert ("the site answered 404" in (attempt["reason"] or "")) == is_owner
        assert ("no bot is charged" in page(played, reader)) == is_owner
        assert ("the site answered 404" in page(played, reader)) == is_owner
