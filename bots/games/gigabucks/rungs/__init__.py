"""The rungs of Corporate Gigabucks: its families, and what they are made of."""
