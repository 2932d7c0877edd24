"""Whether a site that runs for hours stays as it is: memory of each process, rows, keys and files."""
