"""Sample bots, each beating the one before. `python -m bots.play zaibatsu random marginal` finds them by short name."""
