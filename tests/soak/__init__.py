"""Whether a site that runs for hours stays as it is: memory of each process, rows, keys and files."""

ADDRESSES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "WORKER_TOKEN", "SITE_URL")
