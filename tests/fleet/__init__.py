"""A simulated fleet of match workers: what the platform would do, from what each piece of its work costs."""
