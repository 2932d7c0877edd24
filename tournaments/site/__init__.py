"""What shows several features, and all addresses."""
