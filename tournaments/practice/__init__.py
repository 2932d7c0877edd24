"""Practices: games beside all ratings. A person plays against bots, a match goes on from a moment, a draft is tried.

`begin` and `fork` make one, `answer` and `leave` are a person's. `turns` says how one goes on, `reports` what workers
bring, `chairs` who may sit.
"""
