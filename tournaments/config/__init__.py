"""What `settings.py` is made from: addresses of services, and what the cache may hold."""
