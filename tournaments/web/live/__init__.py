"""Matches under way, as viewers see them."""
