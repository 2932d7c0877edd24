"""Seed chains for a ladder's deals: the next link, and the proof of a deal as soon as it can be published."""

import secrets
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F

from engine.seeds import Proof, earlier_link
from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.core.errors import Refused
from tournaments.models import Ladder, MatchSet, Result, SeedChain

LENGTH = 1000  # links of a chain; the one that is furthest from the root takes half a millisecond to compute


@dataclass(frozen=True, slots=True)
class Link:
    chain: SeedChain
    number: int
    value: str


@transaction.atomic(savepoint=False)
def next_links(ladder: Ladder, count: int) -> list[Link]:
    """The next links of the ladder's chains, in the caller's transaction: no link is used twice or lost.

    The following chain is announced with the first link, so that nobody knows its beacons when it is made.
    """
    Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    links: list[Link] = []
    while len(links) < count:
        links += _of_one_chain(ladder, count - len(links))
    return links


def _of_one_chain(ladder: Ladder, most: int) -> list[Link]:
    chain = ladder.chains.filter(used__lt=F("length")).order_by("number").first() or begin_seed_chain(ladder)
    numbers = range(chain.used + 1, min(chain.used + most, chain.length) + 1)
    chain.used = numbers[-1]
    chain.save(update_fields=["used"])
    if numbers[0] == 1:
        begin_seed_chain(ladder)
    values = [_link(chain, numbers[-1])]  # each tells the one before it
    while len(values) < len(numbers):
        values.append(earlier_link(values[-1], 1))
    return [Link(chain, number, value) for number, value in zip(numbers, reversed(values), strict=True)]


def begin_seed_chain(ladder: Ladder) -> SeedChain:
    """Start another chain for the ladder, which the caller has locked; its anchor goes to the public log."""
    root, number = secrets.token_hex(32), ladder.chains.count() + 1
    chain = SeedChain.objects.create(
        ladder=ladder, number=number, length=LENGTH, anchor=earlier_link(root, LENGTH), root=root
    )
    says = Sentence(
        "Chain %(number)s of ladder %(ladder)s: %(links)s links, and the anchor %(anchor)s.",
        number=number,
        ladder=ladder.slug,
        links=LENGTH,
        anchor=chain.anchor,
    )
    detail = {"ladder": ladder.slug, "chain": number, "length": LENGTH, "anchor": chain.anchor, "says": [says]}
    space = ladder.space_id
    append(
        kind="seed_chain",
        by=PLATFORM,
        subject=ladder,
        reason=Sentence("deals are made from it"),
        detail=detail,
        space=space,
    )
    return chain


@transaction.atomic
def end_all(*, reason: str) -> None:
    """End the chains in use, because their next links may be known; later deals use new chains."""
    if SeedChain.objects.filter(used__lt=F("length")).update(used=F("length")):
        append(kind="seed_chains_ended", by=PLATFORM, subject="all ladders", reason=reason)


@transaction.atomic
def begin_anew(ladder: Ladder, *, reason: str) -> None:
    """End the ladder's chains and announce another: nobody can have known a link of it before. The caller has locked
    the ladder."""
    if ladder.chains.filter(used__lt=F("length")).update(used=F("length")):
        append(
            kind="seed_chains_ended", by=PLATFORM, subject=f"ladder {ladder.slug}", reason=reason, space=ladder.space_id
        )
    begin_seed_chain(ladder)


def beacon(chain: SeedChain) -> str:
    """The digest of the latest result whose replay is, or will be, public; the anchor if there is none yet."""
    public = Result.objects.filter(match__set__checks=None, match__set__rechecks=None)
    return public.order_by("-recorded_at", "-pk").values_list("digest", flat=True).first() or chain.anchor


def open_before(match_set: MatchSet) -> int:
    """How many sets of its chain must be over before its link can be published, which reveals their links."""
    return MatchSet.objects.filter(
        chain=match_set.chain_id, link__lte=match_set.link, status=MatchSet.Status.OPEN
    ).count()


def proof_of_deal(match_set: MatchSet) -> Proof:
    """The public proof of its deal. Raises Refused if there is none, or none yet."""
    chain, number = match_set.chain, match_set.link
    if chain is None or number is None:
        raise Refused("no_proof", "This deal belongs to no chain: only its commitment was public before it was played.")
    if waiting := open_before(match_set):
        still = (
            Sentence("1 set is still open")
            if waiting == 1
            else Sentence("%(waiting)s sets are still open", waiting=waiting)
        )
        raise Refused(
            "link_sealed",
            "Link %(number)s reveals all links before it, so it is shown when every set dealt up to it is over: "
            "%(still)s.",
            number=number,
            still=still,
        )
    return Proof(chain.anchor, chain.length, number, _link(chain, number), match_set.beacon)


def _link(chain: SeedChain, number: int) -> str:
    return earlier_link(chain.root, chain.length - number)
