"""Bots to begin with: one for each language that a site takes, for any game."""
