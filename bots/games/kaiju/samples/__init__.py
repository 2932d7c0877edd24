"""Sample bots of Kaiju Incorporated, each of which beats the one before: they are meant to be read."""
