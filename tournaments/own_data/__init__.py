"""A person's own data: as one file to download, and erased when they leave for good."""
