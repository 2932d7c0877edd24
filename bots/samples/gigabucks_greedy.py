"""The sample `greedy` of Corporate Gigabucks, under the name by which bots of v0.2 import it."""

from bots.games.gigabucks.samples.greedy import *  # noqa: F403
