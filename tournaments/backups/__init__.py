"""Keeping what there is: backups, their way back, and what need not be kept for ever."""
