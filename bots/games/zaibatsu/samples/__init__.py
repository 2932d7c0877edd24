"""Sample bots of Zaibatsu, each of which beats the one before: they are meant to be read."""
