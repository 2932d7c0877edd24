"""Health, metrics and request ids for operators. Errors and traces are in `tournaments.core.config.tracing`."""
