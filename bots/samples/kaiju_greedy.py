"""The sample `greedy` of Kaiju Incorporated, under the name by which bots of v0.2 import it."""

from bots.games.kaiju.samples.greedy import *  # noqa: F403
