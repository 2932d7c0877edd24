"""Notices to people about their bots, and how they are delivered.

`triggers` has a function for each occasion, called in its transaction; `create` writes one notice for each person, with
a delivery for each channel that they have chosen; `delivery` sends it, with retries until it arrives.
"""
