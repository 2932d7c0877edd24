"""The site's settings, but with leases of seconds: the tests wait until they run out."""

from tournaments.settings import *  # noqa: F403

LEASE_QUEUED, LEASE_PLAYING = 12, 4  # a set waits for up to 8 s on two slow cores
PAGE_REQUESTS = 1_000_000  # everybody asks from one address
