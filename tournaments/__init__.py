"""The site: the only Django package."""
