"""Sample bots, each beating the one before: `python3 -m bots.play zaibatsu random marginal` takes their short names."""
