"""How all tests run. Property tests without a deadline for an example: the machine may have other things to do."""

import signal

from hypothesis import settings

settings.register_profile("boardroom", deadline=None, print_blob=True)
settings.load_profile("boardroom")

# A shell has its background jobs ignore Ctrl-C, and children inherit that: the tests of Ctrl-C would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
