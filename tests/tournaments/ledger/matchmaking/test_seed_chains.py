"""Chains of seeds: links in order, each once, shown when nothing that they tell is still played."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from django.db import IntegrityError, connection, transaction

from engine.dice import commitment
from engine.replay import read_replay
from engine.seeds import check_seed_proof, earlier_link, seed_of
from tests.factories import a_ladder, a_version, play_set
from tournaments.audit import log
from tournaments.core.errors import Refused
from tournaments.ledger.dispatch.leases import cancel
from tournaments.ledger.matchmaking import seed_chains
from tournaments.ledger.matchmaking.deal import deal_set
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Act, Ladder, MatchSet, Result, SeedChain

pytestmark = pytest.mark.django_db
Table = tuple[Ladder, list[int]]


@pytest.fixture
def table() -> Table:
    return a_ladder(players=2), [a_version().pk, a_version().pk]


def some_sets(table: Table, count: int) -> list[MatchSet]:
    ladder, versions = table
    return [create_set(ladder=ladder, versions=versions) for _ in range(count)]


def refusal(of: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        of()
    return f"{caught.value.code}: {caught.value.detail}"


def test_each_set_has_the_next_link_of_a_chain_whose_anchor_was_announced(table: Table) -> None:
    sets = some_sets(table, 3)
    chain = table[0].chains.get(number=1)
    assert [(match_set.chain, match_set.link) for match_set in sets] == [(chain, 1), (chain, 2), (chain, 3)]
    assert earlier_link(chain.root, chain.length) == chain.anchor
    announced = Act.objects.get(kind="seed_chain", detail__chain=1)
    bound = {"ladder": table[0].slug, "chain": 1, "length": 1000, "anchor": chain.anchor}
    assert announced.detail.items() >= bound.items()
    assert announced.at < sets[0].created_at
    assert not any(secret.root in "".join(log.log_lines()) for secret in SeedChain.objects.all())


def test_a_seed_is_made_of_its_link_its_beacon_and_who_sits(table: Table) -> None:
    (made,) = some_sets(table, 1)
    assert made.chain
    bundles = made.matches.earliest("pk").seats.values_list("version__bundle", flat=True)
    assert made.seed == seed_of(earlier_link(made.chain.root, 999), made.beacon, bundles)
    assert made.commitment == commitment(made.seed)


def test_the_beacon_is_the_latest_result_that_becomes_public(table: Table) -> None:
    first, second = some_sets(table, 2)
    assert first.chain
    assert first.beacon == second.beacon == first.chain.anchor  # only checks have been played
    play_set(second)
    a_version()  # its check is recorded later, and nobody else ever sees that
    (third,) = some_sets(table, 1)
    assert third.beacon == Result.objects.filter(match__set=second).latest("recorded_at").digest


def test_a_link_shows_when_every_set_that_it_tells_is_over(table: Table) -> None:
    first, second, third = some_sets(table, 3)
    play_set(second)
    assert "link_sealed: Link 2 reveals" in (reason := refusal(lambda: seed_chains.proof_of_deal(fresh(second))))
    assert reason.endswith("is over: 1 set is still open.")
    cancel(match_set=first, reason="test")
    for over in (first, second):
        assert seed_chains.proof_of_deal(fresh(over)).beacon == over.beacon
    assert refusal(lambda: seed_chains.proof_of_deal(fresh(third))).endswith("1 set is still open.")


def test_the_proof_holds_for_every_match_of_the_set(table: Table) -> None:
    first, second = some_sets(table, 2)
    play_set(first)
    play_set(second)
    proof = seed_chains.proof_of_deal(fresh(second))
    for result in Result.objects.filter(match__set=second):
        assert check_seed_proof(proof, read_replay(bytes(result.replay)))


def test_the_check_of_a_version_has_no_link_and_no_proof() -> None:
    made = a_version().check_set
    assert (made.chain, made.link, made.beacon) == (None, None, "")
    assert refusal(lambda: seed_chains.proof_of_deal(made)).startswith("no_proof: ")


def test_the_next_chain_is_announced_with_the_first_link_and_begins_when_the_last_is_used(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed_chains, "LENGTH", 2)
    sets = some_sets(table, 5)
    assert [(made.chain and made.chain.number, made.link) for made in sets] == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]
    assert [act.detail["chain"] for act in Act.objects.filter(kind="seed_chain").order_by("number")] == [1, 2, 3, 4]
    third = Act.objects.get(kind="seed_chain", detail__chain=3)
    assert sets[1].created_at < third.at < sets[2].created_at
    for made in sets:
        play_set(made)
    assert len({seed_chains.proof_of_deal(fresh(made)).link for made in sets}) == 5


def test_chains_whose_links_may_be_known_are_ended_and_the_log_says_so(table: Table) -> None:
    first, second = some_sets(table, 2)
    seed_chains.end_all(reason="a test")
    seed_chains.end_all(reason="there is nothing to end")
    (third,) = some_sets(table, 1)
    assert [made.chain and made.chain.number for made in (first, second, third)] == [1, 1, 3]
    assert list(Act.objects.filter(kind="seed_chains_ended").values_list("reason", flat=True)) == ["a test"]
    play_set(first)
    assert seed_chains.proof_of_deal(fresh(first)).number == 1


def test_a_deal_that_fails_uses_no_link(table: Table) -> None:
    some_sets(table, 1)
    with pytest.raises(IntegrityError, match="set_numbers_do_not_repeat"):
        deal_set(ladder=table[0], versions=table[1], lot="any", number=1)
    assert some_sets(table, 1)[0].link == 2


def test_the_database_holds_no_link_twice_and_no_chain_beyond_its_end(table: Table) -> None:
    first, second = some_sets(table, 2)
    with pytest.raises(IntegrityError, match="a_link_is_used_once"), transaction.atomic():
        MatchSet.objects.filter(pk=second.pk).update(link=first.link)
    with pytest.raises(IntegrityError, match="a_chain_ends"), transaction.atomic():
        table[0].chains.filter(number=1).update(used=1001)


@pytest.mark.django_db(transaction=True)
def test_many_dealers_at_once_get_no_link_twice_and_leave_none_out(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed_chains, "LENGTH", 5)
    lots = count()

    def deal(_: int) -> tuple[int, int]:
        try:
            made = deal_set(ladder=table[0], versions=table[1], lot="any", number=next(lots) + 1)
            assert made.chain
            return made.chain.number, made.link or 0
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(deal, range(12)))
    assert sorted(given) == [(chain, link) for chain in (1, 2, 3) for link in range(1, 6)][:12]


def fresh(match_set: MatchSet) -> MatchSet:
    return MatchSet.objects.select_related("chain").get(pk=match_set.pk)
