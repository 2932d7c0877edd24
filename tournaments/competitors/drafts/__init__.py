"""Bots being written in the browser: started from a sample or a version, saved while editing, submitted."""
