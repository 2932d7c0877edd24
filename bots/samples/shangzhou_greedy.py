"""The sample `greedy` of Shangzhou-Gold, under the name by which bots of v0.2 import it."""

from bots.games.shangzhou.samples.greedy import *  # noqa: F403
