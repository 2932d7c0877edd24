"""What runs and watches the site: the built-in servers, the dispatcher, backups, metrics, the read-only tables."""
