"""Sample bots of Shangzhou-Gold, each of which beats the one before: they are meant to be read."""
