"""The rungs of Kaiju Incorporated: its families, and what they are made of."""
