"""The rungs of Network: its families, and what they are made of."""
