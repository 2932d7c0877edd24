"""The rungs of Zaibatsu: its families, and what they are made of."""
