"""A bot enters and leaves under the status that its ladder has at that moment."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from tests.factories import a_bot, a_ladder, a_user, a_version
from tests.meanwhile import meanwhile
from tests.spaces import a_space
from tournaments.core.errors import Refused
from tournaments.features.spaces.members import leave_space
from tournaments.ledger.acts import Close, Disqualify, Freeze
from tournaments.ledger.acts.base import Action
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.models import Bot, Entry, Ladder

pytestmark = pytest.mark.django_db(transaction=True)
STATUS_READ, BOT_HELD = 'FROM "tournaments_ladder"', 'FROM "tournaments_disqualification"'
ENTRIES_LISTED = 'FROM "tournaments_entry"'


def shut(what: type[Close] | type[Freeze], ladder: Ladder, _: Bot) -> Action:
    return what(ladder)


def disqualified(ladder: Ladder, bot: Bot) -> Action:
    return Disqualify(ladder=ladder, bot=bot)


@pytest.mark.parametrize("act", [partial(shut, Close), partial(shut, Freeze), disqualified])
@pytest.mark.parametrize("moment", [STATUS_READ, BOT_HELD])
def test_nobody_enters_past_an_act(act: Callable[[Ladder, Bot], Action], moment: str) -> None:
    ladder, version, organiser = a_ladder(players=2), a_version(), a_user(staff=True)
    action = act(ladder, version.bot)
    with meanwhile(lambda: action.do(by=organiser, reason="test"), after=moment) as other, suppress(Refused):
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    assert other.outcome()
    for entry in Entry.objects.filter(ladder=ladder):
        assert entry.status == "disqualified" if act is disqualified else entry.pinned == version


def test_nobody_leaves_a_ladder_that_was_frozen_since_it_was_looked_at() -> None:
    ladder, version, organiser = a_ladder(players=2), a_version(), a_user(staff=True)
    entry = enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    Freeze(ladder).do(by=organiser, reason="test")
    with pytest.raises(Refused, match="is frozen"):
        withdraw_bot(entry=entry, by=version.bot.owner)


def test_a_member_who_leaves_the_space_leaves_no_ladder_that_is_frozen_at_that_moment() -> None:
    member = a_user()
    space = a_space(members=[member])
    ladder, version = a_ladder(players=2, space=space), a_version(a_bot(member))
    Bot.objects.filter(pk=version.bot_id).update(space=space)
    entry, organiser = Entry.objects.create(ladder=ladder, bot=version.bot), a_user(staff=True)
    with meanwhile(lambda: Freeze(ladder).do(by=organiser, reason="test"), after=ENTRIES_LISTED) as other:
        leave_space(space=space, by=member)
    assert other.outcome()
    entry.refresh_from_db()
    assert (entry.status, entry.pinned) in (("withdrawn", None), ("playing", version))
