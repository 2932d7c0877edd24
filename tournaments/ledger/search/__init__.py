"""Rows that a few words find: by their names, and by what they say of themselves."""
