"""Running untrusted code: an arena starts each bot in a box that it cannot leave. Begin with arena.py."""
