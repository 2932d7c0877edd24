"""The rungs of Shangzhou-Gold: its families, and what they are made of."""
