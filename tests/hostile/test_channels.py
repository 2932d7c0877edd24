"""Channels between two bots that were measured, and are closed: the command that measures them finds nothing."""

import pytest

from tests.hostile.channels import CHANNELS, Channel, measured
from workers.sandbox.arena import Arena

OPEN = ("load", "line", "threads")
CLOSED = [channel for channel in CHANNELS if not set(channel.name.split()) & set(OPEN)]


@pytest.mark.parametrize("channel", CLOSED, ids=lambda channel: channel.name)
def test_a_closed_channel_carries_nothing_from_turn_to_turn(arena: Arena, channel: Channel) -> None:
    assert measured(arena, channel, 0) in ("closed", "chance")
