"""Backup and restore, and retention: which old data is deleted, of what no result needs."""
