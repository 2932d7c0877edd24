"""Backup, restore and retention."""
