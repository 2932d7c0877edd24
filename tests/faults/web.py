"""The site as the web server loads it in a run with faults: see `stepped`."""

from tests.faults.stepped import prepare

prepare("web")

from tournaments.asgi import application  # noqa: E402 - its functions are wrapped first

__all__ = ["application"]
