"""Searching with a few words: names of bots, people, teams, ladders and events, and their descriptions."""
