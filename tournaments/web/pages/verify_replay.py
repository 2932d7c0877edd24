"""Runs a match again while the visitor waits, and says what that proves."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.replay import DIFFERS, Replay, ReplayError, verify
from engine.seeds import ProofError
from engine.seeds import check_seed_proof as check_proof
from tournaments.core.errors import Refused
from tournaments.ledger.matchmaking.seed_chains import proof_of_deal
from tournaments.models import Match
from tournaments.web.pages.lookup import replay_or_404
from tournaments.web.pages.rate_limits import count_for_rate
from tournaments.web.pages.run_action import sentence
from tournaments.web.pages.sentences import in_page_language, say
from tournaments.web.server.request_rates import Rate, asker_address

VERIFY = Rate("verify", 30, 600)  # of an address
RUN_AGAIN = "Run again from its seed, it ends with the same scores, places, verdicts and final position."
DIGEST = {
    False: "The digest inside the file matches it, and is the one that was recorded.",
    True: "The digest inside the file matches it. It is not the one that was recorded: only the names of an erased "
    "account were removed since.",
}


def verified(request: HttpRequest, number: int) -> HttpResponse:
    match, replay = replay_or_404(request.user, number)
    command = verify_command(match, with_proof=match.set.chain is not None)
    context: dict[str, object] = {"match": match, "holds": [], "trouble": "", "verify_command": command}
    try:
        count_for_rate(VERIFY, asker_address(request))
        context["holds"] = list(checks(match, replay))
    except Refused as refused:
        context["trouble"] = sentence(refused)
        return render(request, "verified.html", context, status=429)
    except (ReplayError, ProofError) as error:
        context["trouble"] = f"{error.code}: {in_page_language(error.detail)}"
    return render(request, "verified.html", context)


def verify_command(match: Match, *, with_proof: bool) -> str:
    """Return what checks the downloaded replay, and the proof of its deal, in a checkout."""
    name = f"{match.set.game}-match-{match.pk}"
    return f"python3 -m engine.verify {name}.json" + (f" --proof {name}-proof.json" if with_proof else "")


def agree(match: Match, replay: Replay) -> None:
    """The file beside what the site shows. Raises ReplayError."""
    seats = list(match.seats.order_by("number").values_list("score", "place"))
    if seats != list(zip(replay.result.scores, replay.result.places, strict=True)):
        raise ReplayError(DIFFERS, "the site shows scores and places %(seats)s, and the file has others", seats=seats)
    if (replay.digest, replay.commitment) != (match.result.rewritten or match.result.digest, match.set.commitment):
        raise ReplayError(DIFFERS, "the file is not the one that was recorded, or is of another deal")


def checks(match: Match, replay: Replay) -> Iterator[str]:
    """The checks that pass, a sentence each. Raises ReplayError, ProofError or Refused."""
    verify(replay)
    agree(match, replay)
    answers = len(replay.answers)
    yield say("All %(answers)s answers are legal, and were given by the seats that the rules ask.", answers=answers)
    yield say(RUN_AGAIN)
    yield say("The scores and places that the site shows are these.")
    yield say(DIGEST[bool(match.result.rewritten)])
    yield say("The commitment that was public before the match is the SHA-256 of the seed.")
    try:
        proof = proof_of_deal(match.set)
    except Refused as refused:
        yield say("Not checked, how the seed was made: %(why)s", why=sentence(refused))
    else:
        yield from (f"{line[:1].upper()}{line[1:]}." for line in map(in_page_language, check_proof(proof, replay)))
