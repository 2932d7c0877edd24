"""Matches under way, as those who watch see them."""
