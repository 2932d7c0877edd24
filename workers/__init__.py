"""Runs matches: takes orders, returns reports. Imports the engine and bots; has no Django and no database."""
