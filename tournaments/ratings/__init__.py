"""Ratings: pure functions of a ladder's results, without Django."""
