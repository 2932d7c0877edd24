"""Sample bots of Corporate Gigabucks, each of which beats the one before: they are meant to be read."""
