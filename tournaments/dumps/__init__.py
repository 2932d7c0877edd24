"""Dumps of what is public: tables by ladder, as JSON Lines and Parquet, for those who want all of it."""
