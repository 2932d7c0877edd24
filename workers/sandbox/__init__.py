"""Running strangers' code: an arena starts each bot in a box that it cannot leave. Begin with arena.py."""

from workers.sandbox.arena import Arena
from workers.sandbox.box import Box
from workers.sandbox.errors import SandboxError
from workers.sandbox.far import connect
from workers.sandbox.limits import Exit, Limits
from workers.sandbox.program import Program

__all__ = ["Arena", "Box", "Exit", "Limits", "Program", "SandboxError", "connect"]
