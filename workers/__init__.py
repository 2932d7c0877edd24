"""Runs matches: takes an order, gives reports. Imports the engine and bots; knows no Django and no database."""
