"""The built-in PostgreSQL and Valkey, and the supervisor of `manage.py up`. Nothing here needs Django's settings."""
