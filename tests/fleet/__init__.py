"""A fleet of match workers on paper: what the platform would do, from what each piece of its work costs."""
