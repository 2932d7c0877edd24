"""The sample `greedy` of Network, under the name by which bots of v0.2 import it."""

from bots.games.network.samples.greedy import *  # noqa: F403
