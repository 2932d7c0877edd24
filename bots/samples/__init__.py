"""Sample bots, each beating the one before: `boardroom play zaibatsu random marginal` takes their short names."""
