"""Bots in WebAssembly: the deterministic division, where fuel is the budget instead of time.

    worker  --lines and fuel-->  runner.py, in a box of the arena  --calls-->  component: Python, guest.py, the bot
            <--answer and fuel--

A component is CPython compiled to WebAssembly, started and frozen when it is built (build.py), with guest.py, `engine`,
the SDK and the usual standard modules inside. It has no files, sockets, threads, environment, clock or entropy: what it
could learn of the world comes through the few functions that runner.py defines, and those say the same on every
machine. Every instruction takes fuel, and the runner refills it turn by turn (table.py): running out of it is the
time-out, at the same instruction wherever it is run again.

pack.py names all that a bot's behaviour depends on, by a hash; a replay carries it, so that it is never judged by
another. The runner needs no sandbox for the bot's sake. It gets the arena's strongest nevertheless, should WebAssembly
itself have a hole.
"""

TIER = "wasm"  # as an order asks for it
