"""What people are told of their bots, and how it reaches them.

`happenings` says what is told, in the transaction in which it happens; `telling` writes it down for each person, once,
with a delivery for each way they have chosen; `delivering` brings it there, again and again until it arrives.
"""
