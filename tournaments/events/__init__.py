"""Tournaments with a beginning and an end."""
