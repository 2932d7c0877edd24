"""How property tests run: no deadline for a single example, because the machine may have other things to do."""

from hypothesis import settings

settings.register_profile("boardroom", deadline=None, print_blob=True)
settings.load_profile("boardroom")
