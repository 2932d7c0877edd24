"""Bots in the making, written in the browser: begun from a sample or a version, saved on the way, submitted."""
