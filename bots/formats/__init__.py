"""Tournament formats as pure functions: `plan` of settings, entrants and results. They have no state.

A site plays its events by them, and `boardroom league` those at home.
"""
