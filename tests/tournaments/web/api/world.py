"""A small world to ask about: two owners with a bot each, a ladder they have played in, and some onlookers."""

from dataclasses import dataclass

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Bot, Ladder, Match, MatchSet, User, Version


@dataclass(frozen=True, slots=True)
class World:
    ladder: Ladder
    owner: User
    other: User
    bot: Bot  # the owner's
    rival: Bot  # the other's; it fails in every match
    version: Version
    rivals: Version
    set: MatchSet
    match: Match


def a_world() -> World:
    ladder, owner, other = a_ladder("main", players=2), a_user("ada"), a_user("bob")
    bot, rival = a_bot(owner, "Analytical"), a_bot(other, "Difference")
    version, rivals = a_version(bot), a_version(rival)
    for entered in (bot, rival):
        enter_in_ladder(ladder=ladder, bot=entered, by=entered.owner)
    played = a_completed_set(ladder, [version, rivals], faults={rivals.pk: Verdict.TIMED_OUT})
    rate()
    first = played.matches.order_by("turn")[0]
    return World(ladder, owner, other, bot, rival, version, rivals, played, first)
