"""Parts of `settings.py`: addresses of services, the cache's serialiser, tracing."""
