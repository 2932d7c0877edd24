"""Dumps of all public data: tables by ladder, as JSON Lines and Parquet."""
