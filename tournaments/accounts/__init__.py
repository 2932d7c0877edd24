"""What sessions know by its path of release 0.1: if it were gone, everybody would be signed out."""
