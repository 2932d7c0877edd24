"""Entries, the rating ledger, classic Elo, the official fit, standings."""
